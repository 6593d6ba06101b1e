"""The actor of a session among models of all that it is connected to."""

from collections.abc import Callable

from helpers.listening import Connection
from helpers.support import session_of
from rookery_protocol.errors import Refusal, RefusedError
from rookery_protocol.hello import Hello
from rookery_protocol.notices import Notice
from rookery_server.access.account import LOCAL
from rookery_server.actor.actor import SessionActor
from rookery_server.config.resources import ANY_SIZE, Quota, Size
from rookery_server.engines.engine_build import Files
from rookery_server.engines.pool import Later, Pool, Presence
from rookery_server.engines.running_engine import (
    NULL_LISTENER,
    Backlog,
    EngineListener,
    RunningEngine,
)
from rookery_server.scheduling.quota import Usage
from rookery_server.scheduling.scheduler import Grant, SlotHolder
from rookery_server.session.deadlines import Patience
from rookery_server.session.totals import ServerTotals


class Motor:
    """An engine that says nothing by itself."""

    label = "motor"
    words: tuple[str, ...] = ()
    files: Files = ()
    paused = False
    is_healthy = True
    has_started = True
    is_lost = False
    machine_left = False
    unsent = 0

    def __init__(self, asked: list[str]) -> None:
        self.asked = asked
        self.listener: EngineListener = NULL_LISTENER
        self.told = b""
        self.asked_to_end = False

    async def known_files(self) -> Files:
        return self.files

    def cpu_seconds(self) -> float:
        self.asked.append("charge")
        return 0.0

    def cpu_total(self) -> float | None:
        return None

    def memory_mb(self) -> int:
        return 0

    def set_listener(self, listener: EngineListener) -> None:
        self.listener = listener

    def send_lines(self, piece: bytes) -> None:
        self.told += piece

    def backlog(self) -> Backlog:
        return Backlog(len(self.told), 0)

    def call_when_sent(self, call: Callable[[], None]) -> None: ...

    def pause(self) -> None: ...

    def resume(self) -> None: ...

    def pause_for(self, seconds: float) -> None: ...

    def end(self) -> None:
        self.asked_to_end = True

    def kill(self, reason: str = "") -> None: ...


class Slots:
    """A scheduler that grants what a test says; `asked` is what it was asked."""

    def __init__(self, asked: list[str]) -> None:
        self.asked = asked
        self.grant: Grant | RefusedError = Grant.LATER
        self.room = ANY_SIZE

    def acquire(self, holder: SlotHolder, size: Size, now: float) -> Grant:
        self.asked.append("slot")
        if isinstance(self.grant, RefusedError):
            raise self.grant
        return self.grant

    def resize(self, holder: SlotHolder, size: Size, now: float) -> Size:
        return size.within(self.room)

    def release(self, holder: SlotHolder, now: float) -> None:
        self.asked.append("release")

    def withdraw(self, holder: SlotHolder, now: float) -> None:
        self.asked.append("withdraw")

    def notice_for(self, holder: SlotHolder, now: float) -> Notice | None:
        return None


class Engines:
    """A pool that has an engine when a test says so."""

    name = "odd"
    group = ""
    presence = Presence.HERE
    trouble = "it does not start"
    reuse = True
    answer = None

    def __init__(self, asked: list[str]) -> None:
        self.asked = asked
        self.ready: Motor | None = None
        self.takes_back = False

    def whole(self, size: Size) -> Size:
        return size

    def request(self, listener: EngineListener, later: Later) -> RunningEngine | None:
        self.asked.append("engine")
        self.later = later
        ready, self.ready = self.ready, None
        return ready

    def recycle(self, engine: RunningEngine, undo: bytes) -> bool:
        return self.takes_back

    def cancel_request(self, listener: EngineListener) -> None:
        self.asked.append("forget")

    def check_spares(self) -> None: ...


class Manager:
    """The manager of all sessions, as an actor needs it."""

    patience = Patience(stop=1.0, ready=1.0, start=0.0)
    recorder = None

    def __init__(self, asked: list[str]) -> None:
        self.asked = asked
        self.scheduler = Slots(asked)
        self.totals = ServerTotals()
        self.delay: Refusal | None = None

    def admit(self, actor: SessionActor) -> Refusal | None:
        actor.admitted = True
        return None

    def delay_of(self, pool: Pool) -> Refusal | None:
        return self.delay

    def control(self, actor: SessionActor, hello: Hello) -> None: ...

    def detached(self, actor: SessionActor) -> bool:
        return True

    def over(self, actor: SessionActor) -> None: ...

    def ended(self, actor: SessionActor) -> None:
        self.asked.append("ended")


class World:
    """A session with a client, whose engine is still to come."""

    def __init__(self, quota: Quota) -> None:
        self._asked: list[str] = []
        self.manager, self.pool = Manager(self._asked), Engines(self._asked)
        self.slots, self.connection = self.manager.scheduler, Connection()
        self.actor = SessionActor(
            session_of(),
            self.connection,
            self.manager,  # type: ignore[arg-type]
            self.pool,  # type: ignore[arg-type]
            LOCAL,
            Usage(quota, 0.0),
        )

    def say(self, *lines: str) -> None:
        for line in lines:
            self.actor.client_said(line.encode())

    def asked(self) -> list[str]:
        """Return what was asked for since this was last called."""
        asked = [*self._asked]
        self._asked.clear()
        return asked

    def come(self) -> Motor:
        """Let the engine come that was asked for."""
        motor = Motor(self._asked)
        self.pool.later(motor)
        return motor

    def start(self) -> Motor:
        """Let the session have an engine that is ready."""
        self.slots.grant = Grant.NOW
        self.pool.ready = motor = Motor(self._asked)
        self.say("isready")
        self.actor.engine_said(b"readyok\n")
        self.asked()
        return motor

    @property
    def told(self) -> str:
        return self.connection.told.decode()
