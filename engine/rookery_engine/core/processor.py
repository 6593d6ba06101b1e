"""Features of this processor."""


def has_v3() -> bool:
    """Say whether it has all of x86-64-v3, and the system keeps its registers."""
    return bool(_has_v3())
