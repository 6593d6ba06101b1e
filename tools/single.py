"""Make the bridge one file: `python tools/single.py [FILE]` (dist/rookery-bridge.pyz).

It needs a Python of 3.11 or newer where it runs, and nothing else: neither the engine nor
anything compiled is in it, so it is the same file for every system.  Its libraries are put
beside it by pip, and the standard library's `zipapp` packs all of it.
"""

import re
import shutil
import subprocess
import sys
import tomllib
import zipapp
from importlib.metadata import version
from pathlib import Path

BUILD = Path("build/zipapp")
TARGET = Path("dist/rookery-bridge.pyz")
LIBRARIES = ("chess", "truststore", "websockets")
# What the bridge imports of our other packages: their grammars.
OURS = (
    ("bridge/rookery_bridge", "**/*.py"),
    ("engine/rookery_uci", "*.py"),
    ("bridge/rookery_protocol", "*.py"),
)
# Python says which one it wants before it fails on syntax of ours.
MAIN = """\
import sys

if sys.version_info < (3, 11):
    sys.exit("rookery-bridge needs Python 3.11 or newer, and this is " + sys.version.split()[0])

from rookery_bridge.__main__ import main

sys.exit(main())
"""


def main():
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else TARGET
    collect()
    (BUILD / "__main__.py").write_text(MAIN, encoding="utf-8")
    target.parent.mkdir(parents=True, exist_ok=True)
    zipapp.create_archive(BUILD, target, interpreter="/usr/bin/env python3", compressed=True)
    target.chmod(0o755)
    print("%s, %d kB" % (target, target.stat().st_size // 1024))


def collect():
    """Put all that the bridge is made of into the folder `BUILD`."""
    project = tomllib.loads(Path("pyproject.toml").read_text(encoding="utf-8"))["project"]
    shutil.rmtree(BUILD, ignore_errors=True)
    BUILD.mkdir(parents=True)
    # Without the marker of the systems that a library is for: the file is for all of them.
    wanted = [each.partition(";")[0] for each in project["dependencies"]]
    install([each for each in wanted if name_of(each) in LIBRARIES])
    for folder, pattern in OURS:
        for path in Path(folder).glob(pattern):
            copy = BUILD / path.relative_to(Path(folder).parent)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, copy)
    describe(project)


def name_of(requirement):
    return re.match(r"[\w.-]+", requirement)[0].lower()


def install(requirements):
    """Let pip put libraries there; what is compiled is left out, for they do without."""
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    command += ["--no-compile", "--target", str(BUILD), *requirements]
    subprocess.run(command, check=True, stderr=subprocess.DEVNULL)
    for path in [*BUILD.rglob("*.so"), *BUILD.rglob("*.pyd"), *BUILD.rglob("*.c")]:
        path.unlink()
    shutil.rmtree(BUILD / "bin", ignore_errors=True)


def describe(project):
    """Write what `importlib.metadata` reads, and the licence."""
    project = {**project, "version": version(project["name"])}
    # A folder's name has its hyphen before the version only.
    folder = BUILD / ("%s-%s.dist-info" % (project["name"].replace("-", "_"), project["version"]))
    folder.mkdir()
    text = "Metadata-Version: 2.1\nName: %(name)s\nVersion: %(version)s\nLicense: %(license)s\n"
    (folder / "METADATA").write_text(text % project, encoding="utf-8")
    shutil.copyfile("LICENSE", folder / "LICENSE")


if __name__ == "__main__":
    main()
