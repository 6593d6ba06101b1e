"""The rendered configuration, in the hands of the real server: `make chart-test`."""

import contextlib
import http.client
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
import trustme
from bench.child import free_port
from bench.postgres import postgres
from helpers.charts import ALL, INGRESS, SETS, Rendered, Values, render
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

SERVER = Path(sys.executable).with_name("rookery-server")
UP_TIME = 30.0  # s
TRIES = 300
TABLES = "/tables/3-4-5"  # where helpers/charts.py has the volume of endgame tables


@dataclass(frozen=True)
class Installed:
    """The files of a pod, in a folder."""

    rendered: Rendered
    folder: Path
    port: int
    metrics_port: int

    @property
    def file(self) -> Path:
        return self.folder / "rookery.toml"

    def run(self, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [SERVER, *arguments, "--config", self.file],
            env={**os.environ, **environment},
            capture_output=True,
            text=True,
            timeout=UP_TIME,
            check=False,
        )


def install(rendered: Rendered, folder: Path) -> Installed:
    """Write what the pod would have, with paths and ports of this machine."""
    port, tcp_port, metrics_port = (free_port() for _ in range(3))
    text = rendered.configuration()
    for theirs, ours in (
        ("/run/rookery/", f"{folder}/"),
        ("/data/", f"{folder}/"),
        (TABLES, f"{folder}{TABLES}"),
        ("0.0.0.0", "127.0.0.1"),
        ("= 8080", f"= {port}"),
        ("= 8081", f"= {tcp_port}"),
        ("= 9100", f"= {metrics_port}"),
    ):
        text = text.replace(theirs, ours)
    installed = Installed(rendered, folder, port, metrics_port)
    installed.file.write_text(text)
    return installed


def give_tokens(rendered: Rendered, folder: Path) -> None:
    """Write the files of the Secret, as a volume of that mode has them."""
    mounted = folder / "tokens"
    mounted.mkdir()
    [volume] = [
        each["secret"] for each in rendered.pod()["spec"]["volumes"] if each["name"] == "tokens"
    ]
    for item in volume["items"]:
        file = mounted / item["path"]
        if "Secret" in rendered.kinds():
            file.write_text(rendered.secret()[item["key"]])
            file.chmod(volume["defaultMode"])
        else:
            command = [SERVER, "token", "add", "anna", "--file", file]
            subprocess.run(command, check=True, capture_output=True, timeout=UP_TIME)


def give_certificate(folder: Path) -> None:
    certificate = trustme.CA().issue_cert("chess.example")
    mounted = folder / "tls"
    mounted.mkdir()
    certificate.private_key_pem.write_to_path(mounted / "tls.key")
    for pem in certificate.cert_chain_pems:
        pem.write_to_path(mounted / "tls.crt", append=True)


@pytest.fixture
def pod(request: pytest.FixtureRequest, tmp_path: Path) -> Installed:
    """Return the files of a pod that has the values of a test's parameter."""
    values: Values = request.param
    rendered = render(values)
    give_tokens(rendered, tmp_path)
    give_certificate(tmp_path)
    (tmp_path / TABLES.lstrip("/")).mkdir(parents=True)
    return install(rendered, tmp_path)


@contextlib.contextmanager
def serving(pod: Installed) -> Iterator[None]:
    """Run the server as the pod would."""
    with subprocess.Popen(
        [SERVER, "serve", "--config", pod.file],
        env={**os.environ, "STATE_DIRECTORY": str(pod.folder)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    ) as server:
        try:
            for _ in range(TRIES):
                if pod.run("health", "--ready").returncode == 0:
                    break
                assert server.poll() is None, server.stderr and server.stderr.read()
            else:
                pytest.fail("the server does not become ready")
            yield
        finally:
            server.terminate()
            server.wait(UP_TIME)


def get(port: int, path: str, **headers: str) -> tuple[int, str]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=UP_TIME)
    with contextlib.closing(connection):
        connection.request("GET", path, headers=headers)
        answer = connection.getresponse()
        return answer.status, answer.read().decode()


WITHOUT_DATABASE = {name: values for name, values in ALL.items() if "postgresql" not in values}


@pytest.mark.parametrize("pod", WITHOUT_DATABASE.values(), ids=WITHOUT_DATABASE, indirect=True)
def test_server_takes_the_configuration(pod: Installed) -> None:
    checked = pod.run("check")
    assert checked.returncode == 0, checked.stdout + checked.stderr


@pytest.mark.parametrize("pod", [{"ingress": INGRESS}], indirect=True)
def test_what_the_chart_promises_is_there(pod: Installed) -> None:
    """Probes answer to the pod's address, and the autoscaler's metrics are exported."""
    with serving(pod):
        for path in ("/healthz", "/readyz"):
            assert get(pod.port, path, Host="10.42.0.7:8080")[0] == 200
        status, text = get(pod.metrics_port, "/metrics")
    rendered = render(SETS["autoscaling"])
    metrics = rendered.find("HorizontalPodAutoscaler")["spec"]["metrics"]
    assert status == 200
    for metric in metrics:
        assert f"\n{metric['pods']['metric']['name']} " in text


@pytest.mark.parametrize("pod", [{}], indirect=True)
def test_the_first_token_opens_and_nothing_else_does(pod: Installed) -> None:
    token = pod.rendered.secret()["admin-token"]
    url = f"ws://127.0.0.1:{pod.port}/engines/rookery"
    headers = {"Authorization": f"Bearer {token}"}
    with serving(pod):
        with pytest.raises(InvalidStatus) as refused:
            connect(url, proxy=None)
        with connect(url, additional_headers=headers, proxy=None) as socket:
            socket.send("isready")
            assert socket.recv(UP_TIME) == "readyok"
    assert refused.value.response.status_code == 401


@pytest.mark.parametrize("pod", [SETS["postgresql"]], indirect=True)
def test_database_is_found_by_the_secret(pod: Installed) -> None:
    """The variables that the Secret is given as are all that the server needs."""
    with postgres() as url:
        parts = urlsplit(url)
        [host] = parse_qs(parts.query)["host"]
        found = {"PGHOST": host, "PGUSER": parts.username or "", "PGDATABASE": parts.path[1:]}
        checked = pod.run("check", **found)
    assert checked.returncode == 0, checked.stdout + checked.stderr
    assert pod.run("check", PGHOST=str(pod.folder)).returncode != 0
