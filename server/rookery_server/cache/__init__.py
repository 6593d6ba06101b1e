"""What engines have found out about positions, kept for those who ask again."""
