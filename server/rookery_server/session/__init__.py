"""Sessions: the conversation of one client with one engine."""
