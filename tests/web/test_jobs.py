"""Analyses on the server, which go on without the page."""

from collections.abc import Callable

from helpers.browsing import Site, fits, paste, searching, violations
from playwright.sync_api import Page, expect

GAMES = """[White "Ann"]
[Black "Bob"]

1. e4 {mine} e5 2. Qh5 Nf6 3. Qxe5+ Be7 4. Qxe7+ Qxe7 *

[White "Cid"]
[Black "Dan"]

1. f3 e5 2. g4 Qh4# 0-1
"""


def opened_list(page: Page) -> None:
    page.get_by_role("button", name="My analyses on the server").click()


def test_analysis_goes_on_without_the_page_and_is_opened_by_another(
    site: Site, open_page: Callable[..., Page]
) -> None:
    first = open_page(site.url)
    searching(first)
    paste(first, GAMES)
    first.get_by_label("Time per move").select_option("100")
    expect(first.get_by_label("Where to analyse")).to_have_value("server")
    first.get_by_label("Games to analyse").select_option("all")
    first.get_by_role("button", name="Analyse the games").click()
    expect(first.get_by_role("dialog", name="My analyses")).to_contain_text("Ann \u2013 Bob, and 1")
    page = first.context.new_page()
    first.close()

    page.goto(site.url)
    opened_list(page)
    entry = page.get_by_role("dialog", name="My analyses").get_by_role("listitem")
    expect(entry).to_contain_text("Finished: 2 games")
    with page.expect_download() as download:
        entry.get_by_role("button", name="Download PGN").click()
    assert download.value.path().read_text().count("[%eval") > 8
    entry.get_by_role("button", name="Open the games").click()
    page.get_by_role("button", name="Ann \u2013 Bob").click()
    expect(page.locator(".comment").first).to_contain_text("mine")
    expect(page.locator(".mainline .move.blunder")).to_contain_text("Qxe7+")
    expect(page.locator(".summary").first.get_by_role("button", name="Practise")).to_be_visible()

    opened_list(page)
    entry.get_by_role("button", name="Delete\u2026").press("Enter")
    page.set_viewport_size({"width": 320, "height": 640})
    assert violations(page) == []
    assert fits(page, 320)
    entry.get_by_role("button", name="Delete", exact=True).press("Enter")
    expect(page.get_by_role("dialog", name="My analyses")).to_contain_text("There are none yet")
