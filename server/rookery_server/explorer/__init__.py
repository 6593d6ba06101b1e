"""Games of the operator's, by position: what was played, and how it ended."""
