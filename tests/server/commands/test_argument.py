"""Arguments that cannot be: one line says what was wrong, and the status is 2."""

import pytest

from rookery_server.__main__ import COMMANDS, USAGE_ERROR, run


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        ("--port -1", "argument --port: needs a port from 0 to 65535, not '-1'"),
        ("--port 65536", "argument --port: needs a port from 0 to 65535, not '65536'"),
        ("--tcp-port 99999", "argument --tcp-port: needs a port from 0 to 65535, not '99999'"),
        ("health --port ٣", "argument --port: needs a port from 1 to 65535, not '٣'"),
        ("invite --port 8080.5", "needs a port from 1 to 65535, not '8080.5'"),
        ("health --port 0", "argument --port: needs a port from 1 to 65535, not '0'"),
        ("invite --port 0", "argument --port: needs a port from 1 to 65535, not '0'"),
        ("analyse x --workers 0", "argument --workers: needs a number from 1 to 1000, not '0'"),
        ("analyse x --workers 1001", "--workers: needs a number from 1 to 1000, not '1001'"),
        (
            "token add x --file t --expires 9999-12-31T23:59:59-05:00",
            "needs a date from year 1 to 9999 in UTC, not '9999-12-31T23:59:59-05:00'",
        ),
        ("--host [::1]", "--host: needs an address without brackets, '::1', not '[::1]'"),
        ("--host rook:80", "--host: needs an address, and its port is said apart: 'rook:80'"),
        ("--host=", "argument --host: needs a text, not ''"),
        ("token add " + "a" * 300 + " --file t", "'" + "a" * 40 + "', 300 in all"),
        ("--confg x", "there is no option '--confg': did you mean --config?"),
        ("--confg=x", "there is no option '--confg': did you mean --config?"),
        ("chekc", "there is no command 'chekc': did you mean check?"),
        ("--verbose chekc", "there is no command 'chekc': did you mean check?"),
        ("--verbose token", "'token' comes first: rookery-server token ..."),
        ("token list --file x --flie=y", "there is no option '--flie': did you mean --file?"),
        ("analyse x --qqq", "there is no option '--qqq': --help shows those that there are"),
        ("health a b", "this is too much: a b"),
        ("invite --role king", "argument --role: needs member or host, not 'king'"),
        ("invite --role admin", "argument --role: needs member or host, not 'admin'"),
        ("token add x --file t --role king", "--role: needs member or admin or host, not 'king'"),
        ("cache prune --rows -1", "argument --rows: needs a number from 0 to 1000000000, not '-1'"),
        ("cache prune --days nan", "needs a number from 0 to 1000000000, not 'nan'"),
        ("sessions end " + "9" * 5000, "needs a number from 0 to 1000000000, not '999"),
    ],
)
def test_it_is_said_what_is_wanted(
    line: str, wanted: str, capsys: pytest.CaptureFixture[str]
) -> None:
    try:
        status: object = run(line.split())
    except SystemExit as stopped:
        status = stopped.code
    assert status == USAGE_ERROR
    assert wanted in capsys.readouterr().err.splitlines()[-1]


def help_of(line: str, capsys: pytest.CaptureFixture[str]) -> str:
    with pytest.raises(SystemExit) as stopped:
        run([*line.split(), "--help"])
    assert stopped.value.code == 0
    return capsys.readouterr().out


def test_every_command_is_listed_and_has_a_help_of_its_own(
    capsys: pytest.CaptureFixture[str],
) -> None:
    listed = help_of("", capsys)
    for name, (_, text) in COMMANDS.items():
        assert f"  {name:<10}{text}\n" in listed
        assert help_of(name, capsys).startswith(f"usage: rookery-server {name} ")
    assert "{health}" not in help_of("health", capsys)
