"""An annotated game that is shared by a link, and read by those who have no token."""

from collections.abc import Callable

from helpers.browsing import Site, expect_fit, expect_moves, paste, searching, violations
from playwright.sync_api import Page, expect


def test_game_is_shared_read_without_a_token_copied_and_withdrawn(
    guarded: Site, member: str, open_page: Callable[..., Page]
) -> None:
    owner = open_page(guarded.url)
    owner.get_by_label("Token").fill(member)
    owner.keyboard.press("Enter")
    searching(owner)
    paste(owner, '[White "Ann"]\n[Black "Bob"]\n\n1. e4 {<b>best</b> by test} e5 2. Nf3 *')
    owner.get_by_role("button", name="Share or save").click()
    owner.get_by_role("button", name="Make a link").click()
    entry = owner.get_by_role("list", name="My links").get_by_role("listitem")
    expect(entry).to_contain_text("Ann")
    assert violations(owner) == []
    link = entry.get_by_label("Link").input_value()

    reader = open_page(link, viewport={"width": 390, "height": 844})
    panel = reader.get_by_role("region", name="Shared game")
    expect(panel).to_contain_text("A shared game")
    expect_moves(reader, ["e4", "e5", "Nf3"])
    expect(reader.locator(".comment")).to_have_text("<b>best</b> by test")
    expect(reader.get_by_role("dialog")).to_have_count(0)  # It asks for no token.
    expect(reader.get_by_role("button", name="Sign in for the engine")).to_be_visible()
    expect(reader.get_by_role("alert")).to_have_count(0)
    reader.keyboard.press("ArrowRight")
    reader.keyboard.press("Delete")
    expect_moves(reader, ["e4", "e5", "Nf3"])
    assert violations(reader) == []
    expect_fit(reader, 390)
    reader.reload()
    expect(panel).to_contain_text("A shared game")
    panel.get_by_role("button", name="Make a copy").click()
    expect(panel).to_have_count(0)
    reader.keyboard.press("ArrowRight")
    reader.keyboard.press("Delete")
    expect(reader.locator(".mainline > button.move")).to_have_count(0)

    entry.get_by_role("button", name="Withdraw…").click()
    entry.get_by_role("button", name="Withdraw the link").click()
    expect(entry).to_have_count(0)
    late = open_page(link)
    expect(late.get_by_role("alert")).to_contain_text("There is no such game, or not any more")
