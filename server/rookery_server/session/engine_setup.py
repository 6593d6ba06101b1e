"""The options and the position that a client has set, for an engine that comes later.  No I/O.

An engine may be started long after the session, or take the place of one that died.
What it must be told then is the last value of every option, and the last position.  The same
options say how much of the machine an engine takes.

Not every position is known.  After a command beyond UCI (`flip`, `bench` ...) only the engine
knows where it is, until the next `position`: what it finds is not kept, and if it is lost, the
position is lost with it.
"""

import rookery_uci as uci
from rookery_server.cache.question import Question, question_of
from rookery_server.config.resources import Size
from rookery_server.engines.offered_options import SIZES, OfferedOptions
from rookery_server.session.commands import Command
from rookery_uci import CHESS960, VARIANT, key_of

# Of this option an engine keeps every value that it was told: one for each position, until
# `clearall`.  (No engine is known to have it; so many are repeated.)
_GATHERED = "uci_setpositionvalue"
_MOST_GATHERED = 256
# Other buttons may do anything, such as set all options back, or read a file of experience.
_HARMLESS_BUTTON = "clear hash"
_RULES = (CHESS960, VARIANT)  # by which a position is read


class EngineSetup:
    """The options and the position that hold now, of an engine with this offer."""

    __slots__ = (
        "_gathered",
        "_is_new_game",
        "_is_pressed",
        "_offer",
        "_rules",
        "is_gone",
        "is_unlike",
        "moved_by",
        "options",
        "position",
        "size",
    )

    def __init__(self, offer: OfferedOptions) -> None:
        self._offer = offer
        # As each was last set, by the key that names are compared by.
        self.options: dict[str, uci.SetOption] = {}
        self._rules: dict[str, uci.SetOption] = {}  # as they were when the position was said
        self._gathered: dict[str, uci.SetOption] = {}  # by their positions
        self.size = offer.usual_size  # the part of the machine that an engine takes with them
        self.position: uci.Position | None = None
        self._is_new_game = False  # `ucinewgame` came after the position: some engines begin anew
        self._is_pressed = False  # a button, whose effect is not known here
        self.is_unlike = False  # it may be another than was said, so that no opinion of it is kept
        self.moved_by: uci.Extra | None = None  # after that it is another: only the engine knows it
        self.is_gone = False  # and that engine is gone

    def record(self, command: Command) -> str | None:
        """Record a command that an engine heard, or would have.

        Returns the key of an option that says how much of the machine the engine takes.
        """
        if isinstance(command, uci.SetOption):
            return self._record_option(command)
        if isinstance(command, uci.Position):
            self.position, self._rules = command, self._rules_now()
            self._is_new_game = self.is_unlike = self.is_gone = False
            self.moved_by = None
        elif command is uci.Word.UCINEWGAME and self.position:
            self._is_new_game = self.is_unlike = True
        return None

    def _record_option(self, command: uci.SetOption) -> str | None:
        key = key_of(command.name)
        if command.value is None:
            self._is_pressed |= key != _HARMLESS_BUTTON
        elif key == _GATHERED:
            self._gather(command, command.value)
        else:
            # Set anew, it goes to the end: options may depend on those before them.
            self.options.pop(key, None)
            self.options[key] = command
            # Some engines begin at the first position again, though it is set back.
            self.is_unlike |= key in _RULES and self.position is not None
        if key not in SIZES:
            return None
        self.size = self._offer.resized(self.size, key, command.value)
        return key

    def _gather(self, command: uci.SetOption, value: str) -> None:
        what, _, fen = value.strip().partition(" ")
        if what == "clearall":
            self._gathered.clear()
        self._gathered.pop(fen, None)
        self._gathered[fen] = command
        if len(self._gathered) > _MOST_GATHERED:
            del self._gathered[next(iter(self._gathered))]

    def record_work(self, command: Command) -> None:
        """Record a command beyond UCI: only the engine knows where it is afterwards."""
        self.is_unlike = True
        if isinstance(command, uci.Extra) and command.word not in uci.SHOWING:
            self.moved_by = command

    def lose_engine(self) -> None:
        """Forget the position if only the engine knew it: the engine is gone."""
        self.is_gone = self.moved_by is not None

    def fit(self, granted: Size) -> list[str]:
        """Make the engine's size no larger than granted; return what the client should hear."""
        wanted, texts = self.size, []
        if wanted.threads <= granted.threads and wanted.hash_mb <= granted.hash_mb:
            return []
        for less, number in self._offer.fit(wanted, granted):
            self.record(less)
            text = f"{less.name} is {less.value} here, not {number}"
            texts.append(f"{text}: there is no room for more now")
        return texts

    @property
    def rules(self) -> dict[str, str | None]:
        """The options by which the position is read, as they were when the client said it."""
        rules = self._rules_now() if self.position is None else self._rules
        return {key: command.value for key, command in rules.items()}

    def _rules_now(self) -> dict[str, uci.SetOption]:
        return {key: self.options[key] for key in _RULES if key in self.options}

    def question(self, limits: uci.Limits) -> Question | None:
        """Return the question of a search; None if its answer is good for itself alone."""
        # The rules may have changed since the position was said, and may read it otherwise.
        is_reread = self.position is not None and self._rules_now() != self._rules
        if is_reread or self.is_unlike or self._gathered or self._is_pressed:
            return None
        chosen = {key: command.value or "" for key, command in self.options.items()}
        return question_of(limits, self.position or uci.Position(), self._offer, chosen)

    def undo(self, *, debug: bool) -> bytes | None:
        """Return lines that make an engine as it was before it heard all that; None if none do.

        `debug`: it was told to say more.
        """
        options = self._offer.undo(self.options)
        if options is None or self._gathered or self._is_pressed:
            return None
        before = [uci.Debug(False)] if debug else []
        lines = (*before, *options, uci.Word.UCINEWGAME, uci.Position(), uci.Word.ISREADY)
        return "".join(f"{line}\n" for line in lines).encode()

    @property
    def _all_options(self) -> list[uci.SetOption]:
        """The options as they were last set, in that order."""
        return [*self.options.values(), *self._gathered.values()]

    def reset(self) -> list[uci.SetOption]:
        """Return what sets the options anew in an engine that may have set some for itself."""
        sizes = self._offer.usual_sizes(self.options)
        return [*self._offer.setup, *sizes, *self._all_options]

    def commands(self) -> list[uci.Command]:
        """Return what a fresh engine must hear to be where the old one was."""
        always = self._all_options
        if self.position is None or self.is_gone:
            return [*always]
        # An engine dies of a castling that is spelled by other rules.
        now = self._rules_now()
        later = [command for key, command in now.items() if command != self._rules.get(key)]
        earlier = self._rules.values()
        options = [command for command in always if key_of(command.name) not in now]
        game = [uci.Word.UCINEWGAME] if self._is_new_game else []
        return [*earlier, *options, self.position, *game, *later]
