"""The machine's resources, shared between accounts and sessions."""
