"""`rookery-bridge pair`, `list`, `unpair`, `doctor`: set up remote engines, and look after them."""

import argparse
import asyncio
import sys
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from rookery_bridge.command_arguments import (
    CommandParser,
    add_trust_options,
    complain,
    parse,
    refuse_trust_options,
    trust_of,
)
from rookery_bridge.server_inquiry import InquiryError, Visit, ask_server, call_in_thread
from rookery_bridge.setup import launcher, server_browser
from rookery_bridge.setup.diagnosis import BridgeTrouble, DoctorFinding, Grade, of_refusal
from rookery_bridge.setup.doctor import Doctor
from rookery_bridge.setup.pairing import (
    COMMANDS,
    LAUNCHERS,
    RESERVED,
    BrokenError,
    Pairing,
    PairingError,
    PairingStore,
    is_name,
    name_for,
    pairings_folder,
    read_pairing,
)
from rookery_protocol import link_input
from rookery_protocol.address import Address, check_trust
from rookery_protocol.console import OutputError, print_line, print_table
from rookery_protocol.dialer import FINAL_CODES, DialError
from rookery_protocol.invitation import Invitation
from rookery_protocol.tls_trust import Trust

_WRONG = 1  # exit status
_ENGINE_PATIENCE = 15.0  # s that an engine has to say who it is


def run(arguments: Sequence[str]) -> int:
    """Do what the command line says; return the exit status.

    Raises:
        PairingError: a remote engine cannot be set up, or its file cannot be used.
        AddressError, InvitationError, TrustError, UsageError: an argument cannot be used.

    """
    options = parse(_parser(), arguments)
    store = PairingStore(pairings_folder())
    if options.command == "pair":
        return asyncio.run(_pair(_invitation(options.link), store, options))
    if options.command == "list":
        return _list(store)
    if options.command == "unpair":
        return _unpair(store, options.name)
    return _doctor(store, options)


def _parser() -> CommandParser:
    parser = CommandParser(
        prog="rookery-bridge", description="Set up remote engines, and look after them."
    )
    commands = parser.add_subparsers(dest="command", required=True)
    pair = commands.add_parser(
        "pair",
        allow_abbrev=False,
        help="set up what a link of 'rookery-server invite' offers",
    )
    pair.add_argument(
        "link",
        nargs="?",
        default="",
        help="the link, in double quotes; without it the program asks, so that neither the"
        " shell's history nor others of this machine see it; '-' reads it from stdin",
    )
    pair.add_argument("--name", help="what to call the engine, if the link is for one")
    pair.add_argument(
        "--to", type=Path, metavar="FOLDER", help="where the launchers go (~/rookery-engines)"
    )
    pair.add_argument(
        "--insecure", action="store_true", help="even if the token goes there unencrypted"
    )
    commands.add_parser("list", help="show the remote engines that are set up")
    unpair = commands.add_parser("unpair", help="forget a remote engine, and its launchers")
    unpair.add_argument("name")
    doctor = commands.add_parser(
        "doctor", allow_abbrev=False, help="find out why a remote engine does not work"
    )
    which = doctor.add_mutually_exclusive_group()
    which.add_argument("name", nargs="?", help="of one that is set up, or an address (all)")
    which.add_argument("--paired", type=Path, metavar="FILE", help="the file of one")
    add_trust_options(doctor)
    assert set(COMMANDS) == set(commands.choices)
    return parser


# --- pair


def _invitation(link: str) -> Invitation:
    """Read the link, or ask for it.

    Raises:
        PairingError: there is none.
        InvitationError: it cannot be used.

    """
    if not link and sys.stdin.isatty():
        server_browser.show_nearby()
        link = link_input.ask_link()
    elif link in ("", "-"):
        link = link_input.read_link()
    else:
        complain(
            "note: a link in a command stays in the shell's history; 'rookery-bridge pair'"
            " without one asks for it"
        )
    if not link:
        raise PairingError(
            "no link was given: ask the operator for one, which 'rookery-server invite' prints"
        )
    return Invitation.parse(link)


