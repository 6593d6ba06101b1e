"""Certificates by the system's own verifier, as on macOS and Windows.

On Linux `truststore` asks OpenSSL, so that the way there is tried, and neither other verifier.
"""

import ssl
import sys
from collections.abc import AsyncIterator
from hashlib import sha256
from pathlib import Path

import pytest
import trustme
import truststore
from helpers.certificates import certificate
from helpers.support import Running, odd

from rookery_bridge.client import AnalysisClient
from rookery_bridge.client.service_error import ServiceError
from rookery_bridge.setup.diagnosis import BridgeTrouble, Grade, of_tls
from rookery_bridge.setup.doctor import Doctor
from rookery_protocol import tls_trust
from rookery_protocol.address import Address
from rookery_protocol.dialer import failed_dial
from rookery_protocol.tls_trust import Trust
from rookery_server.config.config import Config
from rookery_server.config.engines import EngineConfig
from rookery_server.config.sections import ServerConfig


@pytest.fixture
def authority(tmp_path: Path) -> Path:
    return tmp_path / "ca.pem"


@pytest.fixture
async def secure(tmp_path: Path, authority: Path) -> AsyncIterator[Running]:
    issuer = trustme.CA()
    issuer.cert_pem.write_to_path(str(authority))
    tls = certificate(tmp_path / "tls", issuer, "127.0.0.1")
    engines = (EngineConfig("polite", odd("polite")),)
    async with Running(Config(engines, ServerConfig(port=0, tcp_port=0), tls=tls)) as running:
        yield running


@pytest.fixture
def own_verifier(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tls_trust, "_OWN_VERIFIERS", (sys.platform,))


async def troubles(app: Running, trust: Trust) -> list[BridgeTrouble | None]:
    """Return what is wrong with each kind of address."""
    found: list[BridgeTrouble | None] = []
    for address in (
        f"wss://127.0.0.1:{app.port}/engines/polite",
        f"tls://127.0.0.1:{app.tcp_port}/polite",
    ):
        findings = [each async for each in Doctor(Address.parse(address), trust).examine()]
        found += [next((each.trouble for each in findings if each.grade is Grade.BAD), None)]
    return found


@pytest.mark.usefixtures("own_verifier")
async def test_authority_of_the_system_is_believed(
    secure: Running, authority: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = f"https://127.0.0.1:{secure.port}"
    assert await troubles(secure, Trust()) == [BridgeTrouble.UNKNOWN_ISSUER] * 2
    with pytest.raises(ServiceError, match="the server is not trusted"):
        async with AnalysisClient(address) as client:
            await client.engines()
    monkeypatch.setenv("SSL_CERT_FILE", str(authority))
    assert await troubles(secure, Trust()) == [None, None]
    async with AnalysisClient(address) as client:
        assert [each.name for each in await client.engines()] == ["polite"]


@pytest.mark.usefixtures("own_verifier")
async def test_pins_and_authorities_of_the_user_go_as_before(
    secure: Running, authority: Path, tmp_path: Path
) -> None:
    shown = ssl.PEM_cert_to_DER_cert((tmp_path / "tls" / "certificate.pem").read_text())
    for trust in (Trust(authority=authority), Trust(pin=sha256(shown).digest())):
        assert await troubles(secure, trust) == [None, None]
    other = await troubles(secure, Trust(pin=bytes(32)))
    assert other == [BridgeTrouble.OTHER_CERTIFICATE] * 2


@pytest.mark.parametrize("system", ["darwin", "win32"])
def test_system_is_asked_where_it_has_a_verifier(
    system: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert not isinstance(Trust().context(), truststore.SSLContext)
    with monkeypatch.context() as patch:
        patch.setattr(sys, "platform", system)
        context = Trust().context()
        assert isinstance(context, truststore.SSLContext)
        assert context.check_hostname
        assert context.verify_mode is ssl.CERT_REQUIRED


@pytest.mark.usefixtures("own_verifier")
def test_openssl_will_do_where_the_library_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    assert isinstance(Trust().context(), truststore.SSLContext)
    monkeypatch.setitem(sys.modules, "truststore", None)
    assert type(Trust().context()) is ssl.SSLContext


def refused(text: str, code: int | None) -> ssl.SSLCertVerificationError:
    """Return an error as `truststore` makes it."""
    error = ssl.SSLCertVerificationError(text)
    if code is not None:
        error.verify_code, error.verify_message = code, text
    return error


@pytest.mark.parametrize(
    ("code", "trouble"),
    [
        (0x800B0101, BridgeTrouble.EXPIRED),
        (0x800B0109, BridgeTrouble.UNKNOWN_ISSUER),
        (0x800B010F, BridgeTrouble.WRONG_NAME),
        (-67602, BridgeTrouble.WRONG_NAME),
        (-67818, BridgeTrouble.EXPIRED),
        (-67819, BridgeTrouble.EARLY),
        (-67843, BridgeTrouble.UNKNOWN_ISSUER),
        (None, BridgeTrouble.UNKNOWN_ISSUER),
    ],
)
def test_verdicts_of_windows_and_macos_are_known(code: int | None, trouble: BridgeTrouble) -> None:
    error = refused("as the system says it", code)
    assert of_tls(error) is trouble
    said = failed_dial(error, Trust())
    assert str(said).startswith("the server is not trusted: as the system says it; ")
    assert said.is_final
