"""A server and a guest on two machines of one network: `make network-test`, as root.

Not among the tests of `make test`: the machines are network namespaces, which root makes, and the
searches for servers take seconds each.  It wants iproute2.
"""

import json
import os
import pty
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import chess
import chess.engine
import pytest
import trustme
from helpers.network import PATIENCE, Machine, Network, network, until

ROOT = Path(__file__).parents[2]
NEIGHBOUR, NEIGHBOUR_6 = "10.97.0.3", "fd97::3"
PLIES = 6
SERVER = """\
[server]
host = "{host}"
port = {port}
tcp_port = false
tokens = "tokens"
plain = true
announce = true
[engines.rookery]
command = "rookery-engine"
"""
DEVICE = """
[devices.anna-{port}]
port = {port}
account = "anna"
"""
OPEN = """\
[server]
host = "{host}"
port = {port}
tcp_port = false
announce = true
[engines.rookery]
command = "rookery-engine"
"""
# Speaks to HOST PORT from ADDRESS: lines from its input, each with the beginning of the line that
# is waited for behind a tab.  Prints all that it hears.
TALK = """
import socket, sys
host, port, source = sys.argv[1:]
with socket.create_connection((host, int(port)), 20, (source, 0)) as it:
    heard = it.makefile("r")
    try:
        for line in sys.stdin:
            said, _, wanted = line.rstrip("\\n").partition("\\t")
            it.sendall(said.encode() + b"\\n")
            while wanted:
                answer = heard.readline()
                print(answer, end="")
                if not answer or answer.startswith(wanted):
                    break
    except ConnectionError:
        pass
"""
# Asks for a URL by a method; its input is a token, or an empty line, and a body.
ASK = """
import sys, urllib.error, urllib.request
url, method = sys.argv[1:]
token, body = sys.stdin.readline().strip(), sys.stdin.read().encode() or None
fields = {"Content-Type": "application/json"} if body else {}
if token:
    fields["Authorization"] = "Bearer " + token
opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
try:
    answer = opener.open(urllib.request.Request(url, body, fields, method=method), timeout=20)
except urllib.error.HTTPError as error:
    answer = error
print(answer.status, answer.read().decode())
"""
DROIDFISH = (
    "uci\tuciok",
    "setoption name Hash value 16",
    "ucinewgame",
    "isready\treadyok",
    "position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 moves e2e4",
    "go wtime 2000 btime 2000 winc 100 binc 100\tbestmove",
    "quit",
)

pytestmark = pytest.mark.timeout(300)


@pytest.fixture(scope="module")
def machines(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Network]:
    assert os.geteuid() == 0, "namespaces are made by root"
    with network(tmp_path_factory.mktemp("network")) as found:
        yield found


@pytest.fixture(scope="module")
def club(machines: Network) -> Iterator[Machine]:
    """The club's machine, with a server that wants tokens and is announced."""
    machine = machines.club
    tokens = str(machine.home / "tokens")
    token = machine.output_of("rookery-server", "token", "add", "anna", "--file", tokens)
    (machine.home / "anna.token").write_text(token)
    config = SERVER.format(host="0.0.0.0", port=8080) + DEVICE.format(port=9091)
    with machine.serving("club", config):
        yield machine


@pytest.fixture
def guest(machines: Network, club: Machine, tmp_path: Path) -> Machine:
    """The guest's machine, on which nothing is set up."""
    machine = machines.guest
    return Machine(machine.namespace, tmp_path, machine.address, machine.address_6)


def invite(club: Machine, config: str, url: str) -> str:
    """Return a link for a guest."""
    file = str(club.home / config)
    return club.output_of("rookery-server", "invite", "--config", file, "--url", url)


def pair_by_hand(guest: Machine, link: str) -> tuple[str, int]:
    """Say `pair` in a terminal, and paste the link; return what is shown, and the status."""
    own, theirs = pty.openpty()
    process = subprocess.Popen(
        guest.within("rookery-bridge", "pair", "--insecure"),
        stdin=theirs,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
        env=guest.environment,
    )
    os.close(theirs)
    assert process.stdout
    shown = ""
    while not shown.endswith("shown): "):  # What is typed before that is not read.
        piece = process.stdout.read(1)
        assert piece, shown
        shown += piece
    os.write(own, f"{link}\n".encode())
    rest, _ = process.communicate(timeout=PATIENCE)
    os.close(own)
    return shown + rest, process.returncode


