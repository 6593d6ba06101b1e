"""A screen that nobody sees, for programs with windows, and pictures of it."""

import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

SIZE = "1000x750x24"
SHOT_TIMEOUT = 20.0  # s

Find = Callable[[str], str]
Run = Callable[..., AbstractContextManager[subprocess.Popen[bytes]]]


@contextmanager
def screen(find: Find, run: Run, directory: Path) -> Iterator[str]:
    """Run an X server while the block lasts and yield its name."""
    log = directory / "Xvfb.log"
    told, tells = os.pipe()
    command = [find("Xvfb"), "-displayfd", str(tells), "-screen", "0", SIZE, "-nolisten", "tcp"]
    with run(command, log, pass_fds=(tells,)):
        os.close(tells)
        with os.fdopen(told) as number:
            name = number.readline().strip()
        assert name, log.read_text()
        yield f":{name}"


def screenshot(program: str, surroundings: dict[str, str], path: Path) -> Path:
    """Take a picture of the screen; ROOKERY_SCREENSHOTS names a directory to keep it in."""
    command = [program, "-window", "root", "-trim", str(path)]
    subprocess.run(command, env=surroundings, check=True, timeout=SHOT_TIMEOUT)
    if directory := os.environ.get("ROOKERY_SCREENSHOTS"):
        shutil.copy(path, directory)
    return path


def colours(program: str, picture: Path) -> int:
    """Return how many colours a picture has."""
    command = [program, "-format", "%k", str(picture)]
    return int(
        subprocess.run(command, check=True, timeout=SHOT_TIMEOUT, capture_output=True).stdout
    )
