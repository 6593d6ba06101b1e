"""The strength of the engine of this machine, with plain lines."""

import pytest
from helpers.talking import Talk

ELO = "option name UCI_Elo type spin default 1320 min 1320 max 3190"
LIMIT = "option name UCI_LimitStrength type check default false"
SKILL = "option name Skill Level type spin default 20 min 0 max 20"


@pytest.mark.parametrize(
    ("wanted", "offered", "told", "said"),
    [
        ("UCI_Elo 1500", (LIMIT, ELO), "UCI_Elo value 1500", ""),
        ("UCI_Elo 900", (LIMIT, ELO), "UCI_Elo value 1320", "its UCI_Elo is 1320"),
        ("UCI_Elo 1500", (), "", "it cannot play weaker"),
        ("Skill Level 3", (SKILL,), "Skill Level value 3", ""),
        ("Skill Level 3", (), "", "it cannot play weaker"),
        ("Skill Level 20", (), "", ""),
    ],
)
def test_engine_of_this_machine_is_as_weak_as_was_asked_for(
    pair: Talk, wanted: str, offered: tuple[str, ...], told: str, said: str
) -> None:
    pair.say("uci")
    pair.answer("id name Server", ELO, LIMIT, SKILL, "uciok")
    name, value = wanted.rsplit(maxsplit=1)
    limit = ["setoption name UCI_LimitStrength value true"] if name == "UCI_Elo" else []
    pair.say(*limit, f"setoption name {name} value {value}", "go wtime 9000 btime 9000")
    pair.lose()
    pair.wait(0.6)
    assert pair.fallback_hears() == []  # It has yet to say what it can be.
    heard = pair.local_says(*offered, "uciok")
    lines = [line for line in pair.fallback_hears() if line.startswith("setoption")]
    assert lines[-1:] == ([f"setoption name {told}"] if told else [])
    assert any(said in line for line in heard if "plays: " in line) is bool(said)
    pair.local_says("bestmove e2e4")
    pair.say("go wtime 9000 btime 9000")
    assert not [line for line in pair.wait(0.6) if "plays: " in line]  # It is said once.


OTHERS = "option name Skill Level type spin default 30 min 0 max 30"


@pytest.mark.parametrize(
    ("said", "then", "told"),
    [
        (
            ["UCI_LimitStrength value true", "UCI_Elo value 1500"],
            "UCI_LimitStrength value false",
            ["UCI_LimitStrength value false"],
        ),
        (["Skill Level value 3"], "Skill Level value 20", ["Skill Level value 30"]),
    ],
)
def test_engine_of_this_machine_is_strong_again(
    pair: Talk, said: list[str], then: str, told: list[str]
) -> None:
    pair.say("uci")
    pair.answer("id name Server", ELO, LIMIT, SKILL, "uciok")
    pair.say(*(f"setoption name {each}" for each in said), "go wtime 9000 btime 9000")
    pair.lose()
    pair.local_says(ELO, LIMIT, OTHERS, "uciok")
    pair.wait(0.6)
    pair.local_says("bestmove e2e4")
    pair.fallback_hears()
    pair.say(f"setoption name {then}", "go wtime 9000 btime 9000")
    pair.wait(0.6)
    lines = [line for line in pair.fallback_hears() if line.startswith("setoption name ")]
    assert [line.removeprefix("setoption name ") for line in lines] == told


def test_strength_that_goes_without_saying_is_that_of_the_servers_engine(pair: Talk) -> None:
    pair.say("uci")
    pair.answer("id name Server", ELO, LIMIT, "uciok")
    pair.say("setoption name UCI_LimitStrength value true", "go wtime 9000 btime 9000")
    pair.lose()
    pair.local_says(ELO.replace("default 1320", "default 2850"), LIMIT, "uciok")
    pair.wait(0.6)
    assert "setoption name UCI_Elo value 1320" in pair.fallback_hears()
