"""Several engines at one position, each with its own lines; one that dies, and one that waits."""

import os
import signal
import sys
from collections.abc import Callable, Iterator

import pytest
from helpers.browsing import (
    BRIEF_GRACE,
    ROOKERY,
    Site,
    analyse_in_tab,
    drag,
    paste,
    searching,
    serving,
    stockfish,
    violations,
)
from playwright.sync_api import Browser, Locator, Page, expect

ADD = "Add an engine beside this one"
DEPTH = "depth"
# It finds the same in every position, with great certainty.
STUBBORN = """
import sys
for line in sys.stdin:
    word = line.split()[0]
    if word == "uci":
        print("id name Stubborn\\nuciok", flush=True)
    elif word == "isready":
        print("readyok", flush=True)
    elif word == "go":
        print("info depth 40 score cp 700 nodes 9 pv a2a3", flush=True)
    if word == "stop" or "movetime" in line:
        print("bestmove a2a3", flush=True)
"""


@pytest.fixture(scope="module")
def three(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """Run a server with three engines, two of which may work at a time."""
    assert browser
    folder = tmp_path_factory.mktemp("three")
    config, program = folder / "rookery.toml", folder / "stubborn.py"
    program.write_text(STUBBORN)
    stubborn = f"{sys.executable} -S {program}"
    commands = {"rookery": ROOKERY, "stockfish": stockfish(), "stubborn": stubborn}
    tables = (f"[engines.{name}]\ncommand = {command!r}" for name, command in commands.items())
    config.write_text("\n".join([BRIEF_GRACE, "[budget]\nthreads = 2", *tables]))
    with serving("--config", str(config), folder=folder) as site:
        yield site


@pytest.fixture
def page(three: Site, open_page: Callable[..., Page]) -> Page:
    """Return a page with an engine beside the first."""
    page = open_page(three.url, endless=True)
    searching(page)
    page.get_by_role("button", name=ADD).click()
    expect(status(page, "stockfish")).to_contain_text(DEPTH)
    return page


def panel(page: Page, engine: str) -> Locator:
    return page.get_by_role("region", name=f"Engine beside the first: {engine}")


def status(page: Page, engine: str) -> Locator:
    return panel(page, engine).locator(".status")


def test_engine_beside_the_first_follows_the_game(page: Page) -> None:
    fish = panel(page, "stockfish")
    fish.get_by_role("combobox", name="Lines of stockfish").select_option("2")
    expect(fish.locator(".line .pv-move.first")).to_have_count(2)
    drag(page, "e2", "e4")
    expect(fish.locator(".pv-move.first .number").first).to_have_text("1…")
    page.reload()
    searching(page)
    expect(fish.locator(".pv-move.first .number").first).to_have_text("1…")
    expect(fish.locator(".line .pv-move.first")).to_have_count(2)


def test_killed_engine_beside_the_first_is_replaced(three: Site, page: Page) -> None:
    first = page.get_by_role("switch", name="Engine", exact=True)
    first.click()
    os.kill(three.searching_engine(), signal.SIGKILL)
    drag(page, "d2", "d4")
    expect(status(page, "stockfish")).to_contain_text(DEPTH)
    expect(panel(page, "stockfish").locator(".pv-move.first .number")).to_have_text("1…")
    first.click()
    searching(page)


def test_engine_without_a_place_waits_and_says_so(page: Page) -> None:
    add = page.get_by_role("button", name=ADD)
    add.click()
    expect(status(page, "stubborn")).to_contain_text("you are number 1 of 1")
    expect(add).to_have_count(0)
    page.get_by_role("button", name="Remove stockfish").click()
    expect(status(page, "stubborn")).to_have_text("depth 40")
    expect(panel(page, "stockfish")).to_have_count(0)


def test_opinions_that_differ_are_marked(page: Page) -> None:
    choice = panel(page, "stockfish").get_by_role("combobox", name="Choose this engine")
    choice.select_option("stubborn")
    score = panel(page, "stubborn").get_by_test_id("opinion")
    expect(score).to_contain_text("≠")
    expect(score).to_contain_text("this one finds a3")
    assert violations(page) == []


def test_game_is_judged_by_two_engines(page: Page) -> None:
    paste(page, "1. f3 e5 2. g4 Qh4# 0-1")
    analyse_in_tab(page, 100)
    disputes = page.get_by_test_id("disputes")
    expect(disputes).to_contain_text("stockfish judges")
    expect(page.get_by_role("button", name="Analyse again")).to_be_visible()
    panel(page, "stockfish").get_by_label("Choose this engine").select_option("stubborn")
    expect(status(page, "stubborn")).to_contain_text(DEPTH)
    page.get_by_role("button", name="Analyse again").click()
    # It finds each side better when it is to move, so that both lose by every move.
    expect(disputes).to_contain_text("stubborn judges 2 moves differently")
    expect(page.locator(".move .difference")).to_have_count(2)
    disputes.get_by_role("button", name="Next").click()
