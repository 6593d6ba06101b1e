"""What a client has told about its game, for an engine that comes later.  No I/O.

An engine may be started long after the session, or take the place of one that died.
What it must be told then is the last value of every option, and the last position.

Not every position is known.  After a command beyond UCI (`flip`, `bench` ...) only the engine
knows where it is, until the next `position`: what it finds is not kept, and if it is lost, the
position is lost with it.
"""

import rookery_uci as uci
from rookery_server.cache.query import Question, question_of
from rookery_server.engines.offered_options import OfferedOptions
from rookery_server.session.current_search import Command
from rookery_uci import CHESS960, VARIANT, key_of

# Of this option an engine keeps every value that it was told: one for each position, until
# `clearall`.  (No engine is known to have it; so many are repeated.)
_GATHERED = "uci_setpositionvalue"
_MOST_GATHERED = 256
# Other buttons may do anything, such as set all options back, or read a file of experience.
_HARMLESS_BUTTON = "clear hash"
_RULES = (CHESS960, VARIANT)  # by which a position is read


class Recall:
    """The options and the position that hold now."""

    __slots__ = (
        "_gathered",
        "_is_new_game",
        "_is_pressed",
        "_options",
        "_rules",
        "is_gone",
        "is_unlike",
        "moved_by",
        "position",
    )

    def __init__(self) -> None:
        self._options: dict[str, uci.SetOption] = {}
        self._rules: dict[str, uci.SetOption] = {}  # as they were when the position was said
        self._gathered: dict[str, uci.SetOption] = {}  # by their positions
        self.position: uci.Position | None = None
        self._is_new_game = False  # `ucinewgame` came after the position: some engines begin anew
        self._is_pressed = False  # a button, of which nobody here knows what it does
        self.is_unlike = False  # it may be another than was said, so that no opinion of it is kept
        self.moved_by: uci.Extra | None = None  # after that it is another: only the engine knows it
        self.is_gone = False  # and that engine is gone

    def take(self, command: Command) -> None:
        """Take note of a command that an engine heard, or would have."""
        if isinstance(command, uci.SetOption) and command.value is None:
            self._is_pressed |= key_of(command.name) != _HARMLESS_BUTTON
        elif isinstance(command, uci.SetOption) and command.value is not None:
            # Set anew, it goes to the end: options may depend on those before them.
            key = key_of(command.name)
            if key == _GATHERED:
                self._gather(command, command.value)
                return
            self._options.pop(key, None)
            self._options[key] = command
            # Some engines begin at the first position again, though it is set back.
            self.is_unlike |= key in _RULES and self.position is not None
        elif isinstance(command, uci.Position):
            self.position = command
            self._rules = {key: self._options[key] for key in _RULES if key in self._options}
            self._is_new_game = self.is_unlike = self.is_gone = False
            self.moved_by = None
        elif command is uci.Word.UCINEWGAME and self.position:
            self._is_new_game = self.is_unlike = True

    def _gather(self, command: uci.SetOption, value: str) -> None:
        what, _, fen = value.strip().partition(" ")
        if what == "clearall":
            self._gathered.clear()
        self._gathered.pop(fen, None)
        self._gathered[fen] = command
        if len(self._gathered) > _MOST_GATHERED:
            del self._gathered[next(iter(self._gathered))]

    def work(self, command: Command) -> None:
        """Take note that the engine hears a command of its own: where it is now, it alone knows."""
        self.is_unlike = True
        if isinstance(command, uci.Extra) and command.word not in uci.SHOWING:
            self.moved_by = command

    def lose_engine(self) -> None:
        """Take note that the engine is gone, with what it alone knew."""
        self.is_gone = self.moved_by is not None

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

    def question(self, limits: uci.Limits, offer: OfferedOptions) -> Question | None:
        """Return what a search asks; None if its answer is good for itself alone."""
        if self.is_reread or self.is_unlike or self._gathered or self._is_pressed:
            return None
        chosen = {key: command.value or "" for key, command in self._options.items()}
        return question_of(limits, self.position or uci.Position(), offer, chosen)

    def undo(self, offer: OfferedOptions, *, debug: bool) -> bytes | None:
        """Return what makes an engine as it was before it heard all that; None if nothing does.

        Args:
            offer: of that engine.
            debug: whether it was told to say more.

        """
        options = offer.undo(self.options)
        if options is None or self._gathered or self._is_pressed:
            return None
        before = [uci.Debug(False)] if debug else []
        lines = (*before, *options, uci.Word.UCINEWGAME, uci.Position(), uci.Word.ISREADY)
        return "".join(f"{line}\n" for line in lines).encode()

    def options_set(self) -> list[uci.SetOption]:
        """Return how the options were last set, in that order."""
        return [*self._options.values(), *self._gathered.values()]

    def shown(self) -> list[uci.Command]:
        """Return what says to those who watch where things stand."""
        return [*self.commands(), *([self.moved_by] if self.moved_by else [])]

    def reset(self, offer: OfferedOptions) -> list[uci.SetOption]:
        """Return what sets the options anew in an engine that may have set some for itself."""
        return [*offer.setup(), *offer.usual_sizes(self.options), *self.options_set()]

    def commands(self) -> list[uci.Command]:
        """Return what a fresh engine must hear to be where the old one was."""
        always = self.options_set()
        if self.position is None or self.is_gone:
            return [*always]
        # An engine dies of a castling that is spelled by other rules.
        now = {key: self._options[key] for key in _RULES if key in self._options}
        later = [command for key, command in now.items() if command != self._rules.get(key)]
        earlier = self._rules.values()
        options = [command for command in always if key_of(command.name) not in now]
        game = [uci.Word.UCINEWGAME] if self._is_new_game else []
        return [*earlier, *options, self.position, *game, *later]
