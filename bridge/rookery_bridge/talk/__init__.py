"""What is said: between a GUI and a server that may be away.  It decides, and does no I/O."""
