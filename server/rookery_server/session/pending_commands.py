"""The work that a session has yet to do: postponed commands, and answers that the engine owes.

A command that would disturb a search is postponed until its `bestmove`.  There may be thousands
of them, and each is looked at once: whatever is asked of the queue takes the same time for one as
for all.  Only to find what is said to the search that has just begun, `stop` behind others
perhaps, it is gone through, at a tenth of a look's cost.  No I/O.
"""

from collections import Counter, deque
from collections.abc import Iterator

import rookery_uci as uci
from rookery_protocol.notices import Code, Notice
from rookery_server.session.commands import AWAITED, Command

FULL = Notice(Code.TOO_MANY_LINES, "too many lines wait for a bestmove already")
MAX_SIZE = 1 << 20  # bytes; a GUI that does not wait has two or three lines
_RESERVE = 1 << 18  # bytes besides, for what its client waits for, and what ends that
_LINE_COST = 200  # bytes that a command takes besides its text
_NEW_GAME = uci.Word.UCINEWGAME


class PendingCommands:
    """Commands in order; `size` is what they take, in bytes."""

    __slots__ = ("_commands", "_signals", "_words", "size")

    def __init__(self) -> None:
        # A deque takes 700 bytes, and most sessions never postpone anything.
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
        """Return whether there is no room for one more command of this word."""
        return self.size >= MAX_SIZE + _RESERVE * (word in AWAITED)

    @property
    def has_signal(self) -> bool:
        """True if there is anything that may be meant for a search that goes on."""
        return self._signals > 0

    def add(self, command: Command, word: str) -> bool:
        """Add a command of this word at the end; return whether there is room for it."""
        if command is uci.Word.QUIT:  # It always has room: a client that leaves is let go.
            if command in self:
                return True
        elif self.is_full_for(word):
            return False
        self.append(command)
        return True

    def append(self, command: Command) -> None:
        """Add a command at the end."""
        cost = len(str(command)) + _LINE_COST
        self._deque().append((command, cost))
        self._count(command, cost, 1)

    def append_left(self, command: Command) -> None:
        """Add a command at the beginning."""
        cost = len(str(command)) + _LINE_COST
        self._deque().appendleft((command, cost))
        self._count(command, cost, 1)

    def pop_left(self) -> Command:
        """Remove the first command, and return it."""
        command, cost = self._deque().popleft()
        self._count(command, cost, -1)
        return command

    def move_to(self, other: "PendingCommands") -> None:
        """Move the commands before the first signal to the end of another queue."""
        commands, others, size = self._deque(), other._deque(), 0
        while commands and not _is_signal(commands[0][0]):
            size += commands[0][1]
            others.append(commands.popleft())
        self.size -= size
        other.size += size

    def _deque(self) -> deque[tuple[Command, int]]:
        if self._commands is None:
            self._commands = deque()
        return self._commands

    def _count(self, command: Command, cost: int, sign: int) -> None:
        self.size += sign * cost
        if _is_signal(command):
            self._signals += sign
        if isinstance(command, uci.Word):
            self._words[command] += sign


def _is_signal(command: Command) -> bool:
    """Return whether a command may be meant for a search that goes on."""
    return isinstance(command, uci.Word | uci.Debug) and command is not _NEW_GAME


class Readiness:
    """The `isready` that one session's engine has yet to answer, which it does in their order.

    One of them may be the server's own: to ask whether an engine that searches in silence is
    there, or has done what is no search, concerns no client.
    """

    __slots__ = ("_before_probe", "answered", "before_search", "is_behind_work", "owed")

    def __init__(self) -> None:
        self.owed = 0  # of the client's
        self.before_search = 0  # of those, what came before the search that is under way
        self.answered = 0  # of all
        self.is_behind_work = False  # the server's own: until then a command goes on
        self._before_probe = -1  # of those owed, what comes before the server's own; -1 without one

    @property
    def is_probed(self) -> bool:
        """True if the server's own is not answered."""
        return self._before_probe >= 0

    @property
    def is_even(self) -> bool:
        """True if the engine owes nothing."""
        return not (self.owed or self.is_probed)

    def probe(self, *, behind_work: bool = False) -> None:
        """Record that the server asks for itself, perhaps behind a command that is no search."""
        self._before_probe, self.is_behind_work = self.owed, behind_work

    def forget_engine(self) -> None:
        """Forget an engine that is gone: the next one owes what the client has asked for."""
        self._before_probe = -1
        self.is_behind_work = False

    def take_all(self) -> int:
        """Return how many the client is owed, which are answered in the engine's stead."""
        owed, self.owed = self.owed, 0
        return owed

    def is_for_client(self) -> bool:
        """Record a `readyok`; return whether the client is owed it."""
        if not self.owed and self._before_probe < 0:
            return False  # It answers no question.
        self.answered += 1
        if self._before_probe == 0:
            self._before_probe = -1
            self.is_behind_work = False
            return False
        if self._before_probe > 0:
            self._before_probe -= 1
        self.owed -= 1
        if self.before_search > 0:
            self.before_search -= 1
        return True
