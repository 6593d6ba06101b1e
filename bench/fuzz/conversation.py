"""A session, a client and an engine, in an order that bytes decide.

Whatever happens, the engine hears only what it can take, and each question has its one
answer.  Each byte is a step: something that the client says, something that the engine does, or
something that befalls them.
"""

from collections.abc import Callable

from rookery_protocol.notices import Code
from rookery_server.config.engines import Policy
from rookery_server.config.resources import ANY_SIZE, Size
from rookery_server.engines.offered_options import OfferedOptions
from rookery_server.session.commands import Need, SessionState
from rookery_server.session.session import Session
from rookery_server.session.validator import Validator
from rookery_uci import EngineIdentity

SAID = (
    b"go infinite", b"go depth 1", b"go ponder wtime 1000", b"go wtime 100 btime 100",
    b"go movetime 5", b"stop", b"stop", b"ponderhit", b"isready", b"isready", b"uci",
    b"ucinewgame", b"position startpos", b"position startpos moves e2e4 e7e5",
    b"position fen 4k3/8/8/8/8/8/8/8 w - - 0 1", b"setoption name Hash value 64",
    b"setoption name UCI_Chess960 value true", b"setoption name Clear Hash", b"debug on",
    b"debug off", b"register later", b"nonsense", b"go perft 3", b"\xff\xfe", b"a\x00b", b"",
)  # fmt: skip
_OPTIONS = (
    "option name Hash type spin default 16 min 1 max 1024",
    "option name UCI_Chess960 type check default false",
    "option name Clear Hash type button",
)
_STOPPED = 1000  # steps after which a conversation has to have come to rest
_QUIET = ("go", "position", "setoption", "ucinewgame")  # what no searching engine may hear


class Engine:
    """A model of one that minds its manners; what it hears is checked."""

    def __init__(self) -> None:
        self.searching = False
        self.owes_ready = 0

    def check_line(self, line: bytes) -> None:
        """Check that a line is one that an engine can be told now."""
        word = line.split()[0].decode()
        assert not (self.searching and word in _QUIET), f"{line!r} in a search"
        if word == "go" and b"perft" not in line:
            self.searching = True
        self.owes_ready += word == "isready"


class Conversation:
    """A session under way, and what was asked and answered."""

    def __init__(self) -> None:
        offer = OfferedOptions(EngineIdentity.parse(list(_OPTIONS)), Policy(), Size(4, 64))
        self.session = Session(Validator(offer))
        self.engine: Engine | None = None
        self.searches = self.readies = 0  # that were asked for
        self.bests = self.answers = 0  # that were heard

    def client_said(self, line: bytes) -> None:
        """Process a line of the client's."""
        if self.session.state is SessionState.ENDED:
            return
        refused = self._refusals()
        self.session.client_said(line)
        if self._refusals() == refused:
            self.searches += line.startswith(b"go ") and b"perft" not in line
            self.readies += line == b"isready"
        self.carry_out()

    def attach(self) -> None:
        """Give the session an engine, if it wants one."""
        if self.engine is None and self.session.needs is not Need.NOTHING:
            self.engine = Engine()
            self.session.attach(ANY_SIZE)
        self.carry_out()

    def move(self) -> None:
        """Let the engine end its search."""
        if self.engine and self.engine.searching:
            self.engine.searching = False
            self.session.engine_said(b"info depth 1 pv e2e4 e7e5\nbestmove e2e4\n")
        self.carry_out()

    def inform(self) -> None:
        """Let the engine say what it has found so far."""
        if self.engine and self.engine.searching:
            self.session.engine_said(b"info depth 3 multipv 1 pv d2d4\n")
        self.carry_out()

    def ready(self) -> None:
        """Let the engine answer `isready`."""
        if self.engine and self.engine.owes_ready:
            self.engine.owes_ready -= 1
            self.session.engine_said(b"readyok\n")
        self.carry_out()

    def babble(self) -> None:
        """Let the engine say what nobody has asked for."""
        if self.engine and not self.engine.searching and not self.session.ready.owed:
            self.session.engine_said(b"bestmove a2a3\nreadyok\nrookery session x\n\n")
        self.carry_out()

    def die(self) -> None:
        """Let the engine die."""
        if self.engine:
            self.engine = None
            self.session.lose_engine(7)
        self.carry_out()

    def park(self) -> None:
        """Take the engine away, if nobody would notice."""
        if self.engine and self.session.can_park:
            self.engine = None
            self.session.detach()
        self.carry_out()

    def do_without(self) -> None:
        """Let there be no engine."""
        if self.engine is None:
            self.session.without_engine(for_good=True)
        self.carry_out()

    def queue(self) -> None:
        """Let the session wait for an engine."""
        if self.engine is None:
            self.session.without_engine()
        self.carry_out()

    def carry_out(self) -> None:
        """Carry out what the session has decided, and check what each side hears."""
        while self.engine and self.session.needs is not Need.NOTHING:
            if self.session.needs is Need.SIZE:
                self.session.resize(self.session.setup.size)
            else:
                self.session.begin_search()
        told = self.session.for_engine()
        for line in told.splitlines():
            assert self.engine, f"{line!r} for no engine"
            self.engine.check_line(line)
        for line in self.session.for_client().splitlines():
            self.bests += line.startswith(b"bestmove")
            self.answers += line.startswith(b"readyok")
            assert not line.startswith(b"rookery ")
        assert self.bests <= self.searches, "a bestmove that nobody has asked for"
        assert self.answers <= self.readies, "a readyok that nobody has asked for"

    def come_to_rest(self) -> None:
        """Stop all, answer all; then nothing may be owed."""
        for _ in range(_STOPPED):
            if self.session.state is SessionState.IDLE and self.session.needs is Need.NOTHING:
                break
            self.session.stop()
            self.carry_out()
            for step in (self.attach, self.move, self.ready):
                step()
        self.session.stop()  # It may be a search that is none.
        while self.engine and self.engine.owes_ready:
            self.ready()
        self.carry_out()
        assert self.session.state in (SessionState.IDLE, SessionState.ENDED)
        assert (self.bests, self.answers) == (self.searches, self.readies)

    def _refusals(self) -> int:
        notices = self.session.notices
        return sum(notices.get(code, 0) for code in (Code.TOO_MANY_LINES, Code.COMMAND_REFUSED))


_STEPS: tuple[Callable[[Conversation], None], ...] = (
    Conversation.attach, Conversation.attach, Conversation.move, Conversation.move,
    Conversation.inform, Conversation.ready, Conversation.ready, Conversation.babble,
    Conversation.die, Conversation.park, Conversation.do_without, Conversation.queue,
)  # fmt: skip


def converse(data: bytes) -> None:
    """Have a conversation as the bytes say, and let it come to rest."""
    conversation = Conversation()
    for byte in data[:400]:
        if byte < 128:
            conversation.client_said(SAID[byte % len(SAID)])
        else:
            _STEPS[byte % len(_STEPS)](conversation)
    conversation.come_to_rest()
