"""The ways in: TCP and WebSocket."""

# The paths at which machines ask for the server's health.
HEALTH = "/healthz"
READY = "/readyz"
METRICS = "/metrics"
