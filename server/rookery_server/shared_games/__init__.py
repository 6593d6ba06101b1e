"""Games that accounts share by a link, kept in the database."""
