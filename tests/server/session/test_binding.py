"""The addresses that a server may listen on, and its needs for that."""

import re
from pathlib import Path

import pytest

from rookery_protocol.errors import ConfigError
from rookery_server.config.config import Overrides, load

WRONG = "rk_000000000000_" + "A" * 32
STRANGE = ["", "nonsense", "é" * 40, "rk_" + "x" * 5000, WRONG[:-1], "rk_000000000000_\x7f"]


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("host = '0.0.0.0'", "make a token"),
        ("host = '0.0.0.0'\ntokens = 't'", "set tls.certificate and tls.key, or server.trusted"),
        ("trusted_proxies = ['10.0.0.0/8']", "lead here from other machines"),
        ("host = '0.0.0.0'\ntrusted_proxies = ['10.0.0.0/8']", "make a token"),
    ],
)
def test_network_needs_tokens_and_tls(tmp_path: Path, text: str, error: str) -> None:
    path = tmp_path / "rookery.toml"
    path.write_text(f"[server]\n{text}\n")
    with pytest.raises(ConfigError, match=error):
        load(path, Overrides())
    assert load(path, Overrides(insecure=True))


@pytest.mark.parametrize(
    "text",
    ["host = '0.0.0.0'\ntokens = 't'\n[tls]\ncertificate = 'c'\nkey = 'k'",
     "host = '0.0.0.0'\n[tls]\ncertificate = 'c'\nkey = 'k'\nclient_ca = 'a'",
     "host = '0.0.0.0'\ntokens = 't'\ntrusted_proxies = ['10.0.0.0/8']",
     "tokens = 't'", ""],
)  # fmt: skip
def test_network_with_them_is_allowed(tmp_path: Path, text: str) -> None:
    path = tmp_path / "rookery.toml"
    path.write_text(f"[server]\n{text}\n")
    assert load(path, Overrides())


def test_files_are_relative_to_the_configuration(tmp_path: Path) -> None:
    path = tmp_path / "rookery.toml"
    path.write_text(
        "[server]\ntokens = 't'\n[tls]\ncertificate = 'c'\nkey = '/k'\nclient_ca = 'a'\n"
    )
    config = load(path, Overrides())
    assert config.server.tokens == tmp_path / "t"
    assert config.tls
    assert (config.tls.certificate, config.tls.key, config.tls.client_ca) == (
        tmp_path / "c", Path("/k"), tmp_path / "a",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("[server]\ntokens = 1", "server.tokens needs a text, not 1"),
        ("[server]\ntrusted_proxies = ['x']", "server.trusted_proxies needs networks"),
        ("[server]\nhosts = ['http://x']", "server.hosts needs names"),
        ("[server]\norigins = ['x']", "server.origins needs origins"),
        ("[server]\nhandshake_timeout = 0", "server.handshake_timeout needs more than 0"),
        ("[tls]\nkey = 'x'", "tls.certificate is missing"),
        ("[tls]\ncertificate = 'x'", "tls.key is missing"),
        ("[tls]\ncertificat = 'x'", "unknown key tls.certificat: did you mean 'certificate'?"),
    ],
)
def test_error_names_the_key(tmp_path: Path, text: str, error: str) -> None:
    path = tmp_path / "rookery.toml"
    path.write_text(text)
    with pytest.raises(ConfigError, match=re.escape(error)):
        load(path, Overrides())
