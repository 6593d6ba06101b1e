"""The environment of engines."""

import os
import sys

import pytest

from rookery_protocol.environment import for_engines
from rookery_server.config.engines import ResourceLimits
from rookery_server.engines.child_process import spawn

SECRETS = {
    "ROOKERY_TOKEN": "x",
    "LICHESS_API_TOKEN": "x",
    "LICHESS_PROVIDER_SECRET": "x",
    "RAY_AUTH_TOKEN": "x",
    "RAY_AUTH_TOKEN_PATH": "/x",
    "PGPASSWORD": "x",
    "PGPASSFILE": "/x",
    "DB_PASS": "x",
    "AWS_SECRET_ACCESS_KEY": "x",
    "OPENAI_API_KEY": "x",
    "hf_token": "x",
    "CREDENTIALS_DIRECTORY": "/run/credentials/rookery.service",
    "NOTIFY_SOCKET": "/x",
    "LISTEN_FDS": "2",
    "LISTEN_PID": "7",
    "LISTEN_FDNAMES": "x",
    "WATCHDOG_USEC": "7",
    "DATABASE_URL": "postgresql://anna:x@db/rookery",
    "https_proxy": "http://anna:x@proxy:3128",
    "REDIS_URL": "redis://:x@db",
    "DSN": "host=db password=x",
    "JDBC": "jdbc:postgresql://db/rookery?user=a&password=x",
}
OTHERS = {
    "PATH": "/usr/bin:/bin",
    "HOME": "/home/anna",
    "LANG": "C.UTF-8",
    "LD_LIBRARY_PATH": "/opt/lc0",
    "CUDA_VISIBLE_DEVICES": "0",
    "OMP_NUM_THREADS": "4",
    "TOKENIZERS_PARALLELISM": "false",
    "KEYBOARD": "de",
    "SSH_AUTH_SOCK": "/x",  # an engine may be `ssh host stockfish`
    "https_proxy": "http://proxy:3128",
    "DATABASE_URL": "postgresql:///rookery?host=/run/postgresql",
    "WINEPREFIX": "/home/anna/.wine",
}


@pytest.mark.parametrize(("name", "value"), SECRETS.items())
def test_secrets_are_not_for_engines(name: str, value: str) -> None:
    assert for_engines({name: value}) == {}


def test_all_else_is() -> None:
    assert for_engines(OTHERS) == OTHERS


def test_engine_of_a_server_is_started_without_them(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in SECRETS.items():
        monkeypatch.setenv(name, value)
    code = "import os; print(sorted(os.environ))"
    with spawn((sys.executable, "-S", "-c", code), ResourceLimits()) as process:
        assert process.stdout
        seen = process.stdout.read().decode()
    assert os.environ.keys() >= SECRETS.keys()
    assert not [name for name in SECRETS if repr(name) in seen]
    assert "'PATH'" in seen
