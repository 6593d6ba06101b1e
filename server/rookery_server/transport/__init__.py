"""The ways in: TCP and WebSocket."""
