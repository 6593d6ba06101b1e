"""Benchmarks of projects: trees after kills, large trees, and trees beside long searches."""
