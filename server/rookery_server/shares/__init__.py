"""What there is to be shared, of the machine and by each account, and who waits for it."""
