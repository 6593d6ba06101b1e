"""Rooms: sessions that several people watch."""
