"""The answers of the web port, and what an operator asks of a running server."""

# The paths at which machines ask for the server's health.
HEALTH = "/healthz"
READY = "/readyz"
METRICS = "/metrics"
