"""A session that outlives its connections, as `docs/protocol.md` has it."""

from contextlib import suppress

from bench.endure.client import Client, Where

SILENCE = 10.0  # s without an answer after which a connection is taken for dead
CACHED = "info string rookery cached: "
NO_SEARCH = "info string rookery no-search: "


class LostError(Exception):
    """The server does not know the session any more."""


class Returning:
    """One session over as many connections as it takes; `answers` is what was owed and heard."""

    def __init__(self, where: Where, transport: str) -> None:
        self.transport = transport
        self.answers: list[str] = []
        self.notices: list[str] = []
        self.returns = 0
        self._where = where
        self._pass = ""
        self._heard = 0  # lines of the session that count
        self._said = 0  # lines of ours that the server has heard
        self._unheard: list[str] = []  # those after them
        self._client: Client | None = None

    async def connect(self) -> None:
        """Begin the session, or come back to it."""
        again = bool(self._pass)
        session = f"session {self._pass} heard {self._heard}" if again else "session new"
        self._client = await Client.open(self._where, self.transport, session=session)
        while not (line := await self._client.hear(SILENCE)).startswith("rookery session "):
            self._note(line)
        _, _, self._pass, _, heard, *_ = line.split()
        del self._unheard[: int(heard) - self._said]
        self._said = int(heard)
        self._client.say(*self._unheard)
        self.returns += again

    def say(self, *lines: str) -> None:
        """Say lines: now, and again if they should be lost."""
        self._unheard += lines
        if self._client:
            self._client.say(*lines)

    def cut(self, kind: str) -> None:
        """Lose the connection: by `reset`, or by an orderly `end`."""
        if self._client:
            self._client.reset() if kind == "reset" else self._client.end()
            self._client = None

    async def until(self, count: int) -> None:
        """Hear until there are so many answers, coming back as often as it takes."""
        while len(self.answers) < count:
            try:
                if self._client is None:
                    await self.connect()
                assert self._client
                self._note(await self._client.hear(SILENCE))
            except (OSError, TimeoutError, EOFError):
                self.cut("reset")

    async def quit(self) -> None:
        """End the session."""
        if self._client:
            await self._client.quit()
            self._client = None

    def forget(self) -> None:
        """Take the answers as read."""
        self.answers.clear()
        if self._client:
            with suppress(OSError):
                self._client.say(f"rookery heard {self._heard}")

    def _note(self, line: str) -> None:
        if line.startswith("rookery "):
            heard = int(line.split()[2])
            del self._unheard[: heard - self._said]
            self._said = heard
        elif line.startswith(CACHED):
            pass  # the positions of a soak are soon known
        elif line.startswith("info string rookery "):
            self.notices.append(line)
            if "unknown-session" in line:
                raise LostError(line)
        elif not line.startswith("info "):
            self.answers.append(line)
            self._heard += 1
