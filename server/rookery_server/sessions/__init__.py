"""Sessions: the conversation of one client with one engine, and what keeps it going."""
