"""Projects: positions whose trees of analysed moves are kept in the database, and grown."""
