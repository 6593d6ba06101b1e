"""`rookery-server invite`: one link that lets a guest in, and plain words about who can use it."""

import contextlib
import io
import ssl
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path

import pytest
import trustme
from helpers.certificates import certificate

from rookery_protocol.errors import ConfigError
from rookery_protocol.invitation import Invitation
from rookery_server.__main__ import run
from rookery_server.access.tls import Certificate
from rookery_server.access.token_file import TokenFile
from rookery_server.commands.invite import read_url
from rookery_server.config.sections import TlsConfig


@pytest.fixture
def config(tmp_path: Path) -> Iterator[Path]:
    """A server on a network, with tokens and a certificate of its own authority."""
    (tmp_path / "tokens").touch(0o600)
    certificate(tmp_path, trustme.CA(), "rook.example", "10.0.0.7")
    path = tmp_path / "rookery.toml"
    path.write_text(
        '[server]\nhost = "0.0.0.0"\nport = 9\ntokens = "tokens"\n'
        '[tls]\ncertificate = "certificate.pem"\nkey = "key.pem"\n'
        '[engines.lc0]\ncommand = "lc0"\n'
    )
    return path


def invite(*arguments: str) -> tuple[int, Invitation | None, str]:
    """Return the status, the link and what is said about it."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        status = run(["invite", *arguments])
    return status, Invitation.parse(out.getvalue()) if status == 0 else None, err.getvalue()


def test_link_has_all_that_a_guest_needs(config: Path, tmp_path: Path) -> None:
    status, link, said = invite("--config", str(config), "--name", "bob", "--engine", "lc0")
    assert status == 0
    assert link
    assert (link.transport, link.host, link.port, link.engine) == ("wss", "rook.example", 9, "lc0")
    pem = (tmp_path / "certificate.pem").read_text()
    assert link.pin == sha256(ssl.PEM_cert_to_DER_cert(pem)).hexdigest()
    assert link.token
    account = TokenFile(tmp_path / "tokens").read().account(link.token, datetime.now(UTC))
    assert account
    assert account.name == "bob"
    assert "asks for the link:\n  rookery-bridge pair\n" in said
    assert "gets the program from the release or from you" in said
    assert "do not trust the certificate by themselves" in said
    assert "rook.example:9, which is a guess" in said
    assert "no server answers on port 9" in said


def test_secret_is_on_stdout_only(config: Path) -> None:
    _, link, said = invite("--config", str(config))
    assert link
    assert link.token
    assert link.token not in said
    assert link.token.split("_")[1] in said  # the id, by which it is revoked


def test_each_link_has_an_account_of_its_own(config: Path, tmp_path: Path) -> None:
    invite("--config", str(config))
    invite("--config", str(config), "--days", "3")
    first, second = TokenFile(tmp_path / "tokens").read()
    assert first.name != second.name
    assert first.expires is None
    assert second.expires
    assert second.expires - datetime.now(UTC) < timedelta(days=3, seconds=5)


def test_proxy_has_its_own_certificate(config: Path) -> None:
    config.write_text(
        config.read_text().replace("[tls]", 'trusted_proxies = ["10.0.0.0/8"]\n[tls]')
    )
    _, link, _ = invite("--config", str(config), "--url", "wss://rook.example")
    assert link
    assert (link.port, link.pin) == (443, None)


def test_server_of_this_machine_needs_no_token() -> None:
    status, link, said = invite("--port", "9")
    assert status == 0
    assert link == Invitation("ws", "127.0.0.1", 9)
    assert "only programs of this machine reach 127.0.0.1:9" in said


def test_others_are_warned_of_what_they_cannot_reach(tmp_path: Path) -> None:
    tokens = str(tmp_path / "tokens")
    status, _, said = invite("--tokens", tokens, "--url", "ws://rook.example:80")
    assert status == 0
    assert "listens on 127.0.0.1:8080, where nobody else reaches it" in said
    assert "without TLS: the token and all moves can be read" in said


def test_address_that_is_listened_on_is_no_guess(config: Path) -> None:
    config.write_text(config.read_text().replace("0.0.0.0", "10.0.0.7"))
    _, link, said = invite("--config", str(config))
    assert link
    assert link.host == "10.0.0.7"
    assert "guess" not in said


@pytest.mark.parametrize(
    ("arguments", "what"),
    [
        (["--engine", "nobody"], "there is no engine 'nobody'; there are: lc0"),
        (["--url", "https://rook.example"], "--url needs wss://HOST"),
        (["--url", "wss://rook.example/engines/a"], "--url needs wss://HOST"),
        (["--url", "wss://rook.example:x"], "--url 'wss://rook.example:x'"),
        (["--url", "wss://ro ok.example"], "is no name or address of a machine"),
        (["--expires", "2020-01-01"], "is over already"),
    ],
)
def test_what_cannot_be_is_refused_and_makes_no_token(
    config: Path, tmp_path: Path, arguments: list[str], what: str
) -> None:
    status, _, said = invite("--config", str(config), *arguments)
    assert status == 2
    assert what in said
    assert len(TokenFile(tmp_path / "tokens").read()) == 0


def test_token_for_a_server_that_wants_none_is_refused() -> None:
    status, _, said = invite("--name", "bob")
    assert status == 2
    assert "--name is about a token, and this server wants none" in said


@pytest.mark.parametrize("url", ["wss://[::1]", "tls://10.0.0.7:8081", "ws://a:80/", "tcp://a:1"])
def test_urls_are_those_of_the_bridge(url: str) -> None:
    place = read_url(url)
    assert f"{place.transport}://" in url
    assert place.host in url


def test_url_without_port_has_the_usual_one() -> None:
    assert read_url("ws://a").port == 80
    with pytest.raises(ConfigError):
        read_url("tls://a")


# --- the certificate


def tls(folder: Path) -> TlsConfig:
    return TlsConfig(folder / "certificate.pem", folder / "key.pem")


def test_certificate_says_its_names_and_its_end(tmp_path: Path) -> None:
    until = datetime.now(UTC).replace(microsecond=0) + timedelta(days=9)
    certificate(tmp_path, trustme.CA(), "rook.example", "10.0.0.7", until=until)
    found = Certificate.read(tls(tmp_path), "rook.example")
    assert found.names == ("rook.example", "10.0.0.7")
    assert found.expires == until
    assert not found.trouble
    assert "unable to get local issuer" in found.distrust


def test_certificate_that_is_over_is_told_of(tmp_path: Path, config: Path) -> None:
    until = datetime.now(UTC) - timedelta(days=9)
    certificate(tmp_path, trustme.CA(), "rook.example", until=until)
    assert "expired" in Certificate.read(tls(tmp_path), "rook.example").trouble
    _, _, said = invite("--config", str(config), "--url", "wss://rook.example")
    assert "nobody can use the certificate: certificate has expired" in said


def test_certificate_that_is_none_is_an_error(tmp_path: Path) -> None:
    certificate(tmp_path, trustme.CA(), "rook.example")
    (tmp_path / "certificate.pem").write_text("nonsense")
    with pytest.raises(ConfigError, match="has no certificate in PEM"):
        Certificate.read(tls(tmp_path), "rook.example")
