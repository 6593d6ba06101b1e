"""A PostgreSQL server in a folder of its own, reached by a Unix socket there."""

import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

DEBIAN = "/usr/lib/postgresql"  # its programs are not in the PATH there
USER = "postgres"  # the account that runs it where root runs this: as root it refuses to
UP_TIMEOUT = 60.0  # s


@contextmanager
def postgres() -> Iterator[str]:
    """Run a server; yield the URL of an empty database."""
    folder = Path(tempfile.mkdtemp(prefix="rookery-pg-"))
    data = folder / "data"
    try:
        if os.geteuid() == 0:
            shutil.chown(folder, USER, USER)
        subprocess.run(
            [_program("initdb"), "-D", str(data), "-U", USER, "-A", "trust", "-N"],
            check=True, stdout=subprocess.DEVNULL, **_as_somebody(),
        )  # fmt: skip
        server = subprocess.Popen(
            [_program("postgres"), "-D", str(data), "-k", str(folder), "-F", "-h", ""],
            stderr=subprocess.DEVNULL,
            **_as_somebody(),
        )
        try:
            _wait_for(server, folder)
            yield f"postgresql://{USER}@/{USER}?host={folder}"
        finally:
            server.send_signal(signal.SIGINT)  # at once, whoever is connected
            server.wait()
    finally:
        shutil.rmtree(folder)


def _program(name: str) -> str:
    newest = sorted(Path(DEBIAN).glob("*/bin"), key=lambda path: int(path.parent.name))
    found = shutil.which(name, path=os.pathsep.join([*map(str, newest[::-1]), os.environ["PATH"]]))
    if found is None:
        raise FileNotFoundError(f"{name} is missing: `apt install postgresql`")
    return found


def _as_somebody() -> dict[str, object]:
    if os.geteuid() != 0:
        return {}
    return {"user": USER, "group": USER, "extra_groups": [], "cwd": "/"}


def _wait_for(server: subprocess.Popen[bytes], folder: Path) -> None:
    until = time.monotonic() + UP_TIMEOUT
    command = [_program("pg_isready"), "-q", "-h", str(folder)]
    while subprocess.run(command, check=False).returncode:
        assert server.poll() is None, "PostgreSQL has not started"
        assert time.monotonic() < until, "PostgreSQL does not answer"
        time.sleep(0.05)
