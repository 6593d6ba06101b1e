"""The server under test: a real process, with tokens and quotas, and what it leaves behind."""

import asyncio
import contextlib
import os
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from math import inf
from pathlib import Path

import trustme

from bench.child import OUT, MissingError, end, find, free_port, wait_for_port
from bench.endure.client import Where
from bench.endure.vitals import Vitals, vitals

TRANSPORTS = ("tcp", "websocket")
FLOOD = Path(__file__).parents[2] / "tests" / "data" / "odd_engine.py"
SETTLED = 30.0  # s in which what is over must be gone

# Two accounts: `witness` has what everybody has, `crowd` whatever a scenario needs.
_CONFIG = """
[server]
port = {port}
tcp_port = {tcp_port}
tokens = "tokens"
{server}

[connections]
total = {total}
starts_per_second = 1000
starts_burst = 20000

[budget]
threads = {threads}
waiting = 5000

[quota]
sessions = 16
threads = 2
hash_mb = 32

[quotas.crowd]
sessions = 5000
waiting = 5000
lines_per_second = false

{tls}
[control]
socket = "control"

[metrics]
port = {metrics}

[engines.rookery]
command = "{engine}"
options = {{ Hash = 4 }}
commands = []

{stockfish}
[engines.flood]
command = ["{python}", "-S", "{flood}", "flood"]
"""


@dataclass(frozen=True, slots=True)
class Server:
    """A running server."""

    process: subprocess.Popen[bytes]
    folder: Path
    engines: tuple[str, ...]
    where: Where
    metrics_port: int

    @property
    def pid(self) -> int:
        """Its process."""
        return self.process.pid

    async def vitals(self) -> Vitals:
        """Return how it is now."""
        return await vitals(self.pid, self.metrics_port)

    async def settled(
        self,
        *,
        sessions: int = 0,
        files: float = inf,
        tasks: float = inf,
    ) -> Vitals:
        """Return how it is when so little is left, or the time is over.

        `files` are those besides the engines'; an engine that starts while they are counted is
        among them once, and so is, of `tasks`, one that ends an earlier look at the metrics.
        """
        clock = asyncio.get_running_loop().time
        until = clock() + SETTLED
        while True:
            now = await self.vitals()
            few = now.sessions <= sessions and now.files_besides <= files and now.tasks <= tasks
            if (few and now.is_quiet) or clock() > until:
                return now
            await asyncio.sleep(0.2)

    async def ended(self, seconds: float) -> int | None:
        """Return the status with which it ends within so many seconds; None if it does not."""
        until = asyncio.get_running_loop().time() + seconds
        while (status := self.process.poll()) is None:
            if asyncio.get_running_loop().time() > until:
                return None
            await asyncio.sleep(0.01)
        return status


@asynccontextmanager
async def serving(
    *, total: int = 5000, threads: int = 256, server: str = "", tls: bool = False
) -> AsyncIterator[Server]:
    """Run a server while the block lasts; `server` is what else stands in that table."""
    OUT.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="rookery-endure-") as name:
        folder = Path(name)
        engines: tuple[str, ...] = ("rookery", "flood")
        stockfish = ""
        with contextlib.suppress(
            MissingError
        ):  # It makes the trouble better, but it can do without.
            stockfish = f'[engines.stockfish]\ncommand = "{find("stockfish")}"\n'
            engines = (*engines, "stockfish")
        ports = {name: free_port() for name in ("port", "tcp_port", "metrics")}
        (folder / "rookery.toml").write_text(
            _CONFIG.format(
                **ports,
                server=server,
                tls=_certify(folder) if tls else "",
                total=total,
                threads=threads,
                engine=find("rookery-engine"),
                python=sys.executable,
                flood=FLOOD,
                stockfish=stockfish,
            )
        )
        tokens = {name: make_token(folder, name) for name in ("witness", "crowd")}
        process = _start(folder)
        try:
            await asyncio.to_thread(wait_for_port, ports["tcp_port"], process)
            where = Where(ports["port"], ports["tcp_port"], tokens, tls)
            yield Server(process, folder, engines, where, ports["metrics"])
        finally:
            with contextlib.suppress(ProcessLookupError):
                await asyncio.to_thread(end, process)


def _certify(folder: Path) -> str:
    """Make a certificate, and return the table of the configuration that names it."""
    issued = trustme.CA().issue_cert("127.0.0.1")
    issued.private_key_pem.write_to_path(folder / "key")
    issued.cert_chain_pems[0].write_to_path(folder / "certificate")
    return '[tls]\ncertificate = "certificate"\nkey = "key"\n'


def _start(folder: Path) -> subprocess.Popen[bytes]:
    with (OUT / "endure-server.log").open("ab") as log:
        return subprocess.Popen(
            [find("rookery-server"), "--config", str(folder / "rookery.toml")],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,
            env={**os.environ, "STATE_DIRECTORY": str(folder)},  # and not that of who runs this
        )


def make_token(folder: Path, name: str) -> str:
    """Make an account's token, in the file `tokens` of a folder, and return it."""
    command = [find("rookery-server"), "token", "add", name, "--file", str(folder / "tokens")]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return next(word for word in done.stdout.split() if word.startswith("rk_"))
