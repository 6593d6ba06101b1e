"""The command line of `rookery-bridge`, which `__main__` starts."""

import argparse
import asyncio
import difflib
import os
import shutil
import sys
import sysconfig
import time
from collections.abc import Sequence
from contextlib import suppress
from importlib.metadata import version
from pathlib import Path
from typing import NoReturn

from rookery_bridge import one_file, stdio
from rookery_bridge.command_arguments import (
    UsageError,
    add_trust_options,
    complain,
    refuse_trust_options,
    split_command,
    trust_of,
)
from rookery_bridge.session.bridge_options import BridgeOptions
from rookery_bridge.setup.pairing import (
    COMMANDS,
    SERVICE_COMMANDS,
    PairingError,
    PairingStore,
    is_name,
    pairings_folder,
    read_pairing,
)
from rookery_protocol.address import (
    Address,
    AddressError,
    check_trust,
    without_secret,
    without_token,
)
from rookery_protocol.invitation import InvitationError
from rookery_protocol.tls_trust import Trust, TrustError

USAGE_ERROR = 2

_OWN_ENGINE = "rookery-engine"
_FINE = 0.001  # s


def implied_arguments(argv: Sequence[str], executable: str) -> list[str]:
    """Return the arguments of this process, after the pairing that its file is named after.

    Args:
        argv: of this process.
        executable: the Python that runs it, or the program itself.

    """
    name = one_file.started_name(argv[0], executable)
    if name.casefold() != one_file.PROGRAM and is_name(name):
        with suppress(RuntimeError):  # The user has no home folder, and so no pairings.
            file = PairingStore(pairings_folder()).path(name)
            if file.exists():
                return ["--paired", str(file), *argv[1:]]
    return [*argv[1:]]


def run(arguments: Sequence[str]) -> int:
    """Do what the command line says; return the exit status."""
    word = arguments[0] if arguments else ""
    # Only now: a GUI that starts its engine does not wait for what it does not use.
    if word == "lichess":
        from rookery_bridge.lichess import lichess_command

        return lichess_command.run(arguments[1:])
    try:
        if word in SERVICE_COMMANDS:
            return _use_service(arguments)
        if word in COMMANDS:
            from rookery_bridge.setup import setup_command

            return setup_command.run(arguments)
        options = _options(arguments)
        address, trust, insecure = _meant(options)
        check_trust(address, trust, insecure=insecure)
        with asyncio.Runner(loop_factory=new_event_loop) as runner:
            return runner.run(_be_engine(address, trust, options))
    except (AddressError, InvitationError, TrustError, PairingError, UsageError) as error:
        is_engine = word not in (*COMMANDS, *SERVICE_COMMANDS)
        tell = stdio.complain if is_engine else complain
        tell(str(error))
        return USAGE_ERROR


def _use_service(arguments: Sequence[str]) -> int:
    """Run a command that uses the analysis service of a server."""
    try:
        import aiohttp  # noqa: F401
    except ImportError:
        raise UsageError(
            f"{arguments[0]} needs aiohttp, which 'pip install rookery-chess' brings along"
        ) from None
    if arguments[0] == "mcp":
        from rookery_bridge.mcp import mcp_command

        return mcp_command.run(arguments[1:])
    if arguments[0] == "jobs":
        from rookery_bridge.service import jobs_command

        return jobs_command.run(arguments[1:])
    if arguments[0] == "projects":
        from rookery_bridge.service import projects_command

        return projects_command.run(arguments[1:])
    from rookery_bridge.service import analyse_command

    return analyse_command.run(arguments[1:])


def _meant(options: argparse.Namespace) -> tuple[Address, Trust, bool]:
    """Return which engine is meant, how it is trusted, and whether the token may go in clear."""
    if options.paired and options.engine is not None:
        raise UsageError(
            f"--paired {options.paired} is an engine, and {without_secret(options.engine)!r} is"
            " another: say one"
        )
    if options.paired:
        pairing = read_pairing(options.paired)
    elif options.engine is None:
        raise AddressError("say which engine: an address, or a name that 'list' shows")
    elif is_name(options.engine):
        pairing = PairingStore(pairings_folder()).load(options.engine)
    else:  # HOST:PORT, for example
        trust = trust_of(None, options.token_file, options.ca, options.pin, stdio.complain)
        return Address.parse(options.engine), trust, options.insecure
    refuse_trust_options(options)
    return pairing.address, pairing.trust, pairing.insecure or options.insecure


