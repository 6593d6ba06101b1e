"""The answers of the web port: pages, health, metrics, administration."""
