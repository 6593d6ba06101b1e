"""What a client has said that its engine must not hear yet: the end of a search comes first.

There may be thousands of commands, and each is looked at once: whatever is asked of the
queue takes the same time for one as for all.  Only to find what is said to the search that has
just begun, `stop` behind others perhaps, it is gone through, at a tenth of a look's cost.
"""

from collections import Counter, deque
from collections.abc import Iterator

import rookery_uci as uci
from rookery_protocol.notices import Code, Notice
from rookery_server.session.current_search import Command
from rookery_server.session.state import AWAITED

FULL = Notice(Code.TOO_MANY_LINES, "too many lines wait for a bestmove already")
MAX_HELD = 1 << 20  # bytes; a GUI that does not wait has two or three lines
_RESERVE = 1 << 18  # bytes besides, for what its client waits for, and what ends that
_LINE_COST = 200  # bytes that a command takes besides its text
_NEW_GAME = uci.Word.UCINEWGAME


class Held:
    """Commands in order; `size` is what they take, in bytes."""

    __slots__ = ("_commands", "_signals", "_words", "size")

    def __init__(self) -> None:
        # A deque takes 700 bytes, and most sessions never hold anything back.
        self._commands: deque[tuple[Command, int]] | None = None  # and what each takes
        self._words: Counter[uci.Word] = Counter()  # how many of each that is just a word
        self._signals = 0  # how many of those that may be for a search that goes on
        self.size = 0

    def __len__(self) -> int:
        return len(self._commands) if self._commands else 0

    def __iter__(self) -> Iterator[Command]:
        return (command for command, _ in self._commands or ())

    def __contains__(self, word: uci.Word) -> bool:
        return self._words[word] > 0

    def count(self, word: uci.Word) -> int:
        """Return how often a word is there."""
        return self._words[word]

    def is_full_for(self, word: str) -> bool:
        """Say whether there is no room for one more command of this word."""
        return self.size >= MAX_HELD + _RESERVE * (word in AWAITED)

    def put(self, command: Command) -> None:
        """Add a command at the end."""
        cost = len(str(command)) + _LINE_COST
        self._queue().append((command, cost))
        self._account(command, cost, 1)

    def put_back(self, command: Command) -> None:
        """Add a command at the beginning."""
        cost = len(str(command)) + _LINE_COST
        self._queue().appendleft((command, cost))
        self._account(command, cost, 1)

    def take(self) -> Command:
        """Return the first command, and forget it."""
        command, cost = self._queue().popleft()
        self._account(command, cost, -1)
        return command

    @property
    def has_signal(self) -> bool:
        """Whether there is anything that may be meant for a search that goes on."""
        return self._signals > 0

    def move(self, other: "Held") -> None:
        """Add the commands before the first of those to the end of another queue."""
        commands, others, size = self._queue(), other._queue(), 0
        while commands and not _is_signal(commands[0][0]):
            size += commands[0][1]
            others.append(commands.popleft())
        self.size -= size
        other.size += size

    def _queue(self) -> deque[tuple[Command, int]]:
        if self._commands is None:
            self._commands = deque()
        return self._commands

    def _account(self, command: Command, cost: int, sign: int) -> None:
        self.size += sign * cost
        if _is_signal(command):
            self._signals += sign
        if isinstance(command, uci.Word):
            self._words[command] += sign


def _is_signal(command: Command) -> bool:
    """Say whether a command may be meant for a search that goes on."""
    return isinstance(command, uci.Word | uci.Debug) and command is not _NEW_GAME
