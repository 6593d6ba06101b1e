"""The operator's configuration: its sections, their schema and their validation."""
