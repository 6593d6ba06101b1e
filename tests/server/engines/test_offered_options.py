"""The options that a client has, and the verdicts on `setoption`."""

from time import process_time

import pytest
from helpers.support import FAIRY, STOCKFISH, offer_of

from rookery_protocol.errors import ConfigError
from rookery_protocol.notices import Code
from rookery_server.config.engines import Alias, Forced, Policy
from rookery_server.config.resources import Size
from rookery_server.engines.offered_options import OfferedOptions
from rookery_uci import EngineIdentity, Option, SetOption, parse_command, parse_reply

ALIASES = Policy(
    aliases=(Alias("syzygypath", "small", "/data/3-4-5"), Alias("SyzygyPath", "all", "/data/x y"))
)


def shown(offer: OfferedOptions) -> dict[str, Option]:
    """Return the options that a client is shown."""
    replies = map(parse_reply, offer.greeting.decode().splitlines())
    return {reply.name: reply for reply in replies if isinstance(reply, Option)}


def say(offer: OfferedOptions, line: str) -> tuple[str | None, Code | None]:
    """Return what the engine hears for a `setoption`, and the code of the notice."""
    command = parse_command(f"setoption {line}")
    assert isinstance(command, SetOption)
    heard, notice = offer.review(command)
    return None if heard is None else str(heard), notice.code if notice else None


def test_answer_is_read() -> None:
    assert STOCKFISH.ids[0] == "id name Stockfish 15.1"
    assert len(STOCKFISH.options) == 21


def test_answer_without_meaning_is_skipped() -> None:
    answer = EngineIdentity.parse(
        ["option name X", "id", "", "hello", "option name A type spin", "uciok"]
    )
    assert [option.name for option, _ in answer.options] == ["A"]


def test_second_option_of_a_name_is_not_there() -> None:
    lines = ["option name A type check default false", "option name a type string default x"]
    assert [option.type for option, _ in EngineIdentity.parse(lines).options] == ["check"]


def test_client_is_shown_the_engines_lines_and_no_text_options() -> None:
    lines = offer_of().greeting.decode().splitlines()
    engines = [line for _, line in STOCKFISH.options if "type string" not in line]
    assert lines == [*STOCKFISH.ids, *engines, "uciok"]


def test_text_options_are_shown_as_they_are_where_files_are_allowed() -> None:
    lines = offer_of(Policy(files=True)).greeting.decode().splitlines()
    assert lines == [*STOCKFISH.ids, *(line for _, line in STOCKFISH.options), "uciok"]


# --- ceilings


def test_ceiling_is_the_maximum_that_is_shown() -> None:
    options = shown(offer_of(ceiling=Size(4, 256)))
    assert [options[name].max for name in ("Threads", "Hash")] == [4, 256]
    assert options["Move Overhead"].max == 5000


def test_ceiling_above_the_engines_maximum_changes_nothing() -> None:
    assert offer_of(ceiling=Size(10_000, 1 << 26)).greeting == offer_of().greeting


def test_ceiling_below_the_default_is_the_default_and_set_before_the_client() -> None:
    offer = offer_of(ceiling=Size(1024, 8))
    assert shown(offer)["Hash"] == Option("Hash", "spin", "8", 1, 8)
    assert offer.setup == (SetOption("Hash", "8"),)
    hidden = offer_of(Policy(hidden=("Hash",)), Size(1024, 8))
    assert hidden.setup == (SetOption("Hash", "8"),)


def test_ceiling_below_the_minimum_is_the_minimum() -> None:
    assert shown(offer_of(ceiling=Size(0, 1024)))["Threads"].max == 1


@pytest.mark.parametrize(("value", "heard", "code"), [
    ("1", "1", None), ("256", "256", None), ("257", "256", Code.OPTION_CLAMPED),
    ("99999999", "256", Code.OPTION_CLAMPED), ("+16", "16", None), ("0016", "16", None),
])  # fmt: skip
def test_value_above_the_ceiling_is_the_ceiling(value: str, heard: str, code: Code | None) -> None:
    offer = offer_of(ceiling=Size(1024, 256))
    assert say(offer, f"name Hash value {value}") == (f"setoption name Hash value {heard}", code)


