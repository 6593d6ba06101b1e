"""The database of a server: evaluations and jobs, in SQLite or PostgreSQL."""
