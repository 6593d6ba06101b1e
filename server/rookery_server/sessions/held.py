"""What a client has said that its engine must not hear yet: the end of a search comes first.

There may be thousands of commands, and each is looked at once: whatever is asked of the
queue takes the same time for one as for all.
"""

from collections import Counter, deque
from collections.abc import Iterator

from rookery_engine import uci

_LINE_COST = 200  # bytes that a command takes besides its text


class Held:
    """Commands in order; `size` is what they take, in bytes."""

    __slots__ = ("_commands", "_words", "size")

    def __init__(self) -> None:
        # A deque takes 700 bytes, and most sessions never hold anything back.
        self._commands: deque[uci.Command] | None = None
        self._words: Counter[uci.Command] = Counter()  # how many of each that is just a word
        self.size = 0

    def __len__(self) -> int:
        return len(self._commands) if self._commands else 0

    def __iter__(self) -> Iterator[uci.Command]:
        return iter(self._commands or ())

    def __contains__(self, word: uci.Word) -> bool:
        return self._words[word] > 0

    def count(self, word: uci.Word) -> int:
        """Return how often a word is there."""
        return self._words[word]

    def put(self, command: uci.Command) -> None:
        """Add a command at the end."""
        self._queue().append(command)
        self._account(command, 1)

    def put_back(self, command: uci.Command) -> None:
        """Add a command at the beginning."""
        self._queue().appendleft(command)
        self._account(command, 1)

    def take(self) -> uci.Command:
        """Return the first command, and forget it."""
        command = self._queue().popleft()
        self._account(command, -1)
        return command

    def _queue(self) -> deque[uci.Command]:
        if self._commands is None:
            self._commands = deque()
        return self._commands

    def _account(self, command: uci.Command, sign: int) -> None:
        self.size += sign * (len(str(command)) + _LINE_COST)
        if isinstance(command, uci.Word):
            self._words[command] += sign
