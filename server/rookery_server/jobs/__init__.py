"""Jobs: many positions or games that accounts have analysed, kept in the database."""
