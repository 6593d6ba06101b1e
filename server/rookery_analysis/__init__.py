"""Analysis of whole games: reading them, searching their positions, judging their moves."""
