"""Hostile engines, texts and links, and changes on the server."""

import json
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from helpers.browsing import ROOKERY, Site, paste, revoke, searching, serving, stockfish, until
from playwright.sync_api import Browser, Page, expect

HOSTILE = Path(__file__).parents[1] / "data/hostile_engine.py"
MARKUP = "<img src=x onerror=document.title='broken'>"


@pytest.fixture(scope="module")
def hostile(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """Run an engine with markup in its name and its options."""
    folder = tmp_path_factory.mktemp("hostile")
    config = folder / "rookery.toml"
    command = json.dumps([sys.executable, "-S", str(HOSTILE)])
    texts = 'strings = ["Text", "constructor"]'
    config.write_text(f"[engines.hostile]\ncommand = {command}\n{texts}\n")
    with serving("--config", str(config), folder=folder) as site:
        yield site


def untouched(page: Page) -> None:
    """Assert that no text has become an element of the page."""
    assert page.locator("img:not(h1 img)").count() == 0
    assert "broken" not in page.title()


def test_engine_text_is_never_markup(hostile: Site, open_page: Callable[..., Page]) -> None:
    page = open_page(hostile.url)
    searching(page)
    expect(page.locator(".engine-name")).to_have_text(MARKUP)
    expect(page.locator(".line").first.locator(".pv-move")).to_have_text(["1.e4"])
    page.get_by_role("button", name="Engine options").click()
    window = page.get_by_role("dialog")
    expect(window.get_by_role("heading")).to_contain_text(MARKUP)
    expect(window.get_by_label("Text")).to_have_value(MARKUP)
    expect(window.get_by_role("button", name=f"Press {MARKUP}")).to_be_visible()
    untouched(page)


def test_options_of_any_name_are_set(hostile: Site, open_page: Callable[..., Page]) -> None:
    page = open_page(hostile.url)
    searching(page)
    page.get_by_role("button", name="Engine options").click()
    window = page.get_by_role("dialog")
    expect(window.get_by_label("constructor")).to_have_value("mine")
    expect(window.get_by_label("__proto__")).to_have_value("1")
    window.get_by_label("Style").select_option("Quiet")
    window.get_by_label("constructor").fill("other")
    window.get_by_label("__proto__").fill("4")
    page.keyboard.press("Tab")
    window.get_by_role("button", name=f"Press {MARKUP}").click()
    expect(page.locator(".toast").last).to_contain_text(f"Press {MARKUP}: done")
    page.reload()
    searching(page)
    page.get_by_role("button", name="Engine options").click()
    expect(window.get_by_label("Style")).to_have_value("Quiet")
    expect(window.get_by_label("constructor")).to_have_value("other")
    expect(window.get_by_label("__proto__")).to_have_value("4")
    untouched(page)


def test_pathological_text_is_read_quickly(board: Page) -> None:
    paste(board, f"{'/' * 100_000}\nx")
    expect(board.locator(".toast")).to_be_visible()


@pytest.mark.parametrize(
    ("address", "words"),
    [
        ("#fen=rubbish", "not a valid FEN: a board needs 8 ranks"),
        ("#fen=8/8/8/8/8/8/8/8_w_-_-_0_1", "white needs one king, not 0"),
        ("#moves=e2e4.e2e4", "the link has an illegal move"),
        ("#moves=%3Cimg%3E", "the link has an illegal move"),
    ],
)
def test_wrong_link_is_reported(
    site: Site, open_page: Callable[..., Page], address: str, words: str
) -> None:
    page = open_page(f"{site.url}{address}")
    expect(page.locator(".toast")).to_contain_text(words)
    searching(page)


def test_each_tab_keeps_its_own_game(site: Site, board: Page) -> None:
    """Check that a new tab has the game that was changed last."""
    paste(board, "1. e4 {mine} e5 *")
    board.keyboard.press("End")
    board.wait_for_url("**#moves=e2e4.e7e5")
    other = board.context.new_page()
    other.goto(site.url)
    expect(other.locator(".comment")).to_have_text("mine")
    paste(other, "1. d4 {theirs} *")
    other.keyboard.press("End")
    other.wait_for_url("**#moves=d2d4")
    board.reload()
    expect(board.locator(".comment")).to_have_text("mine")
    other.reload()
    expect(other.locator(".comment")).to_have_text("theirs")


def test_revoked_token_is_requested_again(
    guarded: Site, tokens: Path, leaving: dict[str, str], open_page: Callable[..., Page]
) -> None:
    page = open_page(guarded.url)
    page.get_by_role("dialog", name="Sign in").get_by_label("Token").fill(leaving["dan"])
    page.get_by_role("button", name="Sign in").click()
    searching(page)
    revoke(tokens, "dan")
    expect(page.get_by_role("dialog", name="Sign in")).to_be_visible()
    assert leaving["dan"] not in page.evaluate("JSON.stringify({...sessionStorage})")


def test_removed_engine_is_replaced(open_page: Callable[..., Page], tmp_path: Path) -> None:
    config = tmp_path / "rookery.toml"
    ours = f"[engines.rookery]\ncommand = {ROOKERY!r}\n"
    config.write_text(f"{ours}[engines.other]\ncommand = {stockfish()!r}\n")
    with serving("--config", str(config), folder=tmp_path) as site:
        page = open_page(site.url)
        searching(page)
        # The page requests the engines when it is idle, and not again.
        until(page, "performance.getEntriesByName(`${location.origin}/engines`).length === 1")
        config.write_text(ours)
        site.process.send_signal(signal.SIGHUP)
        until(page, "fetch('/engines').then(a => a.json()).then(all => all.engines.length === 1)")
        page.get_by_label("Choose the engine").select_option("other")
        expect(page.locator(".toast")).to_contain_text("other is no longer available")
        searching(page)
        expect(page.locator(".engine-name")).to_contain_text("Rookery")
        page.close()
