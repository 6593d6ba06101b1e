"""Errors as Windows raises them."""

ACCESS_DENIED, SHARING_VIOLATION = 5, 32


class WindowsError(PermissionError):
    """A refusal with the number that Windows gives it."""

    def __init__(self, number: int, text: str = "The file is used by another process") -> None:
        super().__init__(13, text)
        self.winerror = number
