"""Certificates for servers in tests, by an authority of the test's own."""

from datetime import datetime
from pathlib import Path

import trustme

from rookery_server.config.sections import TlsConfig


def certificate(
    folder: Path, authority: trustme.CA, *names: str, until: datetime | None = None
) -> TlsConfig:
    """Write a certificate and its key into a folder; one that is no longer good, if so is said."""
    folder.mkdir(exist_ok=True)
    issued = authority.issue_cert(*names, not_after=until)
    issued.private_key_pem.write_to_path(str(folder / "key.pem"))
    issued.cert_chain_pems[0].write_to_path(str(folder / "certificate.pem"))
    return TlsConfig(folder / "certificate.pem", folder / "key.pem")
