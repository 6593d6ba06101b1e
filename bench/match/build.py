"""Engines by what one calls them: a command, or `rev:NAME` for a revision of this repository.

A revision is built once, with the Python that runs this, into a folder named after
its commit, and played from there.  `rev:base` is what a change is compared with: where
this branch has left `main`; on `main` itself the last commit if the engine has changes
that are not committed, otherwise the one before.

Opponents stand in a TOML file, by their names.
"""

import hashlib
import io
import os
import shlex
import shutil
import subprocess
import sys
import tarfile
import tomllib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from bench.child import OUT, MissingError, find
from bench.match.player import PlayerSpec

ROOT = Path(__file__).resolve().parents[2]
BUILDS = OUT / "builds"
FLAGS = ("ROOKERY_MARCH", "ROOKERY_CFLAGS")  # in the environment: how setup.py compiles
MAIN = "main"


def spec_of(text: str, options: list[str], *, repository: Path = ROOT) -> PlayerSpec:
    """Return how to start what `text` names; options are `NAME=VALUE`.

    Raises:
        MissingError: there is no such program or revision, or it does not build.

    """
    pairs = tuple(_option(option) for option in options)
    if not text.startswith("rev:"):
        words = shlex.split(text)
        if not words:
            raise MissingError("an engine needs a command")
        return PlayerSpec("", (find(words[0]), *words[1:]), pairs)
    commit = resolve(text.removeprefix("rev:"), repository)
    folder = built(commit, repository)
    # -P: nothing of the folder one happens to be in.
    command = (sys.executable, "-P", "-m", "rookery_engine")
    environment = (("PYTHONPATH", str(folder)),)
    return PlayerSpec(f"rookery-{commit[:9]}", command, pairs, environment=environment)


def resolve(revision: str, repository: Path = ROOT) -> str:
    """Return the commit that a revision names."""
    if revision == "base":
        head = _git(repository, "rev-parse", "HEAD")
        base = _git(repository, "merge-base", "HEAD", MAIN)
        changed = _git(repository, "status", "--porcelain", "--", "engine", "setup.py")
        revision = base if base != head else "HEAD" if changed else "HEAD~1"
    return _git(repository, "rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}")


def built(commit: str, repository: Path = ROOT) -> Path:
    """Return the folder with the packages of a commit, building them if they are not there."""
    key = "-".join([commit, sys.implementation.cache_tag, *_flags()])
    return build(key, commit[:9], lambda source: _unpack(commit, repository, source))


def _flags() -> list[str]:
    """Return a name for how setup.py would compile, if that is not as usual."""
    flags = [os.environ.get(name, "") for name in FLAGS]
    return [hashlib.sha256("\0".join(flags).encode()).hexdigest()[:12]] if any(flags) else []


def build(key: str, name: str, put: Callable[[Path], None]) -> Path:
    """Return the folder of a build of the source that `put` copies into it.

    A former build under the same key is used as it is; `name` is for messages.

    Raises:
        MissingError: it does not build.

    """
    folder = BUILDS / key
    if folder.is_dir():
        return folder
    print(f"building {name} (a minute or two) ...", file=sys.stderr, flush=True)
    scratch = BUILDS / f"{key}.{os.getpid()}"
    source = scratch / "source"
    source.mkdir(parents=True)
    try:
        put(source)
        command = [sys.executable, "setup.py", "--quiet", "build", "--build-lib", "../lib"]
        with (scratch / "build.log").open("wb") as log:
            status = subprocess.call(command, cwd=source, stdout=log, stderr=log)
        if status:
            tail = (scratch / "build.log").read_text(errors="replace")[-2000:]
            raise MissingError(f"{name} does not build:\n{tail}")
        (scratch / "lib").rename(folder)
    finally:
        shutil.rmtree(scratch)
    return folder


def _unpack(commit: str, repository: Path, folder: Path) -> None:
    archive = subprocess.run(
        ["git", "-C", str(repository), "archive", commit], stdout=subprocess.PIPE, check=True
    )
    with tarfile.open(fileobj=io.BytesIO(archive.stdout)) as tar:
        tar.extractall(folder, filter="data")


def _git(repository: Path, *words: str) -> str:
    try:
        done = subprocess.run(
            ["git", "-C", str(repository), *words], capture_output=True, text=True, check=True
        )
    except FileNotFoundError:
        raise MissingError("git is missing: `apt install git`") from None
    except subprocess.CalledProcessError as error:
        sentence = error.stderr.strip() or "there is no such revision"
        raise MissingError(f"git {' '.join(words)}: {sentence}") from error
    return done.stdout.strip()


def _option(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals or not name:
        raise MissingError(f"an option is NAME=VALUE, not {text!r}")
    return name, value


OPPONENTS = Path(__file__).parent / "opponents.toml"
KEYS = {"name", "command", "protocol", "options"}


def load(path: Path) -> dict[str, PlayerSpec]:
    """Read a file of opponents.

    Raises:
        MissingError: an entry is not as it must be.

    """
    specs = {}
    for entry in tomllib.loads(path.read_text(encoding="utf-8")).get("opponent", []):
        unknown = entry.keys() - KEYS
        if unknown or not {"name", "command"} <= entry.keys():
            raise MissingError(
                f"{path}: an opponent has {', '.join(sorted(KEYS))}, not {sorted(entry)}"
            )
        options = tuple((name, str(value)) for name, value in entry.get("options", {}).items())
        command = tuple(shlex.split(entry["command"]))
        specs[entry["name"]] = PlayerSpec(
            entry["name"], command, options, entry.get("protocol", "uci")
        )
    return specs


def choose(text: str) -> tuple[list[PlayerSpec], list[str]]:
    """Return the opponents of a file, or those with these names (`a,b`), and who is not installed.

    Raises:
        MissingError: there is no such opponent.

    """
    path = Path(text)
    if path.suffix == ".toml":
        wanted = list(load(path).values())
    else:
        known = load(OPPONENTS)
        names = [name for name in text.split(",") if name]
        for name in names:
            if name not in known:
                raise MissingError(f"no opponent {name!r}; there are {', '.join(known)}")
        wanted = [known[name] for name in names]
    there, missing = [], []
    for spec in wanted:
        try:
            program = find(spec.command[0])
        except MissingError:
            missing.append(spec.name)
        else:
            # In a folder of its own: some write logs where they are.
            command = (str(Path(program).absolute()), *spec.command[1:])
            there.append(replace(spec, command=command, folder=OUT))
    return there, missing
