"""What a client has told about its game, for an engine that comes later.  No I/O.

An engine may be started long after the session, or take the place of one that died.
What it must be told then is the last value of every option, and the last position.
"""

from rookery_engine import uci
from rookery_engine.uci import key_of
from rookery_server.cache.question import Question, question_of
from rookery_server.engines.offer import CHESS960, VARIANT, Offer
from rookery_server.sessions.search import Command

_RULES = (CHESS960, VARIANT)  # by which a position is read


class Recall:
    """The options and the position that hold now."""

    __slots__ = ("_options", "_rules", "position")

    def __init__(self) -> None:
        self._options: dict[str, uci.SetOption] = {}
        self._rules: dict[str, uci.SetOption] = {}  # as they were when the position was said
        self.position: uci.Position | None = None

    def take(self, command: Command) -> None:
        """Take note of a command that an engine heard, or would have."""
        if isinstance(command, uci.SetOption) and command.value is not None:
            # Set anew, it goes to the end: options may depend on those before them.
            key = key_of(command.name)
            self._options.pop(key, None)
            self._options[key] = command
        elif isinstance(command, uci.Position):
            self.position = command
            self._rules = {key: self._options[key] for key in _RULES if key in self._options}

    @property
    def options(self) -> list[str]:
        """The options that were set, by what names are compared by."""
        return list(self._options)

    def option(self, key: str) -> uci.SetOption | None:
        """Return how an option was last set, by what names are compared by."""
        return self._options.get(key)

    def value(self, key: str) -> str | None:
        """Return what an option was last set to."""
        return command.value if (command := self.option(key)) else None

    @property
    def rules(self) -> dict[str, str | None]:
        """The options by which the position is read, as they were when it was said."""
        held = self._options if self.position is None else self._rules
        return {key: held[key].value for key in _RULES if key in held}

    @property
    def is_reread(self) -> bool:
        """Whether the rules have changed since the position was said, and may read it otherwise."""
        now = {key: self._options[key] for key in _RULES if key in self._options}
        return self.position is not None and now != self._rules

    def question(self, limits: uci.Limits, offer: Offer) -> Question | None:
        """Return what a search asks; None if its answer is good for itself alone."""
        if self.is_reread:
            return None
        return question_of(limits, self.position or uci.Position(), offer, self.value)

    def undo(self, offer: Offer, *, debug: bool) -> bytes | None:
        """Return what makes an engine as it was before it heard all that; None if nothing does.

        Args:
            offer: of that engine.
            debug: whether it was told to say more.

        """
        options = offer.undo(self.options)
        if options is None:
            return None
        before = [uci.Debug(False)] if debug else []
        lines = (*before, *options, uci.Word.UCINEWGAME, uci.Position(), uci.Word.ISREADY)
        return "".join(f"{line}\n" for line in lines).encode()

    def commands(self) -> list[uci.Command]:
        """Return what a fresh engine must hear to be where the old one was."""
        if self.position is None:
            return [*self._options.values()]
        # An engine dies of a castling that is spelled by other rules.
        now = {key: self._options[key] for key in _RULES if key in self._options}
        later = [command for key, command in now.items() if command != self._rules.get(key)]
        earlier = self._rules.values()
        options = [command for key, command in self._options.items() if key not in now]
        return [*earlier, *options, self.position, *later]