def launcher_of(guest: Machine) -> Path:
    """Return the script of the one engine that is set up."""
    files = (guest.home / "rookery-engines").iterdir()
    [launcher] = [each for each in files if each.suffix != ".desktop"]
    return launcher


def play(guest: Machine, launcher: Path) -> list[chess.Move]:
    """Return the first moves of an engine that is set up, against itself."""
    board = chess.Board()
    words = guest.within(str(launcher))
    with chess.engine.SimpleEngine.popen_uci(
        words, timeout=PATIENCE, env=guest.environment
    ) as engine:
        while board.ply() < PLIES:
            move = engine.play(board, chess.engine.Limit(time=0.1)).move
            assert move in board.legal_moves
            board.push(move)
    return board.move_stack


def talk(machine: Machine, host: str, source: str, port: int = 9091) -> str:
    """Return what DroidFish hears from an address of a machine."""
    words = [sys.executable, "-c", TALK, host, str(port), source]
    done = machine.run(*words, said="".join(f"{line}\n" for line in DROIDFISH))
    assert done.returncode == 0, done.stderr
    return done.stdout


def ask_server(
    place: str, guest: Machine, method: str, path: str, token: str = "", body: str = ""
) -> tuple[int, dict[str, Any]]:
    """Ask a server from the guest's first address, as a browser does; return the answer."""
    url = f"http://{place}/v1/{path}"
    done = guest.run(sys.executable, "-c", ASK, url, method, said=f"{token}\n{body}")
    assert done.returncode == 0, done.stderr
    status, _, document = done.stdout.partition(" ")
    return int(status), json.loads(document.strip() or "{}")


def token_of_anna(club: Machine) -> str:
    return (club.home / "anna.token").read_text()


def test_doctor_shows_the_server_and_its_next_step(club: Machine, guest: Machine) -> None:
    said = guest.run("rookery-bridge", "doctor").stdout
    assert f"ws://{club.address}:8080" in said
    assert "needed" in said
    assert "ask its operator for a link" in said


def test_a_guest_pairs_by_a_link_and_plays(club: Machine, guest: Machine) -> None:
    link = invite(club, "club.toml", f"ws://{club.address}:8080")
    shown, status = pair_by_hand(guest, link)
    assert status == 0, shown
    assert f"ws://{club.address}:8080" in shown.partition("paste the link")[0]
    launcher = launcher_of(guest)
    assert len(play(guest, launcher)) == PLIES
    healthy = guest.run("rookery-bridge", "doctor")
    assert healthy.returncode == 0, healthy.stdout


def test_a_phone_plays_from_the_address_that_was_paired_and_no_other(
    club: Machine, guest: Machine
) -> None:
    token, place = token_of_anna(club), f"{club.address}:8080"
    assert talk(guest, club.address, guest.address) == ""
    status, device = ask_server(place, guest, "POST", "devices/anna-9091", token)
    assert (status, device["file"]) == (200, f"NETE\n{club.address}\n9091\n")
    heard = talk(guest, club.address, guest.address)
    assert re.search(r"^bestmove [a-h][1-8]", heard, re.MULTILINE)
    assert talk(guest, club.address, NEIGHBOUR) == ""
    assert ask_server(place, guest, "DELETE", "devices/anna-9091", token)[0] == 204
    assert talk(guest, club.address, guest.address) == ""


def test_a_code_signs_one_phone_in_and_what_it_paired_ends_with_its_token(
    club: Machine, guest: Machine
) -> None:
    tokens, place = str(club.home / "tokens"), f"{club.address}:8080"
    maker = club.output_of("rookery-server", "token", "add", "anna", "--file", tokens)
    _, made = ask_server(place, guest, "POST", "sign-in/codes", maker, "{}")
    code = json.dumps({"code": made["url"].partition("#signin=")[2]})
    status, signed_in = ask_server(place, guest, "POST", "sign-in", body=code)
    assert (status, signed_in["account"]) == (200, "anna")
    status, refused = ask_server(place, guest, "POST", "sign-in", body=code)
    assert (status, refused["code"]) == (401, "unauthorized")

    assert ask_server(place, guest, "POST", "devices/anna-9091", signed_in["token"])[0] == 200
    assert "uciok" in talk(guest, club.address, guest.address)
    maker_id = maker.split("_")[1]
    club.output_of("rookery-server", "token", "revoke", maker_id, "--file", tokens)
    until(lambda: talk(guest, club.address, guest.address) == "")