async def _pair(invitation: Invitation, store: PairingStore, options: argparse.Namespace) -> int:
    server = Address(invitation.transport, invitation.host, invitation.port, invitation.engine)
    offer = Pairing("", server, invitation.token, invitation.pin, insecure=options.insecure)
    trust = offer.trust
    check_trust(server, trust, insecure=options.insecure)
    engines = await _engines(server, trust)
    if options.name:
        _check_name(options.name, store, engines, server)
    folder = (options.to or Path.home() / LAUNCHERS).expanduser().absolute()
    unheard: OutputError | None = None
    kept: dict[str, Path] = {}
    for engine in engines:
        address = replace(server, engine=engine)
        title = await _title(address, trust)
        for name in _names(store, address, options.name):
            pairing = replace(offer, name=name, address=address, title=title)
            file = _keep(pairing, store, folder)
            kept[name] = file
            try:
                print_line(f"{title or name}: {file}")
            except OutputError as error:  # The other engines are set up all the same.
                unheard = error
    for name, found in store.pairings():
        # It has perhaps the old link of an engine.
        if name not in kept and isinstance(found, PairingError):
            complain(f"note: this one stays as it is: {found}")
    if unheard:
        raise unheard
    print_line("In the chess program, add an engine (UCI) and choose that file.")
    if any(file.suffix == ".cmd" for file in kept.values()):
        print_line("Let the dialog show all files: many look for programs that end in .exe only.")
    print_line("'rookery-bridge doctor' says why an engine does not work.")
    return 0


def _names(store: PairingStore, address: Address, wish: str | None) -> list[str]:
    """Return what an engine is to be called: all its names, if it is set up already.

    A new link replaces the old one in all of them, except if only one of them is asked for.
    """
    if wish:
        return [wish]
    known = [
        name
        for name, found in store.pairings(may_be_open=True)
        if isinstance(found, Pairing) and found.address == address
    ]
    return known or [name_for(address, store.taken())]


def _keep(pairing: Pairing, store: PairingStore, folder: Path) -> Path:
    """Write the launchers and the file of a pairing; return what a GUI is given."""
    command = launcher.program(sys.argv, sys.executable)
    files = launcher.write(
        *(pairing, store.path(pairing.name), folder, command),
        executable=launcher.own_executable(command),
    )
    former: tuple[Path, ...] = ()
    with suppress(PairingError):  # There is none, or it is broken.
        former = store.load(pairing.name, may_be_open=True).launchers
    # Those elsewhere are of use yet, and 'unpair' has to know them.
    others = (each for each in former if each not in files)
    store.save(replace(pairing, launchers=(*files, *others)))
    return files[0]


def _check_name(
    name: str, store: PairingStore, engines: Sequence[str | None], server: Address
) -> None:
    """Check the name for an engine.

    Raises:
        PairingError: it may not.

    """
    if len(engines) > 1:
        offer = ", ".join(map(str, engines))
        raise PairingError(f"--name is for one engine, and the link is for {offer}")
    if name.casefold() in RESERVED:
        raise PairingError(f"{name!r} is a command of this program: use another name")
    if not is_name(name):
        raise PairingError(
            f"{name!r} cannot be the name of a file everywhere: use letters, digits, '.', '_', '-'"
        )
    known = {each.casefold(): each for each in store.taken()}.get(name.casefold())
    if known and store.load(known, may_be_open=True).address != replace(server, engine=engines[0]):
        raise PairingError(f"{known} is another engine already: use another name, or unpair it")


async def _engines(server: Address, trust: Trust) -> list[str | None]:
    """Return which engines are meant."""
    if server.engine or not server.is_websocket:  # Over TCP there is a default one.
        return [server.engine]
    try:
        async with asyncio.timeout(_ENGINE_PATIENCE):
            engines, _ = await call_in_thread(ask_server, server, trust)
    except (OSError, InquiryError) as error:
        is_late = isinstance(error, TimeoutError)
        why = f"no answer within {_ENGINE_PATIENCE:g} s" if is_late else str(error)
        advice = _ask_the_doctor(server, trust)
        raise PairingError(f"cannot reach {server}: {why}; {advice}") from error
    return list(engines)


async def _title(address: Address, trust: Trust) -> str:
    """Return what an engine calls itself, or nothing if it cannot say so now.

    Raises:
        PairingError: the server will not have us.

    """
    try:
        async with Visit(address, trust) as visit:
            return await visit.title(_ENGINE_PATIENCE)
    except DialError as error:
        if error.code is None or error.code in FINAL_CODES:
            # Of an address the doctor knows no token, and would get no farther than that.
            trouble = of_refusal(error.code, has_token=True)
            is_known = error.code and trust.token and trouble is not BridgeTrouble.LOST
            advice = trouble.advice if is_known else _ask_the_doctor(address, trust)
            raise PairingError(f"cannot use {address}: {error}; {advice}") from error
        complain(f"note: {address.engine} does not work now: {error}")
    except TimeoutError:
        complain(f"note: {address.engine} does not say its name within {_ENGINE_PATIENCE:g} s")
    return ""


