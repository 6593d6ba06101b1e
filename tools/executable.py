"""Make programs that need no Python: `python tools/executable.py [FOLDER]` (dist).

Each is one file for the system that it is made on: `rookery-bridge` (on Windows
`rookery-bridge.exe`), and on Linux `rookery-join`, which is `rookery-server join`.  PyInstaller
packs Python, of its library what is used, what tools/single.py packs, and for `rookery-join` what
is installed of the server, which has compiled modules.  On macOS it is signed if MACOS_IDENTITY is
the name of an identity of the keychain.
"""

import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import single

BUILD = Path("build/executable")
TARGET = Path("dist")
BRIDGE, JOIN = "rookery-bridge", "rookery-join"
# The program's children are not to use the libraries that PyInstaller brings along for this one.
# OpenSSL looks for the authorities of certificates where the system has them that it was built on.
# Ctrl-C reaches both its processes, and the first passes it on to the second: that hears it twice.
PROGRAM = """\
import os
import signal
import ssl
import sys

BUNDLES = (
    "/etc/ssl/certs/ca-certificates.crt",  # Debian, Arch, Alpine
    "/etc/pki/tls/certs/ca-bundle.crt",  # Fedora
    "/etc/ssl/ca-bundle.pem",  # openSUSE
)


def interrupt(number, frame):
    signal.signal(number, signal.SIG_IGN)
    raise KeyboardInterrupt


signal.signal(signal.SIGINT, interrupt)

former = os.environ.pop("LD_LIBRARY_PATH_ORIG", None)
if former is not None:
    os.environ["LD_LIBRARY_PATH"] = former
elif sys.platform != "darwin":
    os.environ.pop("LD_LIBRARY_PATH", None)

places = ssl.get_default_verify_paths()
if sys.platform == "linux" and not (places.cafile or places.capath):
    os.environ.update({"SSL_CERT_FILE": each for each in BUNDLES if os.path.exists(each)})

"""
# How each goes on.
MAINS = {
    BRIDGE: """
from rookery_bridge.__main__ import main

sys.exit(main())
""",
    JOIN: """
from rookery_server.__main__ import main

sys.exit(main(["join", *sys.argv[1:]]))
""",
}
# Parts of Python's library, and packages of this environment, that modules of ours or of others
# import in places to which the bridge never comes, or which do without (`except ImportError`).
UNUSED = (
    "_curses", "_lzma", "_pydecimal", "_pyrepl", "_sqlite3", "_testcapi", "_tkinter", "bz2",
    "curses", "doctest", "lzma", "multiprocessing", "pdb", "pydoc", "readline", "rlcompleter",
    "sqlite3", "test", "tkinter", "unittest", "xml", "xmlrpc",
    "aiohttp", "cryptography", "cython", "IPython", "mcp", "numpy", "setuptools", "uvloop",
    "werkzeug", "zeroconf",
)  # fmt: skip


# Of those, what the packages of the server add.
UNUSED_BY_JOIN = ("prometheus_client", "psycopg", "ray", "sqlalchemy")
# What is loaded by its name.
JOIN_COMMAND = "rookery_server.commands.join"


def main():
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else TARGET
    single.collect()
    shutil.rmtree(BUILD, ignore_errors=True)
    BUILD.mkdir(parents=True)
    pack(BRIDGE, target)
    if sys.platform == "linux":
        others = (each for name in UNUSED_BY_JOIN for each in ("--exclude-module", name))
        pack(JOIN, target, "--hidden-import", JOIN_COMMAND, *others)


def pack(name, target, *options):
    # launcher.py tells our executables from others by the first words of `rookery_bridge_main`.
    main = BUILD / ("%s_main.py" % name.replace("-", "_"))
    main.write_text(PROGRAM + MAINS[name], encoding="utf-8")
    command = [sys.executable, "-m", "PyInstaller", "--onefile", "--noconfirm", "--name", name]
    command += ["--log-level", "WARN", "--noupx", "--paths", str(single.BUILD.absolute())]
    for option, folder in (("dist", target), ("work", BUILD / "work"), ("spec", BUILD)):
        command += ["--%spath" % option, str(folder.absolute())]
    for module in (*UNUSED, *(("truststore",) if sys.platform == "linux" else ())):
        command += ["--exclude-module", module]
    # Licences, and the version that `--version` says.
    for folder in single.BUILD.glob("*.dist-info"):
        command += ["--add-data", "%s:%s" % (folder.absolute(), folder.name)]
    for folder in (sysconfig.get_path("stdlib"), sys.base_prefix):  # the second on Windows
        if Path(folder, "LICENSE.txt").exists():
            command += ["--add-data", "%s:python" % Path(folder, "LICENSE.txt")]
    if sys.platform == "linux":
        command.append("--strip")
    if sys.platform == "darwin" and os.environ.get("MACOS_IDENTITY"):
        command += ["--codesign-identity", os.environ["MACOS_IDENTITY"]]
    subprocess.run([*command, *options, str(main)], check=True)
    file = target / (name + (".exe" if sys.platform == "win32" else ""))
    print("%s, %.1f MB" % (file, file.stat().st_size / 1e6))


if __name__ == "__main__":
    main()
