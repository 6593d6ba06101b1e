"""Evaluations of positions by engines, kept for later searches."""
