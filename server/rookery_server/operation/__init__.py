"""For those who operate a server: figures, state, logs, control."""
