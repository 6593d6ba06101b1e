"""The image: its configurations, and its start."""

import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from rookery_server.__main__ import COMMANDS
from rookery_server.access.origin import is_trusted
from rookery_server.config import config
from rookery_server.config.config import Overrides

ROOT = Path(__file__).parents[2]
DOCKER = ROOT / "docker"
ENTRYPOINT = DOCKER / "entrypoint.sh"
BIN = Path(sys.executable).parent


def start(*arguments: str, path: Path, configuration: Path) -> subprocess.CompletedProcess[str]:
    """Run the entry point with the programs in a folder, and those of the system."""
    return subprocess.run(
        [ENTRYPOINT, *arguments],
        env={"PATH": f"{path}:/usr/bin:/bin", "ROOKERY_CONFIG": str(configuration)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return a folder in which `rookery-server serve` only says what it was called with."""
    folder = tmp_path / "bin"
    folder.mkdir()
    program = folder / "rookery-server"
    program.write_text(
        f'#!/bin/sh\ncase $1 in token) exec {BIN}/rookery-server "$@";; esac\necho "$@"\n'
    )
    program.chmod(0o755)
    return folder


@pytest.fixture
def configuration(tmp_path: Path) -> Path:
    file = tmp_path / "rookery.toml"
    file.write_text("[server]\ntokens = 'tokens'\n")
    return file


@pytest.mark.parametrize(
    "name",
    [
        "rookery.toml",
        "stockfish.toml",
        "compose.toml",
        "compose.stockfish.toml",
        "compose.postgres.toml",
    ],
)
def test_configuration_wants_tokens(name: str) -> None:
    settings = config.load(DOCKER / name, Overrides())
    assert settings.server.tokens == Path("/data/tokens")
    assert settings.server.host == "0.0.0.0"
    assert not settings.insecure


@pytest.mark.parametrize(
    "name", ["compose.toml", "compose.stockfish.toml", "compose.postgres.toml"]
)
def test_proxy_of_compose_is_believed(name: str) -> None:
    """Else all who come through it would wait for one who guesses tokens."""
    trusted = config.load(DOCKER / name, Overrides()).server.trusted_proxies
    for proxy in ("172.18.0.3", "192.168.16.2", "10.89.0.4"):
        assert is_trusted(proxy, trusted)
    assert not is_trusted("203.0.113.7", trusted)


def test_first_start_makes_a_token_and_no_other_does(path: Path, configuration: Path) -> None:
    first = start(path=path, configuration=configuration)
    assert first.stdout.startswith(f"serve --config {configuration}\n")
    assert re.search("^rk_", first.stderr, re.MULTILINE)
    second = start("serve", "--port", "1", path=path, configuration=configuration)
    assert second.stdout.startswith(f"serve --config {configuration} --port 1\n")
    assert second.stderr == ""


def test_configuration_without_tokens_gets_none(path: Path, configuration: Path) -> None:
    configuration.write_text("")
    started = start(path=path, configuration=configuration)
    assert (started.returncode, started.stderr) == (0, "")


@pytest.mark.parametrize("command", ["health", "check", "drain", "invite", "analyse"])
def test_other_commands_get_the_configuration(
    path: Path, configuration: Path, command: str
) -> None:
    started = start(command, path=path, configuration=configuration)
    assert started.stdout.startswith(f"{command} --config {configuration}\n")


@pytest.mark.parametrize("words", [("sessions", "list"), ("machines", "list"), ("cache", "show")])
def test_commands_with_a_word_of_their_own_get_the_configuration_behind_it(
    path: Path, configuration: Path, words: tuple[str, str]
) -> None:
    started = start(*words, path=path, configuration=configuration)
    assert started.stdout == f"{' '.join(words)} --config {configuration}\n"


@pytest.mark.parametrize("command", COMMANDS)
def test_each_command_is_for_the_server(path: Path, configuration: Path, command: str) -> None:
    """Programs of the system have such names, too: `join` is one."""
    started = start(command, "--help", path=path, configuration=configuration)
    if command == "token":
        assert started.stdout.startswith("usage: rookery-server token")
    else:
        assert started.stdout.split()[0] == command
    assert "--help" in started.stdout


def test_what_joins_offers_what_its_options_say(path: Path, configuration: Path) -> None:
    words = ("join", "wss://rook.example", "--engine", "x=y z")
    assert start(*words, path=path, configuration=configuration).stdout == f"{' '.join(words)}\n"


@pytest.mark.parametrize("option", ["--help", "-h", "--version"])
def test_questions_make_no_token(path: Path, configuration: Path, option: str) -> None:
    asked = start(option, path=path, configuration=configuration)
    assert (asked.stdout, asked.stderr) == (f"{option}\n", "")


def test_options_alone_are_those_of_serve(path: Path, configuration: Path) -> None:
    started = start("--port", "1", path=path, configuration=configuration)
    assert started.stdout == f"serve --config {configuration} --port 1\n"
    assert re.search("^rk_", started.stderr, re.MULTILINE)


def test_server_says_which_commands_there_are(path: Path, configuration: Path) -> None:
    assert start("chek", "-x", path=path, configuration=configuration).stdout == "chek -x\n"


def test_tokens_are_looked_after_in_the_container(path: Path, configuration: Path) -> None:
    assert start("token", "add", "anna", path=path, configuration=configuration).returncode == 0
    assert "anna" in start("token", "list", path=path, configuration=configuration).stdout


def test_anything_else_is_run(path: Path, configuration: Path) -> None:
    assert start("echo", "hello", path=path, configuration=configuration).stdout == "hello\n"


def test_what_the_image_copies_is_there() -> None:
    copied = re.findall(
        r"^COPY (?!--from)(.+) \S+$", (DOCKER / "Dockerfile").read_text(), re.MULTILINE
    )
    sources = [source for line in copied for source in line.split()]
    assert len(sources) > 5
    for source in sources:
        assert (ROOT / source).exists(), source


def test_entry_point_is_a_script_for_every_shell() -> None:
    shell = shutil.which("dash") or "sh"
    for script in (ENTRYPOINT, DOCKER / "ray.sh"):
        assert script.stat().st_mode & 0o111
        assert subprocess.run([shell, "-n", script], check=False).returncode == 0


# --- a machine of a Ray cluster


@pytest.fixture
def machine(path: Path, tmp_path: Path) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Return what runs `rookery-ray` where `ray` and the entry point only say what they hear."""
    for name in ("ray", "rookery-entrypoint"):
        program = path / name
        program.write_text(f'#!/bin/sh\necho {name} "$@"\n')
        program.chmod(0o755)
    (path / "python").symlink_to(BIN / "python")

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [DOCKER / "ray.sh", *arguments],
            env={
                "PATH": f"{path}:/usr/bin:/bin",
                "RAY_AUTH_TOKEN_PATH": str(tmp_path / "token"),
                "ROOKERY_RAY_WAIT": "0",
            },
            capture_output=True, text=True, timeout=60, check=False,
        )  # fmt: skip

    return run


def test_head_makes_the_token_once(
    machine: Callable[..., subprocess.CompletedProcess[str]], tmp_path: Path
) -> None:
    head = machine("head", "--num-cpus=0")
    assert head.stdout.startswith("ray start --block ")
    assert "--head --port=6379 --include-dashboard=false --num-cpus=0" in head.stdout
    token = tmp_path / "token"
    text = token.read_text()
    assert len(text.strip()) == 64
    assert token.stat().st_mode & 0o777 == 0o600
    assert machine("head").returncode == 0
    assert token.read_text() == text


def test_nodes_join_with_the_token(
    machine: Callable[..., subprocess.CompletedProcess[str]], tmp_path: Path
) -> None:
    late = machine("node", "there")
    assert (late.returncode, late.stdout) == (2, "")
    assert "there is no token in" in late.stderr
    (tmp_path / "token").write_text("x")
    assert machine("node", "there", "--num-cpus=4").stdout.endswith(
        "--address=there:6379 --num-cpus=4\n"
    )


def test_anything_else_is_for_the_entry_point(
    machine: Callable[..., subprocess.CompletedProcess[str]],
) -> None:
    assert machine("health", "--ready").stdout == "rookery-entrypoint health --ready\n"


@pytest.mark.parametrize("arguments", [(), ("node",), ("serve", "--num-cpus=1")])
def test_machine_needs_a_head(
    machine: Callable[..., subprocess.CompletedProcess[str]], arguments: tuple[str, ...]
) -> None:
    refused = machine(*arguments)
    assert (refused.returncode, refused.stdout) == (2, "")
    assert re.search("needs .*head", refused.stderr)


def test_server_of_a_cluster_wants_both_tokens(tmp_path: Path) -> None:
    (tmp_path / "token").write_text("x")
    file = tmp_path / "ray.toml"
    file.write_text((DOCKER / "ray.toml").read_text().replace("/ray/", f"{tmp_path}/"))
    settings = config.load(file, Overrides())
    assert settings.server.tokens == Path("/data/tokens")
    assert settings.ray
    assert settings.ray.address == "head:6379"
    assert [each.ray for each in settings.engines] == [True]


def test_no_cluster_without_a_token() -> None:
    target = (DOCKER / "Dockerfile").read_text().partition(" AS ray\n")[2].partition("\nFROM ")[0]
    assert "RAY_AUTH_MODE=token" in target
    assert "USER 10001:10001" in target
