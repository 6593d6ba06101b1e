"""The operator's commands to a running server: one JSON object each, and one as its answer.

    {"do": "sessions"}            {"ok": true, "sessions": [{"session": 7, ...}, ...]}
    {"do": "machines"}            {"ok": true, "machines": [{"machine": "pc", ...}, ...]}
    {"do": "status"}              {"ok": true, "version": "0.1.0", "queue": 0, ...}
    {"do": "end", "session": 7}   {"ok": true}
    {"do": "drain"}               {"ok": true}
    anything else                 {"ok": false, "error": "..."}

Those for jobs are in `admin_jobs`, those for shared games in `admin_games`, those for device ports
in `admin_devices`, and those for accounts in `admin_sign_in`.  They come over a socket that only
the operator can open (`admin_socket`), or from an admin's browser, as messages of a WebSocket: the
connection policy has admitted it.
"""

import asyncio
import json
import logging
import os
from collections import Counter, deque
from collections.abc import Callable
from importlib.metadata import version

from rookery_protocol.hello import OWNER
from rookery_protocol.notices import Close, Code
from rookery_server.access.account import Account
from rookery_server.actor.actor import SessionActor
from rookery_server.http.admin_devices import AdminDevices
from rookery_server.http.admin_error import AdminError
from rookery_server.http.admin_games import AdminGames
from rookery_server.http.admin_jobs import JOB_ACTIONS, AdminJobs
from rookery_server.http.admin_sign_in import AdminSignIn
from rookery_server.log import about
from rookery_server.manager import SessionManager
from rookery_server.rooms.broadcaster import Broadcaster
from rookery_server.session.client_channel import Client
from rookery_server.transport.connection_policy import ConnectionPolicy

logger = logging.getLogger(__name__)

PATH = "/admin/orders"
SUBPROTOCOL = "rookery.operator"
_MOST_WAITING = 100  # commands of one connection; a page has three on their way


class AdminCommands:
    """The commands to one server; `drain` lets it end as SIGTERM does."""

    def __init__(
        self, host: SessionManager, policy: ConnectionPolicy, drain: Callable[[], None]
    ) -> None:
        self._host = host
        self._policy = policy
        self._drain = drain
        self._sign_in = AdminSignIn(policy)
        self.jobs: AdminJobs | None = None  # unless the server has none
        self.games: AdminGames | None = None  # unless the server has none
        self.devices = AdminDevices(())

    async def run_text(self, text: bytes) -> bytes:
        """Run a command in JSON; return its answer in JSON, without a newline."""
        try:
            answer = await self.run(json.loads(text))
        except (ValueError, RecursionError) as error:
            answer = _error(f"this is no JSON: {error}")
        except AdminError as error:
            answer = _error(str(error))
        return json.dumps(answer).encode()

    async def run(self, request: object) -> dict[str, object]:
        """Run a command; return its answer.

        Raises:
            AdminError: it cannot be done.

        """
        match request:
            case {"do": "sessions"}:
                return {"ok": True, "sessions": self._sessions()}
            case {"do": "machines"}:
                return {"ok": True, "machines": self._machines()}
            case {"do": "status"}:
                return {"ok": True, **self._status()}
            case {"do": "end", "session": int(number)}:
                return self._end(number)
            case {"do": "drain"}:
                logger.info("the operator has the server drained")
                self._drain()
                return {"ok": True}
            case {"do": "jobs"}:
                return {"ok": True, **await self._jobs().list()}
            case {"do": str(action), "job": str(id_)} if action in JOB_ACTIONS:
                await self._jobs().change(action, id_)
                return {"ok": True}
            case {"do": "shared-games"}:
                return {"ok": True, **await self._games().list()}
            case {"do": "end-game", "game": str(name)}:
                await self._games().end(name)
                return {"ok": True}
            case {"do": "devices"}:
                return {"ok": True, "devices": self.devices.list()}
            case {"do": "end-device", "device": str(name)}:
                await self.devices.end(name)
                return {"ok": True}
        return self._run_sign_in(request)

    def _run_sign_in(self, request: object) -> dict[str, object]:
        """Run a command for accounts and codes.

        Raises:
            AdminError: it cannot be done.

        """
        match request:
            case {"do": "accounts"}:
                return {"ok": True, "accounts": self._sign_in.accounts()}
            case {"do": "offer-token", "token": str(token), "seconds": int(seconds)}:
                return {"ok": True, **self._sign_in.offer_token(token, seconds)}
            case {"do": "sign-in-code", "id": str(id_)}:
                return {"ok": True, **self._sign_in.state_of(id_)}
            case {"do": "withdraw-code", "id": str(id_)}:
                self._sign_in.withdraw(id_)
                return {"ok": True}
        return _error(
            "this wants 'do' with 'sessions', 'machines', 'status', 'jobs', 'shared-games',"
            " 'devices', 'accounts', 'end' and a 'session',"
            f" {', '.join(map(repr, JOB_ACTIONS))} and a 'job', 'end-game' and a 'game',"
            " 'end-device' and a 'device', 'offer-token' and a 'token' and 'seconds',"
            " 'sign-in-code' or 'withdraw-code' and an 'id', or 'drain'"
        )

    def _jobs(self) -> AdminJobs:
        if self.jobs is None:
            raise AdminError("this server has no jobs: jobs.enabled is false")
        return self.jobs

    def _games(self) -> AdminGames:
        if self.games is None:
            raise AdminError("this server shares no games: games.enabled is false")
        return self.games

    def _sessions(self) -> list[dict[str, object]]:
        now = asyncio.get_running_loop().time()
        actors = sorted(self._host.actors, key=lambda actor: actor.number)
        return [_describe(actor, now) | _room(self._host.rooms.of(actor), now) for actor in actors]

    def _machines(self) -> list[dict[str, object]]:
        """Describe the machines that have joined."""
        now = asyncio.get_running_loop().time()
        return [
            {
                "machine": each.joining.machine,
                "account": each.account.name,
                "address": each.control.connection.address if each.control else None,
                "engines": each.names,
                "sessions": len(each.engines),
                "most": each.joining.sessions,
                "threads": each.joining.threads,
                "hash_mb": each.joining.hash_mb,
                "version": each.joining.version,
                "seconds": round(now - each.began, 1),
            }
            for each in self._host.fleet.joined.machines
        ]

    def _end(self, number: int) -> dict[str, object]:
        for actor in self._host.actors:
            if actor.number == number:
                text = "session %d is ended by the operator"
                logger.info(text, number, extra=about(**actor.fields))
                actor.close(Close.POLICY, Code.ENDED, "the operator has ended the session")
                return {"ok": True}
        return _error(f"there is no session {number}: 'sessions list' shows those that there are")

    def _status(self) -> dict[str, object]:
        """Describe the server as a whole; `load` is the machine's, over one minute."""
        host, budget = self._host, self._host.scheduler.budget
        used = budget.total - budget.free
        admission = self._policy.admission
        sessions = Counter(actor.engine_name for actor in host.actors)
        return {
            "version": version("rookery-chess"),
            "draining": host.is_draining,
            "queue": host.scheduler.waiting,
            "load": round(os.getloadavg()[0], 2),
            "cpus": os.cpu_count(),
            "threads": {"used": used.threads, "total": budget.total.threads},
            "hash_mb": {"used": used.hash_mb, "total": budget.total.hash_mb},
            "memory_mb": {"used": used.memory_mb, "total": budget.total.memory_mb},
            "connections": {"used": len(admission), "total": admission.total},
            "engines": [
                {
                    "name": name,
                    "sessions": sessions[name],
                    "spare": spare,
                    "trouble": host.fleet.trouble(name),
                }
                for name, spare in [
                    *host.fleet.spares().items(),
                    *((name, 0) for name in sorted(host.fleet.joined.pools)),
                ]
            ],
        }


