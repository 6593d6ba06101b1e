"""The start of the page: one session and one search, before the page is complete."""

import json
import re
from collections.abc import Callable

import pytest
from helpers.browsing import Site, paste, searching, until
from playwright.sync_api import Page, WebSocket, expect

# What the page loads once it has been idle for a second or two stays away.
NEVER_IDLE = """(() => {
    const { setTimeout } = window;
    window.setTimeout = (action, ms, ...more) => ms >= 1000 ? 0 : setTimeout(action, ms, ...more);
})()"""


@pytest.fixture
def board(endless_board: Page) -> Page:
    """Return a page whose search was begun as at a first visit."""
    return endless_board


def listened(page: Page) -> list[list[str]]:
    """Record the lines that the page sends over each WebSocket from now on."""
    all_said: list[list[str]] = []

    def opened(socket: WebSocket) -> None:
        said: list[str] = []
        all_said.append(said)
        socket.on("framesent", lambda line: said.append(str(line)))

    page.on("websocket", opened)
    return all_said


def asked(said: list[str]) -> list[str]:
    """Return the lines about positions and searches."""
    return [line for line in said if line.startswith(("position", "go", "stop", "ucinewgame"))]


def test_first_visit_has_one_session_and_sends_everything_at_once(site: Site, board: Page) -> None:
    board.evaluate("localStorage.clear(); sessionStorage.clear()")
    said = listened(board)
    board.goto("about:blank")
    board.goto(site.url)
    searching(board)
    (first,) = said
    assert first[:2] == ["rookery session new", "uci"]
    assert asked(first) == ["position startpos", "go infinite"]


def test_stored_position_is_searched_once(board: Page) -> None:
    paste(board, "1. e4 e5 2. Nf3 *")
    expect(board.locator(".moves .move")).to_have_count(3)
    board.keyboard.press("End")
    board.wait_for_url("**#moves=e2e4.e7e5.g1f3")
    board.get_by_role("button", name="Engine options").click()
    board.get_by_role("slider", name="Lines").fill("2")
    board.keyboard.press("Escape")
    said = listened(board)
    board.reload()
    searching(board)
    expect(board.locator(".line .score")).to_have_count(2)
    (only,) = said
    assert "setoption name MultiPV value 2" in only
    assert asked(only) == ["position startpos moves e2e4 e7e5 g1f3", "go infinite"]


@pytest.mark.parametrize("language", ["en", "de", "es", "fr", "ru"])
def test_first_view_loads_the_texts_of_one_language(
    site: Site, open_page: Callable[..., Page], language: str
) -> None:
    page = open_page("about:blank", locale=language)
    page.add_init_script(NEVER_IDLE)
    page.goto(site.direct_url)
    expect(page.locator("html")).to_have_attribute("lang", language)
    expect(page.locator(".line .score").first).to_be_visible()
    expect(page.locator(".controls button").first).to_be_visible()
    files = json.loads(page.locator("meta[name=rookery-texts]").get_attribute("content") or "")
    asked = page.evaluate(
        "performance.getEntriesByType('resource').map(it => [it.name, it.encodedBodySize])"
    )
    sizes = {"/" + url.removeprefix(site.direct_url): size for url, size in asked}
    assert set(files) == {"en", "de", "es", "fr", "ru"}
    assert sizes.keys() & set(files.values()) == {files[language]}
    assert [url for url in sizes if "/later-" in url] == []  # Nothing of it was drawn.
    first = [size for url, size in sizes.items() if re.search(r"/(index|startup|style|page)-", url)]
    assert 100_000 < sum(first) < 117_000  # in each language; the page and the headers are 4 kB


@pytest.mark.parametrize(("address", "move"), [("#moves=d2d4", "d4"), ("#moves=nonsense", None)])
def test_address_takes_precedence_over_the_stored_game(
    site: Site, board: Page, open_page: Callable[..., Page], address: str, move: str | None
) -> None:
    page = open_page(f"{site.url}{address}")
    searching(page)
    current = page.locator(".move[aria-current]")
    if move:
        expect(current).to_have_text(move)
    else:
        expect(current).to_have_count(0)
    expect(page.locator(".line .number").first).to_have_text("1\u2026" if move else "1.")


def test_stopped_engine_stays_stopped(board: Page) -> None:
    board.get_by_role("switch", name="Engine").click()
    said = listened(board)
    board.reload()
    expect(board.get_by_test_id("status")).to_have_text("stopped")
    expect(board.locator(".engine-name").first).to_contain_text("Rookery")
    assert [asked(each) for each in said] == [[]]


def test_connection_is_opened_before_scripts_are_loaded(site: Site, board: Page) -> None:
    """Check that the handshake does not wait for scripts, and that nothing else is requested."""
    board.goto("about:blank")  # What it requests when it is idle is not looked at.
    asked_for: list[str] = []
    board.on("request", lambda request: asked_for.append(request.url))
    board.on("websocket", lambda _: asked_for.append("WebSocket"))
    board.route("**/assets/page-*.js", lambda _: None)  # never answered
    board.goto(site.url, wait_until="commit")
    until(board, "window.preconnection === null")  # after the inline script and the first module
    assert asked_for.count("WebSocket") == 1
    assert not [url for url in asked_for if url.endswith("/engines")]