def test_a_server_for_ipv6_is_found_and_used_there(club: Machine, guest: Machine) -> None:
    config = SERVER.format(host="::", port=8090) + DEVICE.format(port=9092)
    with club.serving("six", config):
        said = guest.run("rookery-bridge", "doctor").stdout
        assert f"ws://[{club.address_6}]:8090" in said
        assert f"ws://{club.address}:8090" not in said  # It does not listen there.
        link = invite(club, "six.toml", f"ws://[{club.address_6}]:8090")
        shown, status = pair_by_hand(guest, link)
        assert status == 0, shown
        launcher = launcher_of(guest)
        assert len(play(guest, launcher)) == PLIES

        # Phones change the last half of their addresses by themselves.
        assert talk(guest, club.address_6, guest.address_6, 9092) == ""
        place, token = f"[{club.address_6}]:8090", token_of_anna(club)
        status, device = ask_server(place, guest, "POST", "devices/anna-9092", token)
        assert (status, device["file"]) == (200, f"NETE\n{club.address_6}\n9092\n")
        assert [each["address"] for each in device["addresses"]] == ["fd97::/64"]
        for address in (guest.address_6, NEIGHBOUR_6):
            assert "bestmove" in talk(guest, club.address_6, address, 9092)


def test_two_machines_of_one_name_are_told_apart(club: Machine, guest: Machine) -> None:
    """Both have the same host name and port, so that the second one's name is taken."""
    guest.output_of("rookery-server", "token", "add", "bob", "--file", str(guest.home / "tokens"))
    with guest.serving("second", SERVER.format(host="0.0.0.0", port=8080)) as log:
        assert re.search(r"announced on the local network as 'Rookery on .* \(8080\)-2'",
                         log.read_text())  # fmt: skip
        said = guest.run("rookery-bridge", "doctor").stdout
        rows = [line for line in said.splitlines() if "ws://" in line and "(8080)" in line]
        found = {row.partition("ws://")[0].strip(): row.partition("ws://")[2] for row in rows}
        addresses = {name[-2:] == "-2": each.split(":")[0] for name, each in found.items()}
        assert addresses.pop(False) == club.address
        assert addresses in ({True: guest.address}, {True: NEIGHBOUR})


def test_a_server_for_certificates_says_what_the_guest_cannot_do(
    club: Machine, guest: Machine
) -> None:
    authority = trustme.CA()
    authority.cert_pem.write_to_path(str(club.home / "ca.pem"))
    own = authority.issue_cert(club.address)
    own.private_key_pem.write_to_path(str(club.home / "key.pem"))
    own.cert_chain_pems[0].write_to_path(str(club.home / "cert.pem"))
    tls = '[tls]\ncertificate = "cert.pem"\nkey = "key.pem"\nclient_ca = "ca.pem"\n'
    with club.serving("certified", OPEN.format(host="0.0.0.0", port=8443) + tls):
        said = guest.run("rookery-bridge", "doctor").stdout
        assert f"wss://{club.address}:8443" in said
        assert "is for clients with a certificate of its operator" in said
        assert f'pair "rookery://{club.address}:8443' not in said


def test_an_open_server_is_paired_with_what_is_shown(club: Machine, guest: Machine) -> None:
    with club.serving("open", OPEN.format(host="0.0.0.0", port=8070), "--insecure"):
        said = guest.run("rookery-bridge", "doctor").stdout
        shown = re.search(rf'rookery-bridge pair "(.*{club.address}:8070.*)"', said)
        assert shown, said
        guest.output_of("rookery-bridge", "pair", shown[1])
        launcher = launcher_of(guest)
        assert len(play(guest, launcher)) == PLIES


def test_the_one_file_says_what_it_lacks(club: Machine, guest: Machine, tmp_path: Path) -> None:
    one_file = tmp_path / "rookery-bridge.pyz"
    subprocess.run([sys.executable, "tools/single.py", str(one_file)], cwd=ROOT, check=True)
    # -S: none of the packages that happen to be installed here.
    done = guest.run(sys.executable, "-S", str(one_file), "doctor")
    assert "pip install zeroconf" in done.stdout
    assert done.returncode != 0
    assert "no remote engines are set up" in done.stderr
    assert "Traceback" not in done.stderr
