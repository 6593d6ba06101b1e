"""Command `rookery-server health`: whether a server of this machine is well, for its supervisor."""

import argparse
import http.client
import socket
import ssl
from collections.abc import Sequence
from contextlib import closing

from rookery_protocol.console import print_line
from rookery_protocol.errors import ServerError
from rookery_server.commands import command_line
from rookery_server.config import config
from rookery_server.config.addresses import connect_host
from rookery_server.config.sections import TlsConfig
from rookery_server.transport import HEALTH, READY

_PATIENCE = 4.0  # s that it has to answer


def run(arguments: Sequence[str]) -> int:
    """Ask the server that the command line names; return the exit status.

    Raises:
        ConfigError: the configuration cannot be used.
        ServerError: it does not answer, or is not well.

    """
    options = command_line.parse(_parser(), arguments)
    settings = config.read_document(options.config)
    host = connect_host(settings.server.host)
    port = options.port or settings.server.port
    try:
        status, text = _ask(host, port, READY if options.ready else HEALTH, settings.tls)
    except (OSError, http.client.HTTPException) as error:
        raise ServerError(
            f"no answer from {host}:{port}: {error}; is the server there, and is that its port?"
            " --config FILE says which it is, and whether it speaks TLS; --port says another"
        ) from error
    if status != http.client.OK:
        raise ServerError(text)
    print_line(text)
    return 0


def _ask(host: str, port: int, path: str, tls: TlsConfig | None) -> tuple[int, str]:
    """Return the status and the text of an answer."""
    if tls and tls.client_ca:  # It answers only those who have a certificate.
        socket.create_connection((host, port), _PATIENCE).close()
        return http.client.OK, "it listens"
    connection = http.client.HTTPConnection(host, port, timeout=_PATIENCE)
    if tls:
        # The certificate is for the name that others know, and this is the machine itself.
        context = ssl._create_unverified_context()  # noqa: S323
        connection = http.client.HTTPSConnection(host, port, timeout=_PATIENCE, context=context)
    with closing(connection):
        connection.request("GET", path)
        answer = connection.getresponse()
        return answer.status, answer.read().decode(errors="replace").strip()


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="rookery-server health", description="Ask a server of this machine whether it is well."
    )
    command_line.add_server(parser)
    parser.add_argument(
        "--ready", action="store_true", help="whether it would take one more session, too"
    )
    return parser
