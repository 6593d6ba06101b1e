"""Targets of the conformance tests: our engine, our bridge before our server, another engine."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

import pytest

BIN = Path(sys.executable).parent
ENGINE = str(BIN / "rookery-engine")
BRIDGE = str(BIN / "rookery-bridge")
SERVER = str(BIN / "rookery-server")
MARK = "ROOKERY_UCI_TEST"  # in the environment of all processes started here

# target -> the column of the table of results that it belongs to
TARGETS = {"engine": "engine", "bridge": "bridge", "tcp": "bridge", "stockfish": "stockfish"}

CONFIG = f"""\
[server]
port = 0
tcp_port = 0

[engines.rookery]
command = "{ENGINE}"
files = true  # some tests are about options that name files
"""


@dataclass
class Target:
    """A target's command, and the processes that do its work."""

    name: str
    command: list
    folder: str  # to run in, so that files it writes do no harm
    server: "Server | None" = None
    environment: dict = field(default_factory=lambda: {**os.environ, MARK: "1"})

    @property
    def own(self):
        return self.name != "stockfish"

    def pids(self, root):
        """Return the processes of one running engine; over a bridge, those of the server too."""
        return tree(root) + (tree(self.server.process.pid) if self.server else [])


class Server:
    """`rookery-server` in front of our engine, on free ports of the loopback."""

    def __init__(self, folder):
        self.log = Path(folder) / "server.log"
        config = Path(folder) / "server.toml"
        config.write_text(CONFIG)
        greeting = self._start(config)
        self.websocket = re.search(r"ws://\S+", greeting)[0]
        host, port = re.search(r"nc (\S+) (\d+)", greeting).groups()
        self.tcp = f"tcp://{host}:{port}/rookery"

    def _start(self, config):
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [SERVER, "serve", "--config", str(config)],
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
                env={**os.environ, MARK: "1"},
                start_new_session=True,
            )
        greeting = []
        for line in self.process.stdout:
            greeting.append(line)
            if "Ctrl-C ends it" in line:
                return "".join(greeting)
        raise RuntimeError(f"no server: {self.log.read_text()}")

    def children(self):
        """Return the engines that run."""
        return tree(self.process.pid)[1:]

    def end(self):
        """End it and return its status."""
        self.process.terminate()
        return self.process.wait(10)


class Targets:
    """All targets of a test run; the server is started when first needed."""

    def __init__(self):
        self._folder = tempfile.TemporaryDirectory(prefix="rookery-uci-")
        self._server = None

    def get(self, name):
        if name in ("engine", "stockfish"):
            command, server = [ENGINE if name == "engine" else find_stockfish()], None
        else:
            server = self.server()
            command = [BRIDGE, server.tcp if name == "tcp" else server.websocket]
        return Target(name, command, self._folder.name, server)

    def server(self):
        if self._server is None:
            self._server = Server(self._folder.name)
        return self._server

    def server_log(self):
        return self._server.log.read_text() if self._server else ""

    def close(self):
        if self._server:
            self._server.end()
        self._folder.cleanup()


def find_stockfish():
    # Debian puts games where root's PATH does not look.
    found = shutil.which("stockfish") or shutil.which("stockfish", path="/usr/games")
    if found is None:
        pytest.fail("stockfish is missing: `apt install stockfish`")
    return found


def tree(root):
    """Return a process and all below it."""
    found = [root]
    for pid in found:
        for task in Path(f"/proc/{pid}/task").glob("*/children"):
            try:
                found += [int(child) for child in task.read_text().split()]
            except OSError:  # it ended meanwhile
                continue
    return found
