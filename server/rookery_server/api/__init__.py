"""The analysis service: the routes below `/v1`, their documents, and their description."""
