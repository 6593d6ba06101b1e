"""How the server is, for machines that ask: alive, ready, and in numbers.

/healthz   200 as long as it turns at all
/readyz    503 when it takes no more sessions: it drains, is full, or has no engine; 200 and
           `ready` otherwise, with one more line if strangers crowd the door
/metrics   what goes on, for Prometheus; for this machine and for admins
"""

from websockets.asyncio.server import ServerConnection
from websockets.http11 import Response

from rookery_server.http.health_paths import HEALTH, METRICS, READY
from rookery_server.http.metrics import CONTENT_TYPE, Metrics
from rookery_server.session.manager import SessionManager
from rookery_server.transport.connection_policy import Entrance

# Not a reason to send clients elsewhere: they would be as many there, and those who show a good
# token get in here.
_CROWDED = "crowded: connections that did not log in were turned out within the last minute\n"


class Status:
    """Answers for one server."""

    def __init__(self, host: SessionManager, entrance: Entrance) -> None:
        self._host = host
        self._entrance = entrance
        self._metrics = Metrics(host, entrance)

    def trouble(self) -> str:
        """Say why no session should be begun here; nothing if one may."""
        if self._host.is_draining:
            return "draining"
        if self._entrance.admission.is_full:
            return "full"
        return "" if self._host.fleet.has_engine else "no engine"

    def answer(self, connection: ServerConnection, path: str) -> Response | None:
        """Answer what is for everybody; None is for something else."""
        if path == HEALTH:
            return connection.respond(200, "ok\n")
        if path != READY:
            return None
        if trouble := self.trouble():
            return connection.respond(503, f"{trouble}\n")
        return connection.respond(200, f"ready\n{_CROWDED if self._entrance.usher.is_busy else ''}")

    def metrics(self, connection: ServerConnection) -> Response:
        """Answer with the metrics."""
        response = connection.respond(200, self._metrics.text())
        del response.headers["Content-Type"]
        response.headers["Content-Type"] = CONTENT_TYPE
        return response

    def answer_metrics(self, connection: ServerConnection, path: str) -> Response:
        """Answer at the port that is for nothing else."""
        if path == METRICS:
            return self.metrics(connection)
        return self.answer(connection, path) or connection.respond(404, "not found\n")
