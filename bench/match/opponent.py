"""Opponents from a TOML file, by name."""

import shlex
import tomllib
from dataclasses import replace
from pathlib import Path

from bench.child import OUT, MissingError, find
from bench.match.player import PlayerSpec

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
            command = (program, *spec.command[1:])
            # In a folder of its own: some write logs where they are.
            there.append(replace(spec, command=command, folder=OUT))
    return there, missing
