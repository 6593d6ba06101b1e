"""Files of games that accounts keep on the server, for the page on all their machines."""
