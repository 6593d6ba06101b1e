"""Files of the library that the server keeps for the machines of an account."""

import time
from collections.abc import Callable

from helpers.browsing import PATIENCE, Site, violations
from playwright.sync_api import Locator, Page, expect

FILE = '[White "Ann"]\n\n1. e4 e5 *\n\n[White "Bob"]\n\n1. d4 d5 *\n'


def opened(page: Page) -> Locator:
    """Open the library's window, which looks at the server."""
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.get_by_role("button", name="Open a game or a position").click()
    return page.get_by_role("dialog")


def opened_until(page: Page, find: Callable[[Locator], Locator], count: int = 1) -> Locator:
    """Open the window until something of another machine is there: that may still be sending it."""
    deadline = time.monotonic() + PATIENCE / 1000
    while True:
        window = opened(page)
        try:
            expect(find(window)).to_have_count(count, timeout=5000)
        except AssertionError:
            if time.monotonic() > deadline:
                raise
        else:
            return window


def in_2026(window: Locator) -> Locator:
    return window.get_by_role("list", name="Files in 2026")


def choose_file(window: Locator, name: str, content: str) -> None:
    file = {"name": name, "mimeType": "application/x-chess-pgn", "buffer": content.encode()}
    window.get_by_label("File with games").set_input_files(file)
    expect(window.get_by_role("list", name="Files")).to_contain_text(name)


def sign_in(page: Page, token: str) -> None:
    window = page.get_by_role("dialog", name="Sign in")
    window.get_by_label("Token").fill(token)
    window.get_by_role("button", name="Sign in").click()
    expect(window).to_have_count(0)


def save_move(page: Page, name: str, move: str) -> Locator:
    """Add a move to the first game of a file, and save it there."""
    window = opened(page)
    window.get_by_role("button", name=f"{name} 2 games").click()
    window.get_by_role("list", name="Games", exact=True).get_by_role("button").first.click()
    page.keyboard.press("End")
    page.keyboard.press("m")
    page.keyboard.type(move)
    page.keyboard.press("Enter")
    window = opened(page)
    window.get_by_role("button", name=f"Save in 2026/{name}").click()
    return window


def files_on_server(page: Page, token: str) -> str:
    """Return the list of files that an account keeps there, with the version of each."""
    address = page.url.partition("#")[0] + "v1/library/files"
    return page.request.get(address, headers={"Authorization": f"Bearer {token}"}).text()


def test_two_machines_have_the_same_files(
    guarded: Site, member: str, open_page: Callable[..., Page]
) -> None:
    one, other = (open_page(guarded.url, searches=False) for _ in range(2))
    sign_in(one, member)
    window = opened(one)
    choose_file(window, "club.pgn", FILE)
    window.get_by_role("switch", name="Keep on the server: club.pgn").check()
    expect(window.get_by_text("The same on the server")).to_be_visible()
    assert violations(one) == []

    # Who has no account is not offered it; who has one finds the file, and files of old stay.
    window = opened(other)
    choose_file(window, "own.pgn", FILE.replace("Ann", "Eve"))
    expect(window.get_by_text("Keep on the server")).to_have_count(0)
    other.reload()
    sign_in(other, member)
    window = opened(other)
    files = window.get_by_role("list", name="Files")
    expect(files).to_contain_text("club.pgn 2 games")
    expect(window.get_by_role("switch", checked=False)).to_have_count(1)

    # Without a connection the file is moved here, and there later.
    other.context.set_offline(True)
    window.get_by_role("button", name="Rename or move club.pgn").click()
    window.get_by_label("Name; a slash makes a folder").fill("2026/club.pgn")
    window.get_by_role("button", name="Rename", exact=True).click()
    expect(window.get_by_text("No connection: it is sent later")).to_be_visible()
    other.context.set_offline(False)
    expect(opened(other).get_by_text("The same on the server")).to_be_visible()
    window = opened_until(one, in_2026)
    expect(in_2026(window)).to_contain_text("club.pgn")

    # What both have changed is kept twice.
    other.context.set_offline(True)
    save_move(other, "club.pgn", "Nf3")
    stored = files_on_server(one, member)
    save_move(one, "club.pgn", "Bc4")
    end = time.monotonic() + PATIENCE / 1000
    while files_on_server(one, member) == stored and time.monotonic() < end:
        one.wait_for_timeout(100)
    other.context.set_offline(False)
    window = opened_until(other, lambda it: in_2026(it).get_by_role("listitem"), 2)
    kept = in_2026(window).get_by_role("listitem")
    expect(kept.get_by_text("The same on the server")).to_have_count(2)
    expect(kept.first).to_contain_text("club (from this computer).pgn")

    # All files of a folder are kept, or only here, by one switch.
    folder = window.get_by_role("switch", name="Keep on the server: 2026")
    expect(folder).to_be_checked()
    folder.uncheck()
    expect(other.get_by_text("The files in 2026 are only in this browser now")).to_be_visible()
    expect(window.get_by_role("switch", checked=True)).to_have_count(0)
    opened_until(one, in_2026, 0)
    folder.check()
    expect(window.get_by_text("The same on the server")).to_have_count(2)
    expect(folder).to_be_checked()

    # A file that is deleted here goes there, where it can be had again.
    window.get_by_role("button", name="Delete club.pgn").click()
    window = opened_until(one, lambda it: it.get_by_text("Deleted 2026/club.pgn"))
    window.get_by_role("button", name="Undo", exact=True).click()
    expect(window.get_by_text("The same on the server")).to_have_count(2)
