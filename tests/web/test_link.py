"""The page with a bad network, a failing engine, or a server that refuses."""

import os
import signal
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from helpers.browsing import Site, click, drag, searching, serving_ours, until
from helpers.support import TIMEOUT
from playwright.sync_api import Page, expect

# Records the lines over WebSockets, in both directions.
RECORD = """() => {
const Real = WebSocket;
window.said = [];
window.heard = [];
window.WebSocket = class extends Real {
  constructor(...all) {
    super(...all);
    this.addEventListener("message", ({data}) => window.heard.push(data));
  }
  send(line) { window.said.push(line); super.send(line); }
};
}"""


# Lets the first WebSocket neither open nor fail, as in a network that loses everything.
HOLE = """() => {
const Real = WebSocket;
let isFirst = true;
window.WebSocket = new Proxy(Real, {
  construct(target, all) {
    if (!isFirst) return new Real(...all);
    isFirst = false;
    return Object.assign(new EventTarget(), { readyState: 0, close() {}, send() {} });
  },
});
}"""


@pytest.fixture
def board(endless_board: Page) -> Page:
    """Return the page while its engine searches."""
    return endless_board


@pytest.mark.parametrize("wait", [0, 3500])
def test_slow_handshake_is_given_up(site: Site, board: Page, wait: int) -> None:
    board.add_init_script(f"({HOLE})()")
    board.reload()
    status = board.get_by_test_id("status")
    expect(status).to_have_text("connecting…")
    if wait:
        board.wait_for_timeout(wait)
        expect(status).to_have_text("connecting…")
        board.evaluate("dispatchEvent(new Event('online'))")
    searching(board)


@pytest.mark.parametrize("kind", ["reset", "end", "half"])
def test_cut_connection_is_resumed(site: Site, board: Page, kind: str) -> None:
    board.evaluate(RECORD)  # of the connections that follow
    site.cut(kind)
    until(board, "window.heard.some(line => line.startsWith('rookery session'))")
    said = board.evaluate("window.said")
    assert said[0].startswith("rookery session ")
    assert "new" not in said[0].split()
    # The search has gone on: neither the engine nor the position was requested again.
    until(board, "window.heard.some(line => line.startsWith('info depth'))")
    assert not [line for line in said if line.startswith(("uci", "go", "position"))]
    searching(board)


def test_move_without_a_connection_is_searched_after_reconnecting(site: Site, board: Page) -> None:
    board.evaluate(RECORD)
    site.cut("reset")
    drag(board, "e2", "e4")
    until(board, "window.heard.some(line => line.startsWith('bestmove'))")
    expect(board.locator(".line .pv-move").first).to_contain_text("1…")
    searching(board)


def test_killed_engine_is_replaced(site: Site, board: Page) -> None:
    os.kill(site.searching_engine(), signal.SIGKILL)
    expect(board.locator(".toast")).to_contain_text("another takes its place")
    drag(board, "d2", "d4")
    searching(board)


def test_no_evaluation_is_shown_for_another_position(
    board: Page,
) -> None:
    """Check that each line is legal where it is shown, however fast positions change."""
    board.evaluate(
        """() => {
            window.wrong = [];
            const look = () => {
                const ply = document.querySelectorAll(".mainline > button.move").length;
                const first = document.querySelector(".line .number");
                const wants = `${Math.ceil((ply + 1) / 2)}${ply % 2 ? "\\u2026" : "."}`;
                if (first && first.textContent !== wants) window.wrong.push(first.textContent);
                requestAnimationFrame(look);
            };
            look();
        }"""
    )
    for pair in ("g1 f3", "g8 f6", "b1 c3", "b8 c6", "e2 e4", "e7 e5", "d2 d4", "d7 d5"):
        click(board, *pair.split())
    searching(board)
    assert board.evaluate("window.wrong") == []


def test_token_is_requested_and_kept_secret(
    guarded: Site, member: str, open_page: Callable[..., Page]
) -> None:
    page = open_page(guarded.url)
    window = page.get_by_role("dialog", name="Sign in")
    window.get_by_label("Token").fill("rk_wrong_wrong")
    window.get_by_role("button", name="Sign in").click()
    expect(window.get_by_role("alert")).to_contain_text("token")
    window.get_by_label("Token").fill(member)
    window.get_by_role("button", name="Sign in").click()
    expect(window).to_have_count(0)
    searching(page)
    assert member not in page.url
    assert member not in page.evaluate("JSON.stringify({...localStorage})")
    page.reload()
    searching(page)
    page.get_by_role("button", name="Settings").click()
    page.get_by_role("button", name="Sign out").click()
    window.get_by_label("Token").fill(member)
    window.get_by_role("button", name="Sign in").click()
    expect(window).to_have_count(0)
    searching(page)
    page.close()


def test_sign_in_window_can_be_opened_again(
    guarded: Site, member: str, open_page: Callable[..., Page]
) -> None:
    page = open_page(guarded.url)
    window = page.get_by_role("dialog", name="Sign in")
    expect(window.get_by_label("Token")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.get_by_test_id("status")).to_have_text("not signed in")
    page.get_by_role("button", name="Settings").click()
    settings = page.get_by_role("dialog", name="Settings")
    settings.get_by_role("button", name="Sign in").click()
    expect(window).to_be_visible()
    page.keyboard.press("Escape")
    page.get_by_role("alert").get_by_role("button", name="Sign in").click()
    window.get_by_label("Token").fill(member)
    page.keyboard.press("Enter")
    searching(page)
    page.close()


def test_place_in_the_queue_is_shown(narrow: Site, open_page: Callable[..., Page]) -> None:
    first = open_page(narrow.url, endless=True)
    searching(first)
    second = open_page(narrow.url)
    expect(second.get_by_test_id("status")).to_contain_text("you are number 1 of 1")
    first.close()
    searching(second)
    second.close()


def try_until_searching(page: Page) -> None:
    """Request an engine until the server has noticed that another page has left."""
    again = page.get_by_role("button", name="Try again")
    status = page.get_by_test_id("status")
    end = time.monotonic() + TIMEOUT
    while "depth" not in status.inner_text() and time.monotonic() < end:
        if again.is_visible():
            again.click()
        page.wait_for_timeout(50)
    searching(page)


def test_full_server_is_reported(full: Site, open_page: Callable[..., Page]) -> None:
    first = open_page(full.url, endless=True)
    searching(first)
    second = open_page(full.url)
    expect(second.get_by_role("alert")).to_contain_text("queue is full")
    first.close()
    try_until_searching(second)
    second.close()


def test_session_quota_is_reported(open_page: Callable[..., Page], tmp_path: Path) -> None:
    with serving_ours("[quota]\nsessions = 1", folder=tmp_path) as site:
        first = open_page(site.url)
        searching(first)
        second = open_page(site.url)
        expect(second.get_by_role("alert")).to_contain_text("too many boards open")
        for page in (second, first):
            page.close()


def test_cpu_quota_is_reported(open_page: Callable[..., Page], tmp_path: Path) -> None:
    with serving_ours("[quota]\ncpu_seconds = 1", folder=tmp_path) as site:
        page = open_page(site.url, endless=True)
        searching(page)
        # An engine that the quota has stopped stands still at a second, more or less.
        used = [0.0] * 10
        for _ in range(500):
            used = [*used[1:], site.cpu_seconds()]
            if used[-1] > 1.1 or used[0] == used[-1] >= 0.9:
                break
            page.wait_for_timeout(50)
        drag(page, "e2", "e4")
        expect(page.get_by_role("alert")).to_contain_text("engine time for this hour is used up")
        page.close()
