"""The words of client and server besides UCI, and the shells that both share."""
