"""Endgames that are solved: Syzygy tablebases that the operator has."""