# --- values by type


@pytest.mark.parametrize(("line", "heard"), [
    ("name hash value 32", "Hash value 32"),
    ("name  MOVE \t overhead  value 5", "Move Overhead value 5"),
    ("name Ponder value TRUE", "Ponder value true"), ("name Clear Hash", "Clear Hash"),
    ("name clear hash value x", "Clear Hash"),
])  # fmt: skip
def test_engine_hears_its_own_spelling(line: str, heard: str) -> None:
    assert say(offer_of(), line) == (f"setoption name {heard}", None)


@pytest.mark.parametrize("line", [
    "name Hash value 0", "name Hash value -1", "name Hash value 33554433", "name Hash value x",
    "name Hash value 1.5", "name Hash value 1 2", "name Hash", "name Hash value",
    "name Hash value 0x10", "name Hash value 1_0", "name Hash value \u0661", "name Ponder value 1",
    "name Ponder", "name Hash value 999999999999999999999999",
])  # fmt: skip
def test_value_that_the_option_cannot_have_is_refused(line: str) -> None:
    assert say(offer_of(), line) == (None, Code.BAD_VALUE)


def test_combo_has_its_values_only() -> None:
    offer = offer_of(answer=FAIRY)
    heard = "setoption name UCI_Variant value atomic"
    assert say(offer, "name uci_variant value ATOMIC") == (heard, None)
    assert say(offer, "name UCI_Variant value nothing") == (None, Code.BAD_VALUE)


def test_variants_whose_rules_are_unknown_are_not_offered() -> None:
    offer = offer_of(answer=FAIRY)
    assert shown(offer)["UCI_Variant"].var == ("chess", "crazyhouse", "atomic", "horde")
    assert say(offer, "name UCI_Variant value xiangqi") == (None, Code.BAD_VALUE)
    with pytest.raises(ConfigError, match="positions of the variant 'xiangqi' cannot be checked"):
        offer_of(Policy(options=(Forced("UCI_Variant", "xiangqi"),)), answer=FAIRY)


@pytest.mark.parametrize("control", ["\0", "\t", "\x1b", "\x85", "\u2028", "\u200b", "\ud800"])
def test_text_has_no_control_characters(control: str) -> None:
    offer = offer_of(Policy(files=True))
    heard, notice = offer.review(SetOption("EvalFile", f"a{control}b"))
    assert heard is None
    assert notice
    assert notice.code is Code.BAD_VALUE


def test_text_keeps_its_blanks() -> None:
    offer = offer_of(Policy(files=True))
    heard = "setoption name SyzygyPath value C:\\a  b;/c d"
    assert say(offer, "name SyzygyPath value  C:\\a  b;/c d ") == (heard, None)


# --- what the operator says


@pytest.mark.parametrize("line", [
    "name SyzygyPath value /etc", "name EvalFile value <empty>", "name EvalFile",
    "name debug  LOG file value x",
])  # fmt: skip
def test_text_is_refused_by_default(line: str) -> None:
    assert say(offer_of(), line) == (None, Code.OPTION_REFUSED)


def test_text_that_is_harmless_or_named_is_allowed() -> None:
    answer = EngineIdentity.parse(
        [f"option name {name} type string default x" for name in ("UCI_Opponent", "NumaPolicy")]
    )
    offer = offer_of(answer=answer)
    assert say(offer, "name UCI_Opponent value none none human X")[1] is None
    assert say(offer, "name NumaPolicy value none") == (None, Code.OPTION_REFUSED)
    offer = offer_of(Policy(strings=("numapolicy",)), answer=answer)
    assert say(offer, "name NumaPolicy value none") == (
        "setoption name NumaPolicy value none",
        None,
    )


