"""Tools for language models, by the Model Context Protocol: the command `rookery-bridge mcp`."""
