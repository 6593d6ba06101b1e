"""Hours of sessions that search, are cut off and come back: the server must stay as it is."""

import asyncio
import json
import random
import time
from collections import Counter
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path

from bench.endure.chart import chart
from bench.endure.returning import NO_SEARCH, LostError, Returning
from bench.endure.scenario import GROWTH
from bench.endure.server import TRANSPORTS, Server, serving
from bench.endure.vitals import Vitals

EACH = 10.0  # s between two looks at the server
TOLD = 60.0  # s between two lines of progress
TOLD_AT_ONCE = 20  # things that are wrong, of a soak
WARM = 0.15  # of the time, which does not count for the slope: caches fill
SEARCHES = ("go movetime 200", "go nodes 20000", "go depth 6", "go infinite")
LONGEST_LIFE = 40  # searches of one session


class Soak:
    """The work of a soak, and the state of the server meanwhile."""

    def __init__(self, seconds: float, sessions: int, *, seed: int = 1) -> None:
        self.seconds = seconds
        self.sessions = sessions
        self.did: Counter[str] = Counter()
        self.wrong: list[str] = []
        self.looks: list[tuple[float, Vitals]] = []  # seconds since the beginning
        self._chance = random.Random(seed)
        self._began = time.monotonic()

    async def run(self) -> tuple[Vitals, Vitals]:
        """Run it; return how the server was and how it is at last, without any session."""
        async with serving() as server:
            await _use_once(server)
            before = await server.settled()
            print(f"before: {before}", flush=True)
            self._began = time.monotonic()  # A busy machine has been a while at what was before.
            async with asyncio.TaskGroup() as tasks:
                for number in range(self.sessions):
                    tasks.create_task(self._live(server, number), name=f"session {number}")
                await self._watch(server)
            return before, await server.settled()

    @property
    def elapsed(self) -> float:
        """Seconds since the first session began."""
        return time.monotonic() - self._began

    def slope(self) -> float:
        """Return how fast the server's memory grows, in KiB a minute: least squares."""
        points = [(at, look.rss) for at, look in self.looks if at >= WARM * self.seconds]
        return slope(points) * 1024 * 60

    def as_json(self) -> dict[str, object]:
        """Return all that is known of it."""
        return {
            "seconds": self.seconds,
            "sessions": self.sessions,
            "slope_kib_a_minute": self.slope(),
            "did": dict(self.did),
            "wrong": self.wrong,
            "looks": [{"at": round(at, 1), **asdict(look)} for at, look in self.looks],
        }

    async def _watch(self, server: Server) -> None:
        """Look at the server now and again."""
        told = 0.0
        while self.elapsed < self.seconds:
            self.looks.append((self.elapsed, await server.vitals()))
            if self.elapsed >= told + TOLD:
                told = self.elapsed
                print(self._progress(), flush=True)
            await asyncio.sleep(EACH)

    def _progress(self) -> str:
        did = ", ".join(f"{count} {what}" for what, count in sorted(self.did.items()))
        now = datetime.now(UTC).strftime("%H:%M:%S")
        return f"{now} {self.elapsed:5.0f} s: {self.looks[-1][1]}; {did}; {len(self.wrong)} wrong"

    def _found(self, wrong: str) -> None:
        """Record a fault and print it now: its time tells what else happened then."""
        self.wrong.append(wrong)
        if len(self.wrong) <= TOLD_AT_ONCE:
            print(f"{self.elapsed:5.0f} s: {wrong}", flush=True)

    async def _live(self, server: Server, number: int) -> None:
        """Live one session after the other until the time is over."""
        chance = random.Random(self._chance.random())
        await asyncio.sleep(chance.random() * min(5.0, self.seconds / 10))
        while self.elapsed < self.seconds:
            session = Returning(server.where, chance.choice(TRANSPORTS))
            try:
                await session.connect()
                for _ in range(chance.randint(1, LONGEST_LIFE)):
                    await self._search(session, chance)
                    if self.elapsed >= self.seconds:
                        break
                await session.quit()
            except (LostError, OSError, TimeoutError, EOFError) as error:
                self._found(f"session {number}: {type(error).__name__}: {error}")
                session.cut("reset")
                await asyncio.sleep(1.0)
            self.did["sessions"] += 1
            self.did["returns"] += session.returns
            for notice in session.notices:
                self._found(f"session {number}: {notice}")

    async def _search(self, session: Returning, chance: random.Random) -> None:
        """Have one search, which may be cut; each `go` and `isready` has its one answer."""
        search = chance.choice(SEARCHES)
        wanted = ["bestmove"]
        session.say("ucinewgame", "position startpos moves e2e4 e7e5", search)
        if chance.random() < 0.3:
            session.say("isready")
            wanted.append("readyok")
        if chance.random() < 0.3:
            await asyncio.sleep(chance.random() * 0.3)
            session.cut(chance.choice(("reset", "end")))
            session.transport = chance.choice(TRANSPORTS)
            self.did["cuts"] += 1
            await asyncio.sleep(chance.random() * 2.0)
            await session.connect()
        if search == "go infinite":
            await asyncio.sleep(chance.random())
            session.say("stop")
        await session.until(len(wanted))
        if search == "go infinite":  # On a busy machine the `stop` comes before anything is found.
            session.notices = [each for each in session.notices if not each.startswith(NO_SEARCH)]
        await asyncio.sleep(chance.random() * 4.0)
        heard = sorted(line.split()[0] for line in session.answers)
        if heard != sorted(wanted):
            self._found(f"{search}: heard {heard} and not {wanted}")
        session.forget()
        self.did["searches"] += 1


async def _use_once(server: Server) -> None:
    """Have a session over each transport: what is loaded for the first client is no leak."""
    for transport in TRANSPORTS:
        session = Returning(server.where, transport)
        await session.connect()
        session.say("position startpos", SEARCHES[0])
        await session.until(1)
        await session.quit()


def slope(points: list[tuple[float, float]]) -> float:
    """Return the slope of the line that is closest to the points, by least squares."""
    if len(points) < 2:
        return 0.0
    middle = sum(x for x, _ in points) / len(points)
    level = sum(y for _, y in points) / len(points)
    spread = sum((x - middle) ** 2 for x, _ in points)
    return sum((x - middle) * (y - level) for x, y in points) / spread


async def soak(seconds: float, sessions: int, *, json_file: Path, svg: Path | None) -> bool:
    """Run a soak, write down what it found, and say whether all is well."""
    what = Soak(seconds, sessions)
    try:
        before, after = await what.run()
    finally:
        if what.looks:
            _write(what, json_file, svg)
    print(f"after: {after}")
    print(
        f"{what.elapsed:.0f} s, {sessions} sessions at once,"
        f" {', '.join(f'{count} {name}' for name, count in sorted(what.did.items()))}"
    )
    print(
        f"memory: {what.slope():+.1f} KiB a minute,"
        f" and after it {after.rss / before.rss:.2f} of what it was before"
    )
    for each in what.wrong[:20]:
        print(f"wrong: {each}")
    is_as_before = after.sessions == 0 and after.is_quiet and after.rss <= before.rss + GROWTH
    return not what.wrong and is_as_before and after.deaths == 0


def _write(what: Soak, json_file: Path, svg: Path | None) -> None:
    json_file.write_text(json.dumps(what.as_json(), indent=1) + "\n")
    if svg:
        svg.write_text(chart(what.looks, title=f"{what.sessions} sessions at once"))
