"""Compile the load generator, the engine's stand-in and the C floor when they are needed."""

import subprocess
from pathlib import Path

from bench.child import OUT, MissingError, find

SOURCES = Path(__file__).parent

# program -> arguments of gcc behind the source
FLAGS = {
    "fakeengine": ("-static",),
    "loadgen": ("-lz",),
    "crelay": (),
}


def build(program: str) -> str:
    """Return the path of a compiled program, compiled anew if its source is newer."""
    source, target = SOURCES / f"{program}.c", OUT / program
    if target.exists() and target.stat().st_mtime >= source.stat().st_mtime:
        return str(target)
    if program == "loadgen" and not Path("/usr/include/zlib.h").exists():
        raise MissingError("the headers of zlib are missing: `apt install zlib1g-dev`")
    OUT.mkdir(exist_ok=True)
    command = [find("gcc"), "-O2", "-o", str(target), str(source), *FLAGS[program]]
    subprocess.run(command, check=True, timeout=120)
    return str(target)
