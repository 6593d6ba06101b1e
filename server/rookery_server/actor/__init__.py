"""The shell around one session: its client's connection, its engine and its timers."""
