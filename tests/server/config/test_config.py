"""Keys of the configuration, and the errors for values that they cannot have."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from rookery_protocol.errors import ConfigError
from rookery_server.config.config import (
    Config,
    Overrides,
    after_reload,
    at,
    check_ports,
    from_toml,
    load,
    read_document,
)
from rookery_server.config.engines import EXTRAS, Alias, EngineConfig, Forced, Policy
from rookery_server.config.resources import BudgetConfig, Quota
from rookery_server.config.sections import ConnectionConfig, database_url


def write(folder: Path, text: str) -> Path:
    path = folder / "rookery.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_without_anything_our_own_engine_is_offered_on_loopback() -> None:
    config = load(None, Overrides())
    assert [engine.name for engine in config.engines] == ["rookery"]
    assert config.engines[0].command[0].endswith("rookery-engine")
    assert (config.server.host, config.server.port, config.server.tcp_port) == (
        "127.0.0.1",
        8080,
        8081,
    )


def test_file_is_read(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        """
        [server]
        port = 1234
        tcp_port = false
        origins = ["https://club.example"]
        drain_timeout = 3

        [engines.one]
        command = "sh -c 'echo a b'"
        [engines.two]
        command = ["sh", "-c", "true"]
        """,
    )
    config = load(path, Overrides())
    assert (config.server.port, config.server.tcp_port, config.server.drain_timeout) == (
        1234,
        None,
        3.0,
    )
    assert config.server.origins == ("https://club.example",)
    assert [engine.name for engine in config.engines] == ["one", "two"]
    assert config.engines[0].command[1:] == ("-c", "echo a b")


def test_command_line_is_over_the_file(tmp_path: Path) -> None:
    path = write(tmp_path, "[server]\nport = 1\n[engines.a]\ncommand = 'sh'\n")
    config = load(path, Overrides(port=2, engines=("b=sh -x", "a=sh -e")))
    assert config.server.port == 2
    assert [(engine.name, *engine.command[1:]) for engine in config.engines] == [
        ("b", "-x"),
        ("a", "-e"),
    ]


def test_default_engine_is_the_first() -> None:
    config = Config(engines=(EngineConfig("a", ("x",)), EngineConfig("b", ("y",))))
    assert config.engine(None) == config.engines[0]
    assert config.engine("b") == config.engines[1]
    assert config.engine("c") is None


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("[server]\nprot = 1", "unknown key server.prot: did you mean 'port'?"),
        ("[sevrer]", "unknown key sevrer: did you mean 'server'?"),
        ("server = 1", "server needs a table, not 1"),
        ("[server]\nport = 70000", "server.port needs a port from 0 to 65535, not 70000"),
        ("[server]\nport = true", "server.port needs a port from 0 to 65535, not True"),
        ("[server]\nport = '1'", "server.port needs a port from 0 to 65535, not '1'"),
        ("[server]\nhost = ''", "server.host needs a text, not ''"),
        ("[server]\norigins = 'x'", "server.origins needs a list of texts, not 'x'"),
        ("[server]\ndrain_timeout = -1", "server.drain_timeout needs seconds, from 0 to a day"),
        ('[engines.a]\ncomand = "x"', "comand"),
        ("[engines.a]", "engines.a.command is missing"),
        ("[[engines]]\nname = 'a'", "engines: each has a table with its name, [engines.NAME]"),
        ("[engines.a]\ncommand = 1", "engines.a.command needs a text or a list of texts, not 1"),
        ("[engines.a]\ncommand = ''", "engines.a.command is empty"),
        ('[engines.a]\ncommand = "\'"', "engines.a.command cannot be read as a command"),
        ("[engines.'a b']\ncommand = 'sh'", "an engine's name has letters"),
        ("[engines.a]\ncommand = 'no-such-program'", "there is no program 'no-such-program'"),
        ("[engines.a]\ncommand = '/etc/passwd'", "'/etc/passwd' is no file that may be executed"),
        ("[engines.a]\ncommand = '/'", "'/' is no file that may be executed"),
        ("[server", "is not TOML"),
        ("a = " + "[" * 5000, "is not TOML"),
        ("[budget]\nthread = 1", "unknown key budget.thread: did you mean 'threads'?"),
        ("[budget]\nthreads = 0", "budget.threads needs a whole number from 1 to 65536, not 0"),
        ("[budget]\nhash_mb = 1.5", "budget.hash_mb needs a whole number from 1 to"),
        ("[budget]\nwaiting = -1", "budget.waiting needs a whole number from 0 to 10000, not -1"),
        ("[connection]", "unknown key connection: did you mean 'connections'?"),
        ("[connections]\ntotal = 0", "connections.total needs a whole number from 1 to 1000000"),
        ("[connections]\nper_adress = 1", "did you mean 'per_address'?"),
        (
            "[connections]\nstarts_per_second = 'x'",
            "needs a number above 0 and below 1000000, not 'x'",
        ),
        ("[connections]\nstarts_per_second = 2000000", "and below 1000000, not 2000000"),
        ("quota = 1", "quota needs a table, not 1"),
        ("[quota]\nsession = 1", "unknown key quota.session: did you mean 'sessions'?"),
        ("[quota]\nthreads = true", "quota.threads needs a whole number from 1 to 65536, not True"),
        ("[quota]\nsessions = false", "quota.sessions needs a whole number from 1 to"),
        ("[server]\ndrain = 'slow'", "server.drain needs one of stop, finish, not 'slow'"),
        ("[log]\nformat = 1", "log.format needs one of text, json, not 1"),
        ("[log]\nlevel = 'loud'", "log.level needs one of debug, info, warning, error, not"),
        ("[metrics]\nport = true", "metrics.port needs a port from 0 to 65535, not True"),
        ("[control]\nsocket = 1", "control.socket needs a text, not 1"),
        ("[quotas]\nthreads = 1", "quotas.threads needs a table, not 1"),
        ("[quotas.anna]\nidle_timeout = -1", "quotas.anna.idle_timeout needs seconds, from 0"),
    ],
)
def test_error_names_the_key(tmp_path: Path, text: str, error: str) -> None:
    with pytest.raises(ConfigError) as caught:
        load(write(tmp_path, text), Overrides())
    assert error in str(caught.value)


def test_byte_order_mark_of_some_editors_is_forgiven(tmp_path: Path) -> None:
    path = tmp_path / "rookery.toml"
    path.write_text("[server]\nport = 9\n", encoding="utf-8-sig")
    assert load(path, Overrides()).server.port == 9


def test_missing_file(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"cannot read .*: No such file"):
        load(tmp_path / "none.toml", Overrides())


@pytest.mark.parametrize("argument", ["stockfish", "=sh", "a=", "a b=sh"])
def test_bad_engine_argument(argument: str) -> None:
    with pytest.raises(ConfigError, match="--engine"):
        load(None, Overrides(engines=(argument,)))


def test_name_that_is_given_twice_on_the_command_line() -> None:
    with pytest.raises(ConfigError, match=r"--engine a=\.\.\. is there 2 times"):
        load(None, Overrides(engines=("a=sh", "a=true")))


@pytest.mark.parametrize("host", ["0.0.0.0", "192.0.2.1", "::", "example.org"])
def test_address_of_a_network_is_never_open_by_accident(host: str) -> None:
    with pytest.raises(ConfigError, match="--insecure"):
        load(None, Overrides(host=host, engines=("a=sh",)))
    assert load(None, Overrides(host=host, engines=("a=sh",), insecure=True)).server.host == host


def test_plain_text_is_no_leave_to_come_in(tmp_path: Path) -> None:
    path = write(
        tmp_path, "[server]\nhost = '0.0.0.0'\nplain = true\n[engines.a]\ncommand = 'sh'\n"
    )
    with pytest.raises(ConfigError, match="make a token"):
        load(path, Overrides())
    assert load(path, Overrides(tokens=tmp_path / "tokens")).server.plain


@pytest.mark.parametrize("host", ["127.0.0.1", "127.1.2.3", "::1", "localhost"])
def test_loopback_needs_no_leave(host: str) -> None:
    assert load(None, Overrides(host=host, engines=("a=sh",))).server.host == host


@pytest.mark.parametrize(("text", "message"), [
    ("[server]\ntcp_port = 8080", "server.port and server.tcp_port are both 8080"),
    ("[metrics]\nport = 8081", "server.tcp_port and metrics.port are both 8081"),
    ("[server]\nhost = '0.0.0.0'\n[metrics]\nport = 8080", "server.port and metrics.port are both"),
    ("[broker]\nport = 8080", "server.port and broker.port are both 8080"),
])  # fmt: skip
def test_a_port_is_for_one_thing(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        check_ports(read_document(write(tmp_path, text)))


@pytest.mark.parametrize("text", [
    "",
    "[server]\nport = 0\ntcp_port = 0",
    "[server]\nhost = '10.0.0.1'\n[metrics]\nport = 8080",
    "[server]\nhost = '0.0.0.0'\n[metrics]\nhost = '::1'\nport = 8080",
])  # fmt: skip
def test_a_port_of_another_address_is_another(tmp_path: Path, text: str) -> None:
    check_ports(read_document(write(tmp_path, text)))


def test_empty_document_is_the_defaults() -> None:
    assert from_toml({}) == Config(engines=())


def test_what_clients_may_do_with_an_engine(tmp_path: Path) -> None:
    (tmp_path / "rookery.toml").write_text(
        "[engines.a]\ncommand = 'sh'\nfiles = true\ncommands = ['d', 'eval']\n"
        "[engines.b]\ncommand = 'sh'\n"
        "[engines.c]\ncommand = 'rookery-engine'\n"
        "[engines.d]\ncommand = 'sh'\nstrings = ['NumaPolicy']\nhidden = ['Ponder']\n"
        "options = { Hash = 64, 'Use NNUE' = true }\n"
        "aliases.SyzygyPath = { small = '/data/3-4-5', 'six.men' = '/data/6' }\n"
    )
    a, b, c, d = load(tmp_path / "rookery.toml", Overrides()).engines
    assert a.policy == Policy(files=True, commands=("d", "eval"))
    assert b.policy == Policy(files=False, commands=())
    assert c.policy == Policy(files=False, commands=EXTRAS)
    assert d.policy == Policy(
        strings=("NumaPolicy",),
        hidden=("Ponder",),
        options=(Forced("Hash", "64"), Forced("Use NNUE", "true")),
        aliases=(
            Alias("SyzygyPath", "small", "/data/3-4-5"),
            Alias("SyzygyPath", "six.men", "/data/6"),
        ),
    )


def test_what_there_is_for_whom(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        """
        [engines.a]
        command = "sh"
        [budget]
        threads = 6
        waiting = 20
        [connections]
        per_address = 8
        [quota]
        threads = 2
        longest_search = 600
        [quotas.member]
        threads = 3
        longest_search = false
        [quotas.anna]
        sessions = 2
        """,
    )
    config = load(path, Overrides())
    assert config.budget == BudgetConfig(threads=6, waiting=20)
    assert config.connections == ConnectionConfig(per_address=8)
    assert config.quotas.of("guest", "x") == Quota(threads=2, longest_search=600.0)
    assert config.quotas.of("member", "anna") == Quota(threads=3, longest_search=None, sessions=2)


@pytest.mark.parametrize(("line", "message"), [
    ("files = 1", "engines.a.files needs true or false, not 1"),
    ("commands = ['dance']", "engines.a.commands can have bench, compiler, .* not 'dance'"),
    ("commands = 'd'", "engines.a.commands needs a list of texts"),
    ("strings = 'x'", "engines.a.strings needs a list of texts"),
    ("hidden = [1]", "engines.a.hidden needs a text, not 1"),
    ("options = 1", "engines.a.options needs a table"),
    ("options.Hash = [1]", "engines.a.options.Hash needs a text, a number, true or false"),
    ('options.X = "a\\nquit"', "engines.a.options.X needs a text"),
    ("options = { Hash = 5, hash = 3 }", "options has 'Hash' and 'hash', which is one option"),
    ("options = { 'Use  NNUE' = 5, 'use nnue' = 3 }", "'Use  NNUE' and 'use nnue', which is one"),
    ("aliases.SyzygyPath = '/x'", "engines.a.aliases.SyzygyPath needs a table"),
    ("aliases.P.'a b' = '/x'", "engines.a.aliases.P: a name has letters"),
    ('aliases.P.a = "/x\\u0001"', "engines.a.aliases.P.a needs one line of text"),
])  # fmt: skip
def test_what_clients_may_do_is_checked(tmp_path: Path, line: str, message: str) -> None:
    (tmp_path / "rookery.toml").write_text(f"[engines.a]\ncommand = 'sh'\n{line}\n")
    with pytest.raises(ConfigError, match=message):
        load(tmp_path / "rookery.toml", Overrides())


def test_socket_of_the_operator_is_relative_to_the_file(tmp_path: Path) -> None:
    path = write(tmp_path, "[control]\nsocket = 'here'\n[engines.a]\ncommand = 'sh'\n")
    assert load(path, Overrides()).control.socket == tmp_path / "here"
    for said, meant in (("false", False), ("true", True)):
        path.write_text(f"[control]\nsocket = {said}\n[engines.a]\ncommand = 'sh'\n")
        assert load(path, Overrides()).control.socket is meant


def test_what_a_running_server_cannot_change_stays() -> None:
    running = from_toml({"server": {"port": 1, "hosts": ["a"]}, "budget": {"threads": 1}})
    read = from_toml(
        {
            "server": {"port": 2, "hosts": ["b"]},
            "budget": {"threads": 2},
            "quota": {"threads": 1},
            "tls": {"certificate": "x", "key": "y"},
        }
    )
    taken, late = after_reload(running, read)
    assert late == ["server.port", "tls", "budget.threads"]
    assert (taken.server.port, taken.budget.threads, taken.tls) == (1, 1, None)
    assert taken.server.hosts == ("b",)
    assert taken.quotas == read.quotas
    assert after_reload(read, read) == (read, [])


def test_address_of_a_socket_that_was_handed_over_counts() -> None:
    config = from_toml({})
    assert at(config, []) is config
    assert at(config, ["127.0.0.1", "::1"]).server.host == "127.0.0.1"
    with pytest.raises(ConfigError, match=r"'0\.0\.0\.0' can be reached"):
        at(config, ["127.0.0.1", "0.0.0.0"])


def test_cache_is_in_a_file_beside_the_configuration_or_in_a_database(tmp_path: Path) -> None:
    path = tmp_path / "rookery.toml"
    path.write_text('[cache]\nfile = "kept.sqlite"\n[engines.x]\ncommand = "true"\nbuild = ["n"]\n')
    read = read_document(path)
    assert read.cache.file == tmp_path / "kept.sqlite"
    assert read.engines[0].build == (str(tmp_path / "n"),)
    assert database_url(read.cache, {}) == f"sqlite:///{tmp_path}/kept.sqlite"
    url = "postgresql://rookery@db.example/rookery"
    assert database_url(from_toml({"cache": {"url": url}}).cache, {}) == url


@pytest.mark.parametrize(
    ("table", "sentence"),
    [
        ({"file": "x", "url": "sqlite:////x"}, "cache.file and cache.url are two places"),
        ({"url": "mysql://anna:hunter2@x/y"}, "cache.url needs 'postgresql://USER@HOST/DATABASE'"),
        ({"rows": 0}, "cache.rows needs a whole number from 1"),
        ({"sharde": True}, "did you mean 'shared'"),
    ],
)
def test_errors_of_the_cache_say_what_is_wanted(table: dict[str, object], sentence: str) -> None:
    with pytest.raises(ConfigError) as caught:
        from_toml({"cache": table})
    assert sentence in str(caught.value)
    assert "hunter2" not in str(caught.value)


def test_running_server_keeps_its_cache_where_it_is() -> None:
    running = Config(engines=())
    read, late = after_reload(running, from_toml({"cache": {"file": "elsewhere", "rows": 5}}))
    assert late == ["cache.file"]
    assert read.cache == replace(running.cache, rows=5)
    read, late = after_reload(running, from_toml({"cache": {"rows": 5}}))
    assert late == []
    assert read.cache.rows == 5


def framers(tmp_path: Path, *origins: str) -> tuple[str, ...]:
    text = f"[server]\nframe_ancestors = {json.dumps(origins)}\n"
    return read_document(write(tmp_path, text)).server.frame_ancestors


def test_pages_that_may_show_games_are_listed_by_their_origins(tmp_path: Path) -> None:
    assert framers(tmp_path) == ()
    good = ("https://club.example", "https://club.example:8443", "http://localhost:8000",
            "http://127.0.0.1")  # fmt: skip
    assert framers(tmp_path, *good) == good


@pytest.mark.parametrize(("origin", "reason"), [
    ("*", "list each page"),
    ("https://*.club.example", "list each page"),
    ("https:", "a name"),
    ("'self'", "a name"),
    ("data:", "a name"),
    ("club.example", "a name"),
    ("https://club.example/", "a name"),
    ("https://Club.example", "in lower case"),
    ("https://club.example; script-src *", "list each page"),
    ("https://club.example; sandbox", "a name"),
    ("https://club.example\r\nSet-Cookie: x", "a name"),
    ("https://club.example\n", "a name"),
    ("https://club.example https://evil.example", "a name"),
    ("https://club.example,https://evil.example", "a name"),
    ("https://user@club.example", "a name"),
    ("https://club.exämple", "a name"),
    ("https://club.example:443", "goes without saying"),
    ("https://club.example:70000", "a port is 1 to 65535"),
    ("https://[2001:db8::1]", "IPv6"),
    ("http://club.example", "has to be https"),
    ("http://localhost.evil.example", "has to be https"),
])  # fmt: skip
def test_what_is_no_origin_cannot_show_games(tmp_path: Path, origin: str, reason: str) -> None:
    with pytest.raises(ConfigError, match=r"server\.frame_ancestors needs origins") as caught:
        framers(tmp_path, "https://good.example", origin)
    assert reason in str(caught.value)
