"""Faults of the files of TLS: said before guests find out, and of the file that it is."""

import os
import signal
import subprocess
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import trustme
from helpers.certificates import certificate
from helpers.serving import SERVER
from helpers.support import TIMEOUT, add_token, odd

from rookery_protocol.errors import ConfigError
from rookery_server.access.tls import Certificate, TlsContext
from rookery_server.config.sections import TlsConfig

POLITE = f"[engines.polite]\ncommand = {list(odd('polite'))}\n"
TLS = "[tls]\ncertificate = 'certificate.pem'\nkey = 'key.pem'\n"
WHOLE_YEAR = timedelta(days=365)


@pytest.fixture
def files(tmp_path: Path) -> TlsConfig:
    return issued(tmp_path, WHOLE_YEAR)


def issued(folder: Path, left: timedelta) -> TlsConfig:
    """Write a certificate that is good for so long, and a key that nobody else can read."""
    files = certificate(folder, trustme.CA(), "127.0.0.1", until=datetime.now(UTC) + left)
    files.key.chmod(0o600)
    return files


def checked(folder: Path) -> tuple[int, str]:
    """Check a server with these files; return the status, and what is said of TLS."""
    (folder / "rookery.toml").write_text(TLS + POLITE)
    done = subprocess.run(
        [SERVER, "check", "--config", "rookery.toml"],
        cwd=folder, env=os.environ, capture_output=True, text=True,
        timeout=TIMEOUT, check=False,
    )  # fmt: skip
    line = next(each for each in done.stdout.splitlines() if each.startswith("TLS"))
    return done.returncode, line


def test_good_files_are_no_news(tmp_path: Path, files: TlsConfig) -> None:
    assert files.key.parent == tmp_path
    assert checked(tmp_path) == (0, "TLS: yes")


def test_certificate_that_is_over_serves_nobody(tmp_path: Path) -> None:
    issued(tmp_path, -WHOLE_YEAR)
    status, line = checked(tmp_path)
    assert status == 2
    assert line == (
        "TLS: yes, but nobody can use the certificate: certificate has expired; renew it"
    )


def test_certificate_that_ends_soon_is_worth_a_word(tmp_path: Path) -> None:
    issued(tmp_path, timedelta(days=9))
    status, line = checked(tmp_path)
    assert status == 0
    assert line.startswith("TLS: yes, but the certificate is good until ")


def test_key_that_all_can_read_is_said_so(tmp_path: Path, files: TlsConfig) -> None:
    files.key.chmod(0o644)
    where = "others can use tls.key key.pem (mode 0644): chmod 600 key.pem"
    assert checked(tmp_path) == (0, f"TLS: yes, but {where}")


def said_by_a_server(
    tmp_path: Path,
    change: Callable[[], object] = lambda: None,
    *,
    more: str = "",
    tls: str = TLS,
) -> list[str]:
    """Return what a server logs from its start until it has read all again, after a change.

    `more` is what else it has in [server].
    """
    (tmp_path / "rookery.toml").write_text(
        f"[server]\nport = 0\ntcp_port = false\n{more}[control]\nsocket = false\n{tls}{POLITE}"
    )
    with subprocess.Popen(
        [SERVER, "--config", "rookery.toml"],
        cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    ) as server:  # fmt: skip
        try:
            assert server.stdout
            assert server.stderr
            assert any("Ctrl-C ends it" in line for line in server.stdout)
            change()
            server.send_signal(signal.SIGHUP)
            said = []
            for line in server.stderr:
                said.append(line)
                if "was read again" in line:
                    break
        finally:
            server.kill()
    return said


def test_server_says_so_when_it_starts_and_when_it_reads_them_again(tmp_path: Path) -> None:
    issued(tmp_path, -WHOLE_YEAR)
    said = said_by_a_server(tmp_path)
    told = [line for line in said if "WARNING" in line and "nobody can use the cert" in line]
    assert len(told) == 2, said


@pytest.mark.parametrize("tls", [TLS, ""])
def test_proxies_that_are_nearly_everybody_are_warned_of(tmp_path: Path, tls: str) -> None:
    """Without TLS that is all that keeps tokens from being read on the way."""
    add_token(tmp_path / "tokens")
    issued(tmp_path, WHOLE_YEAR)
    more = "tokens = 'tokens'\ntrusted_proxies = ['0.0.0.0/1', '128.0.0.0/1']\n"
    said = said_by_a_server(tmp_path, more=more, tls=tls)
    told = [line for line in said if "WARNING" in line and "trusted_proxies has 0.0.0.0/0" in line]
    assert len(told) == 2, said  # at the start, and when it has read them again
    assert all(bool(tls) != ("may come without TLS" in line) for line in told)


def test_files_that_cannot_be_used_are_told_once_and_what_is_served_is_warned_of(
    tmp_path: Path,
) -> None:
    files = issued(tmp_path, timedelta(days=9))
    said = said_by_a_server(tmp_path, lambda: files.certificate.write_text("junk"))
    assert sum("the certificate is as before: " in line for line in said) == 1, said
    assert sum("the certificate is good until " in line for line in said) == 2, said


@pytest.mark.parametrize(
    ("what", "error"),
    [
        ("encrypted", r"tls\.key \S+ is encrypted: 'openssl pkey -in \S+' writes it without"),
        ("another", r"tls\.key \S+ is the key of another certificate than tls\.certificate \S+: "),
        ("empty", r"tls\.certificate \S+ has no certificate in PEM, a text with -----BEGIN"),
        ("swapped", r"tls\.certificate \S+ has no certificate in PEM"),
        ("twice", r"tls\.key \S+ has no private key in PEM"),
    ],
)
def test_file_that_is_wrong_is_named(
    tmp_path: Path, files: TlsConfig, what: str, error: str
) -> None:
    if what == "encrypted":
        subprocess.run(
            ["openssl", "pkey", "-in", files.key, "-aes128", "-passout", "pass:a", "-out", "e"],
            cwd=tmp_path, check=True, capture_output=True,
        )  # fmt: skip
        files = TlsConfig(files.certificate, tmp_path / "e")
    elif what == "another":
        files = TlsConfig(files.certificate, issued(tmp_path / "other", WHOLE_YEAR).key)
    elif what == "empty":
        files.certificate.write_bytes(b"")
    elif what == "swapped":
        files = TlsConfig(files.key, files.certificate)
    else:
        files = TlsConfig(files.certificate, files.certificate)
    with pytest.raises(ConfigError, match=error):
        TlsContext(files)


@pytest.mark.parametrize("heading", ["X509 CERTIFICATE", "TRUSTED CERTIFICATE"])
def test_certificate_with_another_heading_is_one(files: TlsConfig, heading: str) -> None:
    pin = Certificate.read(files, None).pin
    text = files.certificate.read_text()
    files.certificate.write_text(text.replace("CERTIFICATE-", f"{heading}-"))
    TlsContext(files)
    assert Certificate.read(files, None).pin == pin


def test_certificate_of_a_key_that_no_client_knows_is_refused(files: TlsConfig) -> None:
    """TLS 1.3 has no name for it, and OpenSSL loads it all the same."""
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:secp256k1",
         "-nodes", "-subj", "/CN=x", "-keyout", files.key, "-out", files.certificate],
        check=True, capture_output=True, timeout=TIMEOUT,
    )  # fmt: skip
    TlsContext(files)
    with pytest.raises(ConfigError, match=r"no client can use it: .*; get one with an RSA or"):
        Certificate.read(files, None)
