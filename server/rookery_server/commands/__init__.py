"""The commands of `rookery-server`, apart from `serve`."""
