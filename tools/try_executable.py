"""Try the bridge as a guest has it: `python tools/try_executable.py FILE`.

FILE is what tools/executable.py makes, the .pyz, or an installed script.  A server is started on
this machine, with TLS and a token.  FILE takes the link from stdin, and its launcher plays a game
with python-chess while the connection is cut and the engine killed.  Then the launcher is killed,
and the engine is forgotten.  The server is for Linux: elsewhere tools/stand_in.py is in its
place.
"""

import argparse
import asyncio
import hashlib
import os
import re
import shutil
import signal
import ssl
import subprocess
import sys
import sysconfig
import tempfile
import time
from asyncio.subprocess import DEVNULL, PIPE
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from statistics import median

import chess
import chess.engine
import stand_in
import trustme

from rookery_protocol.invitation import Invitation

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
from helpers.proxy import Proxy

BIN = Path(sysconfig.get_path("scripts"))
SUFFIX = ".exe" if sys.platform == "win32" else ""
PATIENCE = 60.0  # s for whatever is waited for
STARTS = 10  # of which the median is told
NODES = 2000  # of a move
SEARCH_TIME = 2.0  # s of a search that is disturbed
HOST = "127.0.0.1"


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    parser.add_argument("file", type=Path)
    parser.add_argument("--plies", type=int, default=20)
    parser.add_argument("--stand-in", action="store_true", default=sys.platform != "linux")
    parser.add_argument(
        "--chroot", type=Path, help="a folder with a system, in which the guest is; as root"
    )
    options = parser.parse_args()
    place = options.chroot / "tmp" if options.chroot else None
    with tempfile.TemporaryDirectory(dir=place) as name:
        guest = Guest(options.file, Path(name), options.chroot)
        serve = standing_in if options.stand_in else serving
        asyncio.run(try_out(guest, serve, options.plies))


class Guest:
    """A user with the program, and a home: perhaps in another root folder."""

    def __init__(self, file, folder, root):
        self.folder = folder.resolve()
        self.root = root.resolve() if root else None
        # The libraries of an installed script are where it is.
        self.is_executable = file.stat().st_size > 1e6
        is_script = not self.is_executable and file.suffix != ".pyz"
        self.program = file.absolute() if is_script else self.folder / file.name
        if not is_script:
            shutil.copy(file, self.program)
        self.temporary = self.folder / "temporary"
        self.temporary.mkdir()
        home = self.inside(self.folder)
        self.environment = {"HOME": home, "USERPROFILE": home, "APPDATA": home}
        for name in ("TMPDIR", "TEMP", "TMP"):
            self.environment[name] = self.inside(self.temporary)
        if sys.platform == "win32":
            self.environment = {**os.environ, **self.environment}

    def inside(self, path):
        """Return how the guest calls a file."""
        return "/%s" % path.relative_to(self.root) if self.root else str(path)

    def outside(self, name):
        return self.root / name.lstrip("/") if self.root else Path(name)

    def command(self, path, *arguments):
        words = [self.inside(path), *arguments]
        if path.suffix == ".pyz":
            words = [sys.executable, *words]
        return [shutil.which("chroot"), str(self.root), *words] if self.root else words

    async def run(self, *arguments, said=""):
        """Run the program to its end; return what it prints."""
        process = await self.start(self.program, *arguments)
        out, _ = await asyncio.wait_for(process.communicate(said.encode()), PATIENCE)
        text = out.decode()
        if process.returncode != 0:
            sys.exit("%s ends with %d:\n%s" % (arguments[0], process.returncode, text))
        return text

    async def start(self, path, *arguments):
        return await asyncio.create_subprocess_exec(
            *self.command(path, *arguments),
            stdin=PIPE,
            stdout=PIPE,
            stderr=subprocess.STDOUT,
            env=self.environment,
        )


async def try_out(guest, serve, plies):
    with tempfile.TemporaryDirectory() as name:
        async with serve(Path(name)) as (link, kill_engines), Proxy(link.port, seed=1) as proxy:
            print((await guest.run("--version")).strip())
            print("%s: %.2f MB" % (guest.program.name, guest.program.stat().st_size / 1e6))
            link = replace(link, port=proxy.port)
            said = await guest.run("pair", "-", "--to", guest.inside(guest.folder), said=str(link))
            launcher = guest.outside(said.splitlines()[0].partition(": ")[2])
            print("paired, the launcher is %s" % launcher.name)
            check(launcher.name.removesuffix(SUFFIX) in await guest.run("list"), "it is in no list")
            await play(guest, launcher, plies, {5: lambda: proxy.cut("reset"), 11: kill_engines})
            await kill_launcher(guest, launcher, proxy)
            if guest.is_executable:
                await start_named(guest, launcher)
            times = [await start_time(guest, launcher) for _ in range(STARTS)]
            print(
                "start until uciok: median %.2f s, %.2f to %.2f s (%d starts)"
                % (median(times), min(times), max(times), STARTS)
            )
            left = sorted(each.name for each in guest.temporary.iterdir())
            check(not left, "temporary files are left: %s" % left)
            name = launcher.name.removesuffix(SUFFIX)
            await guest.run("unpair", name)
            check(not list(guest.folder.glob("%s*" % name)), "a launcher is left")
            print("unpaired; all is well")


