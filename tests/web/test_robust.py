"""Large files, missing storage, quick steps, and a distant server."""

from collections.abc import Callable

import chess
import pytest
from helpers.browsing import (
    Site,
    click,
    drag,
    expect_moves,
    in_thread,
    moves,
    paste,
    searching,
    until,
)
from helpers.lag import Lag
from playwright.sync_api import Page, expect

# Storage as browsers have it when cookies are blocked, or the quota is used up.
FORBIDDEN = """for (const name of ["localStorage", "sessionStorage"]) {
    Object.defineProperty(window, name, {get() { throw new DOMException("no", "SecurityError"); }});
}"""
FULL = """Storage.prototype.setItem = () => {
    throw new DOMException("full", "QuotaExceededError");
}"""
ROUND = ["Nf3", "Nf6", "Ng1", "Ng8"]


@pytest.fixture
def board(searching_board: Page) -> Page:
    """Return the page with what its engine has found."""
    return searching_board


def shuffling(number: int) -> str:
    """Return a game of knight moves to and fro, with a number of moves of each side."""
    pairs = [ROUND[:2] if at % 2 else ROUND[2:] for at in range(1, number + 1)]
    return " ".join(f"{at}. {white} {black}" for at, (white, black) in enumerate(pairs, 1))


def nested(depth: int) -> str:
    """Return a game with variations nested to a depth."""
    board = chess.Board()
    words = []
    for at in range(depth):
        number = f"{at // 2 + 1}{'...' if at % 2 else '.'}"
        knights = [move for move in board.legal_moves if board.piece_type_at(move.from_square) == 2]
        first, other = (board.san(move) for move in knights[:2])
        words.append(f"{number} {first} ({number} {other}")
        board.push(knights[1])
    return f"{' '.join(words)}{')' * depth} *"


@pytest.mark.parametrize("storage", [FORBIDDEN, FULL], ids=["forbidden", "full"])
def test_page_works_without_storage(site: Site, board: Page, storage: str) -> None:
    board.add_init_script(storage)
    board.goto("about:blank")
    board.goto(site.url)
    searching(board)
    drag(board, "e2", "e4")
    searching(board)
    board.get_by_role("button", name="Play against an engine").click()
    board.get_by_role("button", name="Play", exact=True).click()
    expect(board.get_by_test_id("play-status")).to_have_text("your move")
    drag(board, "d2", "d4")
    expect(board.locator(".mainline > button.move")).to_have_count(2)
    told = board.get_by_role("alert").filter(has_text="Your last changes are not saved")
    if storage is FULL:
        with board.expect_download() as download:
            told.get_by_role("button", name="Download the game").click()
        assert "1. d4" in download.value.path().read_text()
        told.get_by_role("button", name="Dismiss").click()
        drag(board, "c2", "c4")
        expect(board.locator(".mainline > button.move")).to_have_count(4)
    else:
        board.get_by_role("button", name="Settings").click()
        expect(board.get_by_role("dialog")).to_contain_text("This browser stores nothing")
    expect(told).to_have_count(0)


def test_invalid_stored_settings_are_ignored(board: Page) -> None:
    nonsense = {"lines": "many", "size": None, "limits": {"kind": "never"}, "play": 7, "bar": False}
    board.evaluate("it => localStorage['rookery.settings'] = JSON.stringify(it)", nonsense)
    board.reload()
    searching(board)
    expect(board.locator(".line .score")).to_have_count(3)
    expect(board.locator(".eval-bar")).to_have_count(0)
    board.get_by_role("button", name="Play against an engine").click()
    expect(board.get_by_label("Your colour")).to_have_value("white")


def test_file_of_five_megabytes_is_opened_and_searched(board: Page) -> None:
    game = f'[White "Player %d"]\n[Black "Other"]\n\n{shuffling(80)} *\n\n'
    number = 5_000_000 // len(game)
    paste(board, "".join(game % at for at in range(number)))
    board.get_by_role("button", name="Open a game or a position").click()
    search = board.get_by_label("Search games")
    search.wait_for(timeout=60_000)  # Beside other tests it took more than 20 s.
    search.fill(f"player {number - 1}")
    board.get_by_role("list", name="Games").get_by_role("button").click()
    expect(board.locator(".player.bottom")).to_contain_text(f"Player {number - 1}")
    board.keyboard.press("End")
    searching(board)
    assert len(moves(board)) == 160


def test_variations_may_be_nested_deeply(board: Page) -> None:
    paste(board, nested(2000))
    # The deep levels are folded; each click shows more of them.
    shown = board.locator("button.move")
    expect(shown).not_to_have_count(0)
    before = shown.count()
    board.locator(".variation [aria-expanded=false]").last.click()
    until(board, f"document.querySelectorAll('button.move').length > {before}")
    shown.last.click()
    searching(board)


