"""Commands load no module that they do not need, for that takes longer than the command."""

import subprocess
import sys

import pytest


@pytest.mark.parametrize(
    ("module", "spared"),
    [
        ("rookery_server.commands.serve", "alembic"),  # what keeps analyses or jobs loads it later
        ("rookery_server.commands.analyse", "sqlalchemy"),
        ("rookery_server.commands.analyse", "rookery_server.app"),
        ("rookery_server.commands.health_command", "rookery_server.session"),
        ("rookery_server.commands.token_command", "rookery_server.session"),
        ("rookery_server.__main__", "rookery_server.session"),
    ],
)
def test_a_command_loads_what_it_needs(module: str, spared: str) -> None:
    code = f"import sys, {module}; print({spared!r} in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
