"""The answers of the web port, and what an operator asks of a running server."""