@pytest.mark.parametrize(
    ("fen", "words"),
    [
        ("8/8/8/8/8/8/8/8 w - - 0 1", "white needs one king, not 0"),
        ("4k3/8/8/8/8/8/8/8 w - - 0 1", "white needs one king, not 0"),
        ("4k3/8/8/8/8/8/8/4K2P w - - 0 1", "no pawn can stand on the first or last rank"),
        ("9/8/8/8/8/8/8/8 w - - 0 1", "not a valid FEN"),
        ("https://chess.example/study/12/ab/cd", "this is a web address"),
        ("4k3/8/8/8/8/8/8/4K3/8 w - - 0 1", "not a valid FEN"),
    ],
)
def test_invalid_fen_is_refused_with_a_message(board: Page, fen: str, words: str) -> None:
    paste(board, "1. e4 *")
    paste(board, fen)
    expect(board.locator(".toast")).to_contain_text(words)
    expect_moves(board, ["e4"])  # what was there still is


def test_no_evaluation_is_stale_while_a_key_is_held(
    site: Site, open_page: Callable[..., Page]
) -> None:
    """Check that ten lines that stream always belong to the position on the board."""
    page = open_page(site.url, endless=True)
    searching(page)
    page.evaluate("localStorage['rookery.settings'] = JSON.stringify({lines: 10})")
    page.reload()
    expect(page.locator(".line .score")).to_have_count(10)
    paste(page, f"{shuffling(60)} *")
    page.evaluate(
        """() => {
            window.wrong = [];
            window.looked = 0;
            const look = () => {
                const all = [...document.querySelectorAll(".mainline > button.move")];
                const ply = all.findIndex((each) => each.hasAttribute("aria-current")) + 1;
                const wants = `${Math.ceil((ply + 1) / 2)}${ply % 2 ? "\\u2026" : "."}`;
                for (const first of document.querySelectorAll(".line .pv-move.first .number")) {
                    window.looked++;
                    if (first.textContent !== wants) window.wrong.push(first.textContent + wants);
                }
                requestAnimationFrame(look);
            };
            look();
        }"""
    )
    for key in ("ArrowRight", "ArrowLeft"):
        for _ in range(60):
            page.keyboard.down(key)  # again and again without a release, as a key that is held
            page.wait_for_timeout(15)
        page.keyboard.up(key)
        searching(page)
        until(page, "looked > 20")  # lines, of frames that a busy machine draws seldom
    assert page.evaluate("wrong") == []


def test_search_stops_while_the_page_is_hidden(site: Site, endless_board: Page) -> None:
    hide = """isHidden => {
        Object.defineProperty(document, "hidden", {value: isHidden, configurable: true});
        document.dispatchEvent(new Event("visibilitychange"));
    }"""
    endless_board.evaluate(hide, True)
    expect(endless_board.get_by_test_id("status")).to_contain_text("done")
    used = -1.0
    while site.cpu_seconds() - used >= 0.1:  # until the engine rests
        used = site.cpu_seconds()
        endless_board.wait_for_timeout(500)
    endless_board.evaluate(hide, False)
    drag(endless_board, "e2", "e4")
    searching(endless_board)


def test_link_keeps_the_stored_game(site: Site, board: Page) -> None:
    paste(board, "1. c4 e5 2. g3 *")
    board.goto("about:blank")
    board.goto(f"{site.url}#moves=d2d4.d7d5")
    searching(board)
    expect_moves(board, ["d4", "d5"])
    board.keyboard.press("Control+z")
    expect(board.locator(".mainline > button.move")).to_have_count(3)
    expect_moves(board, ["c4", "e5", "g3"])


def test_distant_server_gets_each_position_and_none_is_mixed_up(
    site: Site, open_page: Callable[..., Page]
) -> None:
    """Check a round trip of 300 ms, with which answers to earlier positions arrive later."""
    with in_thread(lambda: Lag(site.proxy.port, 0.15)) as (lag, _):
        page = open_page(f"http://127.0.0.1:{lag.port}/", endless=True)
        searching(page)
        for pair in ("e2 e4", "e7 e5", "g1 f3", "b8 c6", "f1 b5"):
            click(page, *pair.split())
            expect(page.locator(".mainline .move[aria-current]")).to_contain_text(pair[-2:])
            numbers = page.locator(".line .pv-move.first .number").all_inner_texts()
            count = len(moves(page))
            dots = "\u2026" if count % 2 else "."
            assert set(numbers) <= {f"{count // 2 + 1}{dots}"}
        expect(page.locator(".line .score")).to_have_count(3)
        expect(page.locator(".line .number").first).to_have_text("3\u2026")
        page.close()


def test_forward_and_back_of_the_browser_keep_the_game(site: Site, board: Page) -> None:
    paste(board, "1. c4 e5 2. g3 *")
    board.keyboard.press("End")
    board.wait_for_url("**#moves=c2c4.e7e5.g2g3")
    board.goto(f"{site.url}connect")
    board.go_back()
    searching(board)
    expect(board.locator(".move[aria-current]")).to_have_text("g3")
    board.go_forward()
    board.go_back()
    expect(board.locator(".move[aria-current]")).to_have_text("g3")
    drag(board, "b8", "c6")
    searching(board)
    expect(board.locator(".mainline > button.move")).to_have_count(4)
