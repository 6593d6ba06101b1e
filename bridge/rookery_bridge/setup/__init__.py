"""Remote engines set up on this machine: paired, listed, examined."""