def _describe(actor: SessionActor, now: float) -> dict[str, object]:
    return {
        "session": actor.number,
        "account": actor.account.name,
        "engine": actor.engine_name,
        "state": actor.session.state.name.lower() if actor.client else "detached",
        "address": actor.client.address if actor.client else None,
        "seconds": round(now - actor.totals.began, 1),
        "idle_seconds": round(now - actor.idle_since, 1),
        "lines_heard": actor.totals.lines_heard,
        "searches": actor.totals.searches,
    }


def _room(audience: Broadcaster | None, now: float) -> dict[str, object]:
    """Describe the spectators of a session; None is that there may be none."""
    if audience is None:
        return {"watching": None}
    spectators = [
        {
            "id": id_,
            "account": each.account.name,
            "address": each.client.address,
            "seconds": round(now - each.began, 1),
        }
        for id_, each in audience.room.watchers.items()
    ]
    control = audience.room.control or OWNER
    return {"watching": len(spectators), "control": control, "spectators": spectators}


def _error(text: str) -> dict[str, object]:
    return {"ok": False, "error": text}


class AdminAnswers:
    """The answers to the commands of one connection, each after the one before."""

    def __init__(self, commands: AdminCommands, send: Callable[[bytes], object]) -> None:
        self._commands = commands
        self._send = send
        self._waiting: deque[bytes] = deque()
        self._task: asyncio.Task[None] | None = None

    def add_command(self, line: bytes) -> None:
        """Answer a command in its turn; none is answered while too many wait."""
        if len(self._waiting) < _MOST_WAITING:
            self._waiting.append(line)
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._run(), name="operator's commands")

    def close(self) -> None:
        """Answer no more; a command that has begun is done all the same."""
        self._waiting.clear()

    async def _run(self) -> None:
        while self._waiting:
            line = self._waiting.popleft()
            self._send(await self._commands.run_text(line) + b"\n")


class AdminConnection:
    """A browser's connection that sends commands, in the place of a session."""

    may_return = False  # Nothing is kept: the page asks again.

    def __init__(
        self,
        client: Client,
        account: Account,
        commands: AdminCommands,
        open_connections: "set[AdminConnection]",
    ) -> None:
        """Make it; it is among the `open_connections` for as long as it is open."""
        self.client = client
        self.account = account
        self._answers = AdminAnswers(commands, client.send_lines)
        self._open_connections = open_connections
        self._is_paused = False
        open_connections.add(self)

    def finish(self, close: Close, reason: str) -> None:
        """Close the connection, for this reason."""
        self.client.finish(close, reason)

    # --- for the connection

    def client_said(self, line: bytes) -> None:
        """Run a command, unless the client leaves earlier answers unread."""
        if not self._is_paused:
            self._answers.add_command(line)

    def client_overlong(self) -> None:
        """Close the connection of a client that sent more than a line may hold."""
        self.finish(Close.TOO_BIG, "a request has at most 65536 bytes")

    def client_sent_binary(self) -> None:
        """Close the connection of a client that sent a message that is no text."""
        self.finish(Close.POLICY, "a request is a text message, not a binary one")

    def client_ended(self) -> None:
        """Close the connection of a client that has ended its input."""
        self.finish(Close.DONE, "")

    def client_gone(self, client: Client) -> None:
        """Forget the connection."""
        self._answers.close()
        self._open_connections.discard(self)

    def client_paused(self) -> None:
        """Answer no more until the client reads again."""
        self._is_paused = True

    def client_resumed(self) -> None:
        """Answer again."""
        self._is_paused = False
