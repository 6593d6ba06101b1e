"""Whether people with other senses and tools can use the page: axe-core finds nothing wrong."""

from collections.abc import Callable
from pathlib import Path

import pytest
from browsing import Site, paste, searching
from playwright.sync_api import Page

AXE = Path(__file__).parents[2] / "server/web/node_modules/axe-core/axe.min.js"


def violations(page: Page) -> list[str]:
    page.evaluate(AXE.read_text())  # not as a script of the page: its policy forbids that
    found = page.evaluate("axe.run().then(result => result.violations)")
    return [f"{each['id']}: {[node['html'][:120] for node in each['nodes'][:3]]}" for each in found]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_page_is_accessible(site: Site, visit: Callable[..., Page], scheme: str) -> None:
    page = visit(site.url, color_scheme=scheme)
    searching(page)
    paste(page, "1. e4 {good} e5 (1... c5 2. Nf3) 2. Qh5? Nc6 *")
    page.keyboard.press("ArrowRight")
    searching(page)
    assert violations(page) == []


@pytest.mark.parametrize("button", ["Engine options", "Share or save", "Settings", "Keys"])
def test_windows_are_accessible(board: Page, button: str) -> None:
    board.get_by_role("button", name=button).click()
    assert violations(board) == []