async def play(guest, launcher, plies, troubles):
    """Play a game against itself; at some plies there is trouble during the search."""
    board = chess.Board()
    _, engine = await chess.engine.popen_uci(guest.command(launcher), env=guest.environment)
    try:
        for ply in range(plies):
            if trouble := troubles.get(ply):
                move = await disturbed(engine, board, trouble)
            else:
                limit = chess.engine.Limit(nodes=NODES)
                move = (await asyncio.wait_for(engine.play(board, limit), PATIENCE)).move
            check(move in board.legal_moves, "%s is no move of %s" % (move, board.fen()))
            board.push(move)
    finally:
        await asyncio.wait_for(engine.quit(), PATIENCE)
    print("played %d plies: %s" % (plies, chess.Board().variation_san(board.move_stack)))


async def disturbed(engine, board, trouble):
    """Return the move of a search that there was trouble in."""
    limit = chess.engine.Limit(time=SEARCH_TIME)
    with await engine.analysis(board, limit) as analysis:
        async with asyncio.timeout(PATIENCE):
            async for info in analysis:
                if info.get("depth", 0) > 1:
                    break
            trouble()
            return (await analysis.wait()).move


async def kill_launcher(guest, launcher, proxy):
    """Kill the launcher as a chess program does that keeps the pipes; the bridge has to end."""
    process = await guest.start(launcher)
    process.stdin.write(b"uci\n")
    await until(process.stdout, b"uciok")
    check(not proxy.is_idle, "it has no connection")
    process.kill()
    began = time.monotonic()
    while not proxy.is_idle:
        check(time.monotonic() < began + PATIENCE, "the bridge outlives its launcher")
        await asyncio.sleep(0.05)
    print("killed; the connection ended after %.1f s" % (time.monotonic() - began))
    process.stdin.close()
    await process.wait()


async def start_named(guest, launcher):
    """Start the program under the name of the engine, as the launchers of Windows are."""
    folder = guest.folder / "named"
    folder.mkdir()
    named = folder / launcher.name
    named.hardlink_to(guest.program)
    await start_time(guest, named)
    print("it is the engine, too, under its name")


async def start_time(guest, launcher):
    began = time.monotonic()
    process = await guest.start(launcher)
    process.stdin.write(b"uci\n")
    await until(process.stdout, b"uciok")
    took = time.monotonic() - began
    await asyncio.wait_for(process.communicate(b"quit\n"), PATIENCE)
    return took


async def until(stream, word):
    async with asyncio.timeout(PATIENCE):
        while (line := await stream.readline()).strip() != word:
            check(line, "the program has ended")


def check(is_good, text):
    if not is_good:
        sys.exit("it does not work: %s" % text)


# --- servers


def certificate(folder):
    """Write a certificate that its fingerprint makes trusted; return that."""
    issued = trustme.CA().issue_cert(HOST)
    issued.private_key_pem.write_to_path(str(folder / "key.pem"))
    issued.cert_chain_pems[0].write_to_path(str(folder / "certificate.pem"))
    der = ssl.PEM_cert_to_DER_cert(issued.cert_chain_pems[0].bytes().decode())
    return hashlib.sha256(der).hexdigest()


@asynccontextmanager
async def serving(folder):
    """Run rookery-server; yield a link to it, and a function that kills its engines."""
    certificate(folder)
    (folder / "tokens").touch(0o600)
    config = folder / "rookery.toml"
    config.write_text(
        '[server]\nport = 0\ntcp_port = 0\ntokens = "tokens"\n[cache]\nenabled = false\n'
        '[log]\nlevel = "warning"\n[tls]\ncertificate = "certificate.pem"\nkey = "key.pem"\n'
        '[engines.rookery]\ncommand = ["%s"]\n' % (BIN / "rookery-engine")
    )
    command = [BIN / "rookery-server", "serve", "--config", config]
    process = await asyncio.create_subprocess_exec(*command, stdout=PIPE)
    try:
        async with asyncio.timeout(PATIENCE):
            said = (await process.stdout.readuntil(b"Ctrl-C ends it.\n")).decode()
        port = re.search(r"https://%s:(\d+)/" % re.escape(HOST), said)[1]
        command = [BIN / "rookery-server", "invite", "--config", config, "--engine", "rookery"]
        command += ["--url", "wss://%s:%s" % (HOST, port)]
        invite = await asyncio.create_subprocess_exec(*command, stdout=PIPE, stderr=DEVNULL)
        link, _ = await invite.communicate()
        yield Invitation.parse(link.decode()), lambda: kill_children(process.pid)
    finally:
        process.terminate()
        await process.wait()


def kill_children(number):
    found = subprocess.run(["pgrep", "-P", str(number)], stdout=PIPE, check=True)  # noqa: S607
    for child in found.stdout.split():
        os.kill(int(child), signal.SIGKILL)


@asynccontextmanager
async def standing_in(folder):
    """Run the stand-in; yield as `serving` does."""
    pin = certificate(folder)
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(folder / "certificate.pem", folder / "key.pem")
    engine = [str(BIN / ("rookery-engine" + SUFFIX))]
    async with stand_in.StandIn(engine, context) as server:
        yield Invitation("tls", HOST, server.port, "rookery", "any", pin), server.kill_engines


if __name__ == "__main__":
    main()
