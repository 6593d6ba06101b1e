"""A machine's side of joining a server: it offers its engines there, by connections of its own."""