def test_hidden_option_is_not_there() -> None:
    offer = offer_of(Policy(files=True, hidden=("uci_elo", "Debug Log File")))
    assert not {"UCI_Elo", "Debug Log File"} & shown(offer).keys()
    assert say(offer, "name UCI_Elo value 1500") == (None, Code.OPTION_REFUSED)


def test_forced_option_is_set_and_not_there() -> None:
    policy = Policy(files=True, options=(Forced("hash", "64"), Forced("SyzygyPath", "/data")))
    offer = offer_of(policy, Size(1024, 16))
    assert not {"Hash", "SyzygyPath"} & shown(offer).keys()
    assert say(offer, "name Hash value 1") == (None, Code.OPTION_REFUSED)
    assert offer.setup == (SetOption("Hash", "64"), SetOption("SyzygyPath", "/data"))


def test_path_has_names() -> None:
    offer = offer_of(ALIASES)
    choice = shown(offer)["SyzygyPath"]
    assert (choice.type, choice.default, choice.var) == ("combo", "", ("<empty>", "small", "all"))
    assert b"/data" not in offer.greeting
    assert say(offer, "name SyzygyPath value ALL") == (
        "setoption name SyzygyPath value /data/x y", None
    )  # fmt: skip
    assert say(offer, "name SyzygyPath value <empty>") == (
        "setoption name SyzygyPath value <empty>", None
    )  # fmt: skip
    assert say(offer, "name SyzygyPath value /data/3-4-5") == (None, Code.BAD_VALUE)


def test_path_goes_back_to_the_engines_own() -> None:
    """Stockfish ends itself for an EvalFile called `<empty>`."""
    offer = offer_of(Policy(aliases=(Alias("EvalFile", "new", "/data/new.nnue"),)))
    assert shown(offer)["EvalFile"].var == ("<default>", "new")
    heard = "setoption name EvalFile value nn-ad9b42354671.nnue"
    assert say(offer, "name EvalFile value <default>") == (heard, None)


@pytest.mark.parametrize(("policy", "error"), [
    (Policy(hidden=("Hahs",)), "hidden: the engine has no option 'Hahs'; did you mean 'Hash'?"),
    (Policy(strings=("X",)), "strings: the engine has no option 'X'"),
    (Policy(options=(Forced("Hash", "x"),)), "options: Hash needs a number from 1 to 33554432"),
    (Policy(options=(Forced("Clear Hash", "x"),)), "options: Clear Hash is a button"),
    (Policy(aliases=(Alias("Hash", "a", "/x"),)), "aliases: Hash is no option of text"),
])  # fmt: skip
def test_operators_error_is_named(policy: Policy, error: str) -> None:
    with pytest.raises(ConfigError) as caught:
        offer_of(policy)
    assert error in str(caught.value)


def test_unknown_option_has_a_hint() -> None:
    verdict = offer_of().review(SetOption("Thraeds", "1"))
    assert str(verdict.notice) == (
        "info string rookery unknown-option: there is no option 'Thraeds'; did you mean 'Threads'?"
    )
    assert "File" not in str(offer_of().review(SetOption("Debug Log Fil", "1")).notice)


def test_what_a_line_costs_does_not_grow_with_the_options() -> None:
    """A name that is not there is compared with the first only; tables are made once."""
    lines = [f"option name Number {number} type spin min 0 max 9" for number in range(10_000)]
    values = " ".join(f"var value{number}" for number in range(5_000))
    lines.append(f"option name Many type combo default value1 {values}")
    many = OfferedOptions(EngineIdentity.parse(lines), Policy())
    asked = [SetOption("Number 77777", "3"), SetOption("Many", "value3"), SetOption("Many", "x")]
    began = process_time()
    for _ in range(20):
        for command in asked:
            many.review(command)
        many.undo(["many"])
        many.departures({"many": "value3"})
    assert process_time() - began < 20 * 0.02  # s; each round took 0.1, and takes 0.002
