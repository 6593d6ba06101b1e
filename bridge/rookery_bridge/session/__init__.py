"""The conversation between a GUI and a server that may be away, without any I/O."""
