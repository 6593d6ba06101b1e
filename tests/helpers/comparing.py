"""Comparison of values within a tolerance."""


def same(value: object, other: object) -> bool:
    """Compare with types: named tuples of different types can be equal, and so are 1 and True."""
    return value == other and repr(value) == repr(other)
