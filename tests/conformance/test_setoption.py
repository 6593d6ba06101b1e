"""`setoption`: rows 61 to 76 and 253."""

import pytest
from conformance.rows import rows

MAX_HASH = 512  # MiB; the row's own cap
MAX_THREADS = 32  # a machine that others use; more would only be memory
FILES = ("debug log file", "evalfile", "bookfile", "export")  # a string there is a file to write


def lines_of(gui, go="go depth 2"):
    """Return how many variations a search has."""
    return max(info.get("multipv", 1) for info in gui.search(go, "position startpos").pvs)


def options_of(gui, kind):
    return [option for option in gui.options.values() if option["type"] == kind]


def works(gui):
    gui.sync(timeout=30)
    return gui.search("go depth 2", "position startpos").move


@rows(61)
@pytest.mark.parametrize("name", ["multipv", "MULTIPV", "mUlTiPv"])
def test_name_is_not_case_sensitive(gui, name):
    gui.set_option(name, 3)
    assert lines_of(gui) == 3


@rows(62)
@pytest.mark.parametrize("value", ["TRUE", "True", "tRuE"])
def test_value_is_not_case_sensitive(gui, value):
    gui.option("UCI_Chess960")
    gui.set_option("UCI_Chess960", value)
    search = gui.search(
        "go depth 1 searchmoves e1h1 e1g1", "position fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"
    )
    gui.set_option("UCI_Chess960", "FALSE")
    assert search.move == "e1h1"


@rows(63, 65)
def test_name_with_spaces_and_button_without_value(gui):
    def nodes():
        return gui.search("go depth 8", "position startpos").nodes

    gui.option("Clear Hash")
    first, second = nodes(), nodes()
    assert second != first
    gui.set_option("Clear Hash")
    assert nodes() not in (second,)


@rows(64)
def test_value_may_contain_spaces(fresh, tmp_path):
    fresh.option("Debug Log File")
    file = tmp_path / "a log of two words.txt"
    fresh.set_option("Debug Log File", file)
    fresh.sync()
    fresh.set_option("Debug Log File", "<empty>" if fresh.own else "")
    fresh.sync()
    assert "isready" in file.read_text()


@rows(66)
@pytest.mark.parametrize(
    "line", ["name NoSuchOption value 1", "name No Such Option", "name x value"]
)
def test_unknown_option_is_ignored_in_silence(gui, line):
    gui.say(f"setoption {line}")
    heard = gui.sync()
    # The engine says nothing; a server that it is behind may tell a person why.
    assert [line for line in heard if not line.startswith("info string rookery")] == []


@rows(67)
def test_every_spin_takes_min_max_and_default(gui):
    for option in options_of(gui, "spin"):
        cap = {"Hash": MAX_HASH, "Threads": MAX_THREADS}.get(option["name"], option["max"])
        for value in (option["min"], min(option["max"], cap), option["default"]):
            gui.set_option(option["name"], value)
            if option["name"] == "nodestime" or option["name"] == "MultiPV":
                gui.sync()
            else:
                assert works(gui), option


@rows(68)
def test_every_check_takes_true_false_and_default(gui):
    for option in options_of(gui, "check"):
        for value in ("true", "false", option["default"]):
            gui.set_option(option["name"], value)
            assert works(gui), option


@rows(69)
def test_every_combo_takes_its_vars(gui):
    for option in options_of(gui, "combo"):
        for value in (*option["vars"], option["default"]):
            gui.set_option(option["name"], value)
            assert works(gui), option


@rows(70)
@pytest.mark.parametrize("value", [None, "<empty>", '""', ""])
def test_every_string_takes_default_and_nothing(gui, value):
    for option in options_of(gui, "string"):
        if option["name"].lower() == "evalfile" and value is not None and not gui.own:
            continue  # there is no other file that it could play with
        gui.set_option(option["name"], option["default"] or "" if value is None else value)
        assert works(gui), option
        gui.set_option(option["name"], option["default"] or "")
    assert works(gui)


@rows(71)
def test_every_button_can_be_pressed_twice(gui):
    for option in options_of(gui, "button"):
        gui.set_option(option["name"])
        gui.set_option(option["name"])
        assert works(gui), option


@rows(72)
@pytest.mark.parametrize(
    "line",
    [
        "setoption", "setoption name", "setoption value", "setoption name value",
        "setoption value 3 name MultiPV", "setoption MultiPV 3", "setoption name MultiPV",
        "setoption name MultiPV value", "setoption name MultiPV value value 2",
        "setoption name name MultiPV value 1", "setoption name Hash value 1 2 3",
    ],
)  # fmt: skip
def test_malformed_setoption_is_survived(gui, line):
    gui.say(line)
    assert works(gui)
    gui.set_option("MultiPV", 1)
    gui.set_option("Hash", 16)


@rows(73)
def test_setoption_may_have_more_white_space(gui):
    gui.write(
        b"  setoption \t name   MultiPV \t  value \t 3  \t\n", "setoption name MultiPV value 3"
    )
    assert lines_of(gui) == 3
    gui.set_option("MultiPV", 1)


@rows(74)
@pytest.mark.parametrize(
    "path",
    [r"C:\Chess\tb\tb345;C:\Chess\tb\wdl6", "/no/such/folder:/no/other", r"D:\a folder\x; e:\y"],
)
def test_paths_are_accepted(gui, path):
    gui.option("SyzygyPath")
    gui.set_option("SyzygyPath", path)
    assert works(gui)


@rows(75)
def test_values_stay_in_force_over_ucinewgame(gui):
    gui.set_option("MultiPV", 3)
    gui.say("ucinewgame")
    gui.sync()
    assert lines_of(gui) == 3


@rows(76)
def test_setting_all_defaults_changes_nothing(start):
    def nodes(*, defaults):
        gui = start()
        gui.meet()
        for option in gui.options.values() if defaults else ():
            if option["type"] != "button":
                value = option["default"] or ""
                gui.say(f"setoption name {option['name']} value {value}".rstrip())
        gui.sync()
        return gui.search("go depth 9", "position startpos").nodes

    assert nodes(defaults=True) == nodes(defaults=False)


GARBAGE = [
    "-1", "0", "99999999999999999999", "-99999999999999999999", "-+5", "abc", "1.5", "0x10", "true",
]  # fmt: skip


@rows(253)
@pytest.mark.parametrize("value", [*GARBAGE, "x" * 10_000, "\u00e4\u20ac", "%s%n"])
def test_garbage_for_every_option_is_survived(gui, value):
    for name in list(gui.options):
        if name not in FILES:
            gui.set_option(gui.options[name]["name"], value)
    gui.sync(timeout=30)
    for name, usual in (("Threads", 1), ("Hash", 16), ("MultiPV", 1), ("UCI_Chess960", "false")):
        gui.set_option(name, usual)
    assert works(gui)
