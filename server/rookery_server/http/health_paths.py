"""Where machines ask how the server is (see status.py)."""

HEALTH = "/healthz"
READY = "/readyz"
METRICS = "/metrics"
