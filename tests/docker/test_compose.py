"""The compose files, read as somebody who wants to get in would read them."""

import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

DOCKER = Path(__file__).parents[2] / "docker"
SERVICES: dict[str, dict[str, Any]] = {
    f"{file.name} {name}": service
    for file in sorted(DOCKER.glob("compose*.yaml"))
    for name, service in yaml.safe_load(file.read_text())["services"].items()
    if "image" in service  # else it only adds to one of another file
}
GRAFANA = SERVICES["compose.yaml grafana"]
PUBLIC = {"compose.yaml caddy": ["80:80", "443:443", "443:443/udp"]}  # it is there for others


@pytest.mark.parametrize("name", SERVICES)
def test_only_the_proxy_is_reached_from_other_machines(name: str) -> None:
    ports = SERVICES[name].get("ports", [])
    if name in PUBLIC:
        assert ports == PUBLIC[name]
    else:
        assert all(port.startswith("127.0.0.1:") for port in ports)
    assert "network_mode" not in SERVICES[name]


@pytest.mark.parametrize("name", SERVICES)
def test_each_container_has_no_more_rights_than_it_needs(name: str) -> None:
    service = SERVICES[name]
    assert service["cap_drop"] == ["ALL"]
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert "SYS_ADMIN" not in service.get("cap_add", [])
    assert not {"privileged", "pid", "ipc", "devices"} & set(service)
    for volume in service.get("volumes", []):
        assert "docker.sock" not in volume
        assert not volume.startswith("/")


@pytest.mark.parametrize("name", SERVICES)
def test_no_secret_has_a_value_that_everybody_knows(name: str) -> None:
    for variable, value in SERVICES[name].get("environment", {}).items():
        if "PASSWORD" in variable or "TOKEN" in variable or "SECRET" in variable:
            assert value.endswith(":-}") or ":?" in value, variable


@pytest.mark.parametrize("password", ["", "secret"])
def test_grafana_starts_with_a_password_only(password: str) -> None:
    shell, option, script = GRAFANA["entrypoint"]
    run = script.replace("$$", "$").replace("exec /run.sh", "exec echo started")
    done = subprocess.run(
        [shell, option, run],
        env={"GF_SECURITY_ADMIN_PASSWORD": password},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert "${GRAFANA_PASSWORD:-}" in GRAFANA["environment"].values()
    assert (done.stdout == "started\n") == bool(password)
    assert ("set GRAFANA_PASSWORD" in done.stderr) == (not password)
    assert (done.returncode == 0) == bool(password)
