"""Engines on the nodes of a Ray cluster: Ray places them, plain TCP carries what they say."""
