"""The commands that use the analysis service of a server: `analyse` and `jobs`."""
