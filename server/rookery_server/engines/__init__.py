"""Engines: started, spoken to and ended; what they offer, and what of it clients have."""
