"""A shared game in a frame on a page of another site."""

import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import unquote

import pytest
from helpers.browsing import Site, serving_ours, violations
from playwright.sync_api import Browser, Frame, Page, expect

PGN = """\
[Event "Club championship"]
[Date "2026.11.20"]
[White "Ann <b>Able</b>"]
[WhiteElo "1850"]
[Black "Bob"]
[Result "1-0"]

{The key game.} 1. e4 {[%clk 1:29:50] [%cal Ge4e5] <img src=x onerror=alert(1)>} e5 (1... c5 2. Nf3
(2. c3 $6) d6) 2. Nf3 $1 {[%clk 1:28:00]} Nc6 $2 {Mistake. Nf6 was best.}
(2... Nf6 3. Nxe5) 3. Bb5 1-0
"""


class Club(BaseHTTPRequestHandler):
    """The site of a club: its page shows what its address has after `?`."""

    def do_GET(self) -> None:  # the library's name
        src, _, more = unquote(self.path).partition("?")[2].partition("&")
        frame = f'<iframe src="{src}" title="A game" width="600" height="400" {more}></iframe>'
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(f"<!doctype html><h1>Club</h1>{frame}".encode())

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture(scope="module")
def club() -> Iterator[int]:
    """Return the port of the club's site."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Club)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server.server_port
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="module")
def framing(
    browser: Browser, club: int, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Site]:
    """Return a server on which the club's site may show games."""
    folder = tmp_path_factory.mktemp("framing")
    text = f"[server]\nframe_ancestors = ['http://127.0.0.1:{club}']\n"
    text += f"[cache]\nfile = {str(folder / 'cache.sqlite')!r}\n"
    with serving_ours(text, folder=folder) as site:
        yield site


def share_game(page: Page, site: Site) -> str:
    """Share the game; return its id."""
    answer = page.request.post(
        f"{site.direct_url}v1/games", data={"pgn": PGN, "title": "Ann - Bob"}
    )
    assert answer.status == 201
    return str(answer.json()["id"])


def frame_in(page: Page) -> Frame:
    frame = page.frames[1]
    expect(frame.get_by_role("heading", name="Ann - Bob")).to_be_attached()
    return frame


def test_game_is_read_on_a_page_that_is_listed_and_on_no_other(
    framing: Site, club: int, open_page: Callable[..., Page]
) -> None:
    page = open_page(f"{framing.direct_url}embed")
    expect(page.get_by_role("alert")).to_contain_text("This address names no game")
    address = f"{framing.direct_url}embed#{share_game(page, framing)}"
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    page.on("websocket", lambda socket: requests.append(socket.url))

    page.goto(f"http://127.0.0.1:{club}/?{address.replace('#', '%23')}")
    frame = frame_in(page)
    current = frame.locator(".move[aria-current]")
    expect(frame.locator(".player-name")).to_have_text(["Bob", "Ann <b>Able</b>"])
    expect(frame.locator(".occasion")).to_have_text("Club championship, 2026.11.20, 1\u20130")
    expect(frame.locator(".comment").nth(1)).to_have_text("<img src=x onerror=alert(1)>")
    frame.get_by_role("button", name="Next move (→)").click()
    expect(current).to_have_text("e4")
    expect(frame.locator(".clock")).to_have_text("1:29:50")
    expect(frame.locator("svg.cg-shapes g[cgHash]")).to_have_count(1)
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")
    expect(current).to_have_text("c5")
    page.keyboard.press("End")
    expect(current).to_have_text("d6")
    page.keyboard.press("f")
    expect(frame.locator(".player-name")).to_have_text(["Ann <b>Able</b>", "Bob"])
    frame.get_by_role("button", name="Nc6").click()
    frame.get_by_test_id("board").hover()
    page.mouse.wheel(0, 120)
    expect(current).to_have_text("Bb5")
    frame.get_by_role("button", name="Fold all better lines").click()
    expect(frame.get_by_role("button", name="Nxe5")).to_have_count(0)
    frame.get_by_role("button", name="Unfold all better lines").click()
    expect(frame.get_by_role("button", name="Nxe5")).to_be_visible()
    link = frame.get_by_role("link", name="Open on 127.0.0.1")
    assert (link.get_attribute("href") or "").endswith(f"/#game={address.partition('#')[2]}")
    assert violations(frame) == []
    # The page itself, and the game: no engine, no other files.
    own = [url for url in requests if url.startswith((framing.direct_url, "ws"))]
    assert [url.partition("/v1/")[0].partition("#")[0] for url in own] == [
        f"{framing.direct_url}embed", framing.direct_url.rstrip("/"),
    ]  # fmt: skip

    page.goto(f"http://127.0.0.1:{club}/?{address.replace('#', '%23')}&sandbox=allow-scripts")
    expect(frame_in(page).get_by_role("button", name="Bb5")).to_be_visible()

    page.goto(f"http://localhost:{club}/?{address.replace('#', '%23')}")
    page.frames[1].wait_for_url("chrome-error:**", wait_until="commit")
    board = f"http://127.0.0.1:{club}/?{framing.direct_url}"
    page.goto(board)
    page.frames[1].wait_for_url("chrome-error:**", wait_until="commit")


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_all_is_in_sight_in_each_size(
    framing: Site, open_page: Callable[..., Page], theme: str, tmp_path: Path
) -> None:
    page = open_page(f"{framing.direct_url}embed", color_scheme="light")
    id_ = share_game(page, framing)
    for width, height in ((320, 400), (600, 400), (900, 600)):
        page.set_viewport_size({"width": width, "height": height})
        page.goto(f"{framing.direct_url}embed#{id_},{theme},black")
        expect(page.get_by_role("button", name="Bb5")).to_be_attached()
        page.keyboard.press("End")
        for each in (
            page.get_by_role("link"),
            page.get_by_test_id("board"),
            page.locator(".moves"),
        ):
            expect(each).to_be_in_viewport(ratio=1)
        board = page.get_by_test_id("board").bounding_box()
        assert board
        assert board["width"] == board["height"] >= height * 0.5
        size = page.evaluate(
            "[document.documentElement.scrollWidth, document.documentElement.scrollHeight]"
        )
        assert size == [width, height]
        page.screenshot(path=tmp_path / f"{width}-{theme}.png")
        assert violations(page) == []


def test_link_that_leads_nowhere_says_so(framing: Site, open_page: Callable[..., Page]) -> None:
    page = open_page(f"{framing.direct_url}embed#{'x' * 22}")
    expect(page.get_by_role("alert")).to_contain_text("There is no such game, or not any more")
    assert violations(page) == []
