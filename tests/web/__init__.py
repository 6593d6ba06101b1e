"""Tests of the page: a package, because one browser and one server are shared by all of it."""
