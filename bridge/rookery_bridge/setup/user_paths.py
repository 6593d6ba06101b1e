"""The folders of this user's files, by the customs of each system."""

import os
import sys
from collections.abc import Mapping
from pathlib import Path

_OURS = "rookery"
LAUNCHERS = "rookery-engines"  # in the home folder, for file dialogues hide those with a dot


def config_folder(environment: Mapping[str, str], home: Path, platform: str = sys.platform) -> Path:
    """Return the folder of what the user has set up; it need not be there."""
    if platform == "win32":
        base = environment.get("APPDATA")
        return (Path(base) if base else home / "AppData" / "Roaming") / _OURS
    if platform == "darwin":
        return home / "Library" / "Application Support" / _OURS
    base = environment.get("XDG_CONFIG_HOME", "")
    # A relative path there is to be ignored, says the XDG Base Directory Specification.
    return (Path(base) if base.startswith("/") else home / ".config") / _OURS


def pairings_folder() -> Path:
    """Return the folder of the engines that this user has been invited to."""
    return config_folder(os.environ, Path.home()) / "engines"


def launchers_folder() -> Path:
    """Return the folder of the programs that a GUI takes as engines."""
    return Path.home() / LAUNCHERS
