"""Who may connect, and as whom."""