def _ask_the_doctor(address: Address, trust: Trust) -> str:
    if address.is_websocket and address.engine is None:
        # An address names an engine, and which there are is not known: the way is the same.
        address = replace(address, engine="any")
    pin = f" --pin {trust.pin.hex()}" if trust.pin else ""
    return f"'rookery-bridge doctor {address}{pin}' says more"


# --- list, unpair


def _list(store: PairingStore) -> int:
    if not store.names():
        print_line(
            "no remote engines are set up; 'rookery-bridge pair' takes a link of the operator's"
        )
    status, rows = 0, [("NAME", "ENGINE", "ADDRESS", "LAUNCHER")]
    for name, found in store.pairings():
        if isinstance(found, PairingError):
            complain(f"note: {found}")
            status = _WRONG
        else:
            where = str(found.launchers[0]) if found.launchers else "-"
            rows.append((name, found.title or "-", str(found.address), where))
    if len(rows) > 1:
        print_table(rows)
    return status


def _unpair(store: PairingStore, name: str) -> int:
    launchers: tuple[Path, ...] = ()
    try:
        launchers = _own(store.load(name).launchers)
    except BrokenError as error:
        complain(f"note: {error}; its launchers are not known, and stay where they are")
    for path in store.remove(name, launchers):
        print_line(f"removed {path}")
    return 0


def _own(paths: Iterable[Path]) -> tuple[Path, ...]:
    """Return those that are launchers yet; tell of what has come in their place."""
    own = []
    try:
        for path in paths:
            if launcher.is_other(path):
                complain(f"note: {path} is no launcher any more, and stays where it is")
            else:
                own.append(path)
    except OSError as error:
        raise PairingError(f"cannot remove {path}: {error.strerror}") from error
    return tuple(own)


# --- doctor


def _doctor(store: PairingStore, options: argparse.Namespace) -> int:
    if options.name and not is_name(options.name):
        trust = trust_of(None, options.token_file, options.ca, options.pin, complain)
        return asyncio.run(_examine(Address.parse(options.name), trust, options.insecure))
    refuse_trust_options(options)
    if options.paired or options.name:
        pairing = read_pairing(options.paired) if options.paired else store.load(options.name)
        return _examine_pairing(pairing, options.insecure)
    if not store.names():
        server_browser.show_nearby()
        raise PairingError("no remote engines are set up: say an address, or 'rookery-bridge pair'")
    status = 0
    for name, found in store.pairings():
        if isinstance(found, PairingError):  # The others may be well.
            print_line(name)
            print_line(f"{Grade.BAD.value}  file: {found}")
            status = _WRONG
        else:
            status |= _examine_pairing(found, options.insecure)
    server_browser.show_nearby()
    return status


def _examine_pairing(pairing: Pairing, insecure: bool) -> int:
    print_line(f"{pairing.name}, {pairing.address}")
    _examine_launchers(pairing)
    return asyncio.run(_examine(pairing.address, pairing.trust, pairing.insecure or insecure))


def _examine_launchers(pairing: Pairing) -> None:
    """Show what a GUI is given; let those that are another version of this program be this one."""
    executable = launcher.own_executable(launcher.program(sys.argv, sys.executable))
    try:
        for path in launcher.renew_outdated(pairing.launchers, executable):
            print_line(str(DoctorFinding("launcher", f"{path} was of another version, and is new")))
    except PairingError as error:
        complain(f"note: {error}")
    for path in pairing.launchers[:1]:
        if path.exists():
            print_line(str(DoctorFinding("launcher", str(path))))
        else:
            complain(f"note: {path} is gone, the launcher: 'rookery-bridge pair' makes it again")


async def _examine(address: Address, trust: Trust, insecure: bool) -> int:
    status = 0
    async for finding in Doctor(address, trust, insecure=insecure).examine():
        print_line(str(finding))
        if finding.grade is Grade.BAD:
            status = _WRONG
    print_line("all is well" if status == 0 else "it does not work: see what is WRONG")
    return status
