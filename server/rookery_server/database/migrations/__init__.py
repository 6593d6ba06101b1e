"""The steps from the first form of the database to the present one."""