async def _be_engine(address: Address, trust: Trust, options: argparse.Namespace) -> NoReturn:
    """Be the engine until the GUI ends, and end the process."""
    fallback = _fallback(options)
    bridge_options = BridgeOptions(
        correct_clocks=options.clock_correction,
        has_fallback=bool(fallback),
        log_file=options.log,
    )
    must_reach = options.fallback is None or not options.fall_back
    shim = stdio.Shim(address, trust, bridge_options, fallback, must_reach=must_reach)
    if one_file.IS_EXECUTABLE:
        loop = asyncio.get_running_loop()
        one_file.follow_first_process(lambda: loop.call_soon_threadsafe(shim.quit_bridge))
    stdio.exit_now(await shim.run())


def _fallback(options: argparse.Namespace) -> list[str]:
    """Return the command of the engine that plays while the server cannot, if there is one.

    What cannot be started is said now, and not in a game.

    Raises:
        UsageError: it is no command.

    """
    if not options.fall_back:
        return []
    text = options.fallback
    if text is None:
        places = os.pathsep.join(map(str, _program_folders()))
        found = shutil.which(_OWN_ENGINE, path=places) or shutil.which(_OWN_ENGINE)
        return [found] if found else []
    try:
        command = list(split_command(text))
    except ValueError as error:
        raise UsageError(f"--fallback {text!r} is no command: {error}") from error
    if found := shutil.which(command[0]):
        command[0] = found  # Windows itself knows no other ending of a program than .exe.
    else:
        # The game can be played all the same, as long as the server is there.
        stdio.complain(
            f"--fallback {text!r} cannot be started: {command[0]!r} is no program of this machine;"
            " while the server cannot be reached, no engine will search"
        )
    return command


def _program_folders() -> list[Path]:
    """Return the folders where pip may have put programs beside this one."""
    folders = [Path(sys.argv[0]).resolve().parent, Path(sys.executable).parent]
    if sys.platform == "win32":
        # They are in other folders than Python there, need not be on PATH, and a launcher that is
        # a copy of this program is elsewhere.
        folders += [
            Path(sysconfig.get_path("scripts")),
            Path(sysconfig.get_path("scripts", "nt_user")),
        ]
    return folders


def new_event_loop() -> asyncio.AbstractEventLoop:
    """Return an event loop whose clock is good to a millisecond.

    The usual one goes by steps of 16 ms on Windows before Python 3.13, and chess clocks are
    corrected by shorter times than that.
    """
    loop = asyncio.new_event_loop()
    if time.get_clock_info("monotonic").resolution > _FINE:
        loop.time = time.perf_counter  # type: ignore[method-assign]
        # By so much it calls back early.
        loop._clock_resolution = time.get_clock_info("perf_counter").resolution  # type: ignore[attr-defined]
    return loop


class _Parser(argparse.ArgumentParser):
    """A parser whose errors reach the GUI as all others do."""

    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{without_token(message)}; 'rookery-bridge --help' explains")


def _options(arguments: Sequence[str]) -> argparse.Namespace:
    """Read a command line that is about an engine.

    Raises:
        UsageError: it cannot be used.

    """
    parser = _parser()
    found, others = parser.parse_known_args(arguments)
    strange = next((each.partition("=")[0] for each in others if each.startswith("-")), None)
    if strange == "--token":
        parser.error("a token is never an argument, where others see it: use --token-file FILE")
    if strange:
        near = difflib.get_close_matches(strange, parser._option_string_actions, n=1)
        parser.error(f"there is no {strange[:40]}" + (f": did you mean {near[0]}?" if near else ""))
    if others:
        parser.error(
            f"{' '.join(others)!r} is too much: one engine, and quotes around what has blanks"
        )
    return found


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="rookery-bridge",
        allow_abbrev=False,
        description="Make a remote UCI engine look like a local one: give this command to a"
        " chess GUI as the engine.",
    )
    parser.add_argument(
        "--version", action="version", version=f"rookery {version('rookery-chess')}"
    )
    parser.add_argument(
        "engine",
        nargs="?",
        help="ws://HOST:PORT/engines/NAME or tcp://HOST:PORT[/NAME], with TLS wss:// or tls://; or"
        " the name of an engine that was set up; or one of"
        f" {', '.join((*COMMANDS, *SERVICE_COMMANDS))}, lichess, which 'pair --help' and the"
        " like explain",
    )
    parser.add_argument(
        "--paired", type=Path, metavar="FILE", help="the engine that this file is about"
    )
    add_trust_options(parser)
    parser.add_argument(
        "--fallback",
        metavar="COMMAND",
        help="a UCI engine of this machine that goes on while the server cannot, from the start"
        " if need be (else rookery-engine, where it is installed, once the server was reached)",
    )
    parser.add_argument(
        "--no-fallback",
        action="store_false",
        dest="fall_back",
        help="have no engine of this machine play",
    )
    parser.add_argument(
        "--no-clock-correction",
        action="store_false",
        dest="clock_correction",
        help="do not hide the time that lines take from the engine's clock",
    )
    parser.add_argument(
        "--log", default="", metavar="FILE", help="write down what is said, each line with its time"
    )
    return parser
