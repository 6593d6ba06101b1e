"""Engines of hosts and cached evaluations for `rookery_analysis`."""
