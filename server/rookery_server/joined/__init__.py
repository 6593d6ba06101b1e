"""Machines that have joined the server, and the engines that they offer."""
