"""Engines and cached evaluations for the analysis of games."""
