"""The definitions of the tools: what they cost a model, and the check of what it sends."""

import json

import pytest

from rookery_bridge.mcp.mcp_server import definitions
from rookery_bridge.mcp.tool_answer import ToolError
from rookery_bridge.mcp.tool_definitions import TOOLS, tool_named

MOST_TOKENS = 1500
GAME = {"game": "1. e4 e5"}


def test_the_definitions_are_small() -> None:
    import bpe_openai  # Only now: it reads its tables, which takes a second of CPU time.

    encoding = bpe_openai.get_encoding("o200k_base")
    found = [each.model_dump(by_alias=True, exclude_none=True) for each in definitions()]
    assert len(found) <= 6
    for indent in (None, 2):
        assert len(encoding.encode(json.dumps(found, indent=indent))) <= MOST_TOKENS


def test_each_tool_says_what_it_is_for() -> None:
    for tool in TOOLS:
        assert tool.about.endswith(".")
        assert set(tool.required) <= set(tool.arguments)


@pytest.mark.parametrize(
    ("tool", "said", "value"),
    [
        ("analyse", {"lines": "3"}, ("lines", 3)),
        ("analyse", {"lines": 3.0}, ("lines", 3)),
        ("analyse", {"lines": None}, ("lines", 1)),
        ("analyse", {"seconds": "2.5"}, ("seconds", 2.5)),
        ("analyse", {}, ("seconds", 5.0)),
        ("compare_moves", {"moves": "Nf3, d4 c4"}, ("moves", ("Nf3", "d4", "c4"))),
        ("compare_moves", {"moves": ["Nf3"]}, ("moves", ("Nf3",))),
        ("job", {"end": True}, ("end", True)),
    ],
)
def test_what_a_model_may_send(
    tool: str, said: dict[str, object], value: tuple[str, object]
) -> None:
    assert tool_named(tool).read_arguments(said)[value[0]] == value[1]


@pytest.mark.parametrize(
    ("tool", "said", "why"),
    [
        ("analyse", {"lines": 0}, "'lines' is 0"),
        ("analyse", {"lines": 6}, "'lines' is 6"),
        ("analyse", {"lines": 2.5}, "'lines' is 2.5"),
        ("analyse", {"lines": True}, "'lines' is bool True"),
        ("analyse", {"lines": float("nan")}, "'lines' is float nan"),
        ("analyse", {"lines": 10**400}, "'lines' is int"),
        ("analyse", {"lines": "x" * 10**6}, "'lines' is 'xxx"),
        ("analyse", {"seconds": 51}, "'seconds' is 51"),
        ("analyse", {"seconds": -1}, "'seconds' is -1"),
        ("analyse", {"fen": 5}, "'fen' is int 5"),
        ("analyse", {"game": ["e4"]}, "'game' is list"),
        ("analyse", {"game": {"a": "\x1b[2J"}}, "'game' is dict"),
        ("analyse", {"Fen": "startpos"}, "has no argument 'Fen'"),
        ("compare_moves", {}, "needs 'moves'"),
        ("compare_moves", {"moves": []}, "'moves' is list"),
        ("compare_moves", {"moves": ["e4"] * 7}, "'moves' is list"),
        ("compare_moves", {"moves": [1]}, "'moves' is list"),
        ("review_game", {}, "needs 'game'"),
        ("job", {"end": "yes"}, "'end' is 'yes'"),
        ("engines", {"x" * 10**6: 1}, "has no argument 'xxx"),
    ],
)
def test_wrong_arguments_are_named(tool: str, said: dict[str, object], why: str) -> None:
    with pytest.raises(ToolError) as error:
        tool_named(tool).read_arguments(said)
    assert why in error.value.why
    assert len(error.value.as_answer.text) < 400
    assert error.value.as_answer.text.isprintable()


def test_an_unknown_tool_is_named_with_those_that_are() -> None:
    with pytest.raises(ToolError) as error:
        tool_named("delete_everything")
    assert "analyse" in error.value.advice
