"""Access: accounts, tokens, TLS, and bounds on connections."""
