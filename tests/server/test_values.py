"""Values of the configuration that would break a server later: each is refused, and why is said."""

from pathlib import Path

import pytest

from rookery_protocol.errors import ConfigError
from rookery_server.config.config import Overrides, from_toml, load

FAR = "needs more than 0 seconds"


@pytest.mark.parametrize(
    ("table", "key", "error"),
    [
        ("server", "start_timeout", f"server.start_timeout {FAR}"),
        ("sessions", "stop_timeout", f"sessions.stop_timeout {FAR}"),
        ("sessions", "ready_timeout", f"sessions.ready_timeout {FAR}"),
        ("quota", "longest_search", f"quota.longest_search {FAR}; false is no bound"),
        ("quota", "idle_timeout", f"quota.idle_timeout {FAR}; false is no bound"),
    ],
)
def test_time_that_is_over_at_once_is_none(table: str, key: str, error: str) -> None:
    with pytest.raises(ConfigError, match=error):
        from_toml({table: {key: 0}})


def test_day_is_a_time() -> None:
    assert from_toml({"sessions": {"grace": 86400}}).sessions.grace == 86400
    with pytest.raises(ConfigError, match="from 0 to a day, not 86401"):
        from_toml({"sessions": {"grace": 86401}})


@pytest.mark.parametrize(
    "document",
    [
        {"server": {"tokens": "a\0b"}},
        {"server": {"host": "a\0b"}},
        {"tls": {"certificate": "a\0b", "key": "k"}},
        {"control": {"socket": "a\0b"}},
        {"cache": {"file": "a\0b"}},
        {"engines": {"x": {"command": "sh a\0b"}}},
        {"engines": {"x": {"command": ["sh", "a\0b"]}}},
    ],
)
def test_character_that_ends_texts_of_the_system_is_in_none(document: dict[str, object]) -> None:
    with pytest.raises(ConfigError, match=r"needs a text without the character NUL, not '.*x00"):
        from_toml(document)


@pytest.mark.parametrize(
    ("encoding", "line"), [("latin-1", 3), ("utf-16", 1)]
)  # UTF-16 begins with a mark of its own
def test_file_in_another_encoding_is_told_so(tmp_path: Path, encoding: str, line: int) -> None:
    path = tmp_path / "rookery.toml"
    path.write_bytes("[server]\nport = 9\n# caf\xe9\n".encode(encoding))
    with pytest.raises(ConfigError, match=rf"is not UTF-8, from line {line} on: save it as UTF-8"):
        load(path, Overrides())


def test_key_before_its_table_is_told_where_it_stands() -> None:
    with pytest.raises(ConfigError, match=r"key port: server\.port stands below a line \[server\]"):
        from_toml({"port": 8080})
