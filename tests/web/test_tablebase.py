"""The panel of the server's tablebases."""

import re
from collections.abc import Callable
from pathlib import Path

from helpers.browsing import moves, paste, searching, serving_ours, violations
from playwright.sync_api import Page, expect

TABLES = Path(__file__).parents[1] / "data" / "syzygy"


def test_moves_of_an_endgame_are_judged_and_played(
    open_page: Callable[..., Page], tmp_path: Path
) -> None:
    with serving_ours(f"[tablebases]\npath = {str(TABLES)!r}", folder=tmp_path) as site:
        page = open_page(site.url)
        searching(page)
        asked: list[str] = []
        page.on("request", lambda request: asked.append(request.url))
        tables = page.get_by_test_id("tables")
        expect(tables).to_have_count(0)
        paste(page, "8/8/8/8/4p3/4k3/8/4K3 b - - 0 1")
        expect(tables).to_contain_text("Black wins")
        rows = tables.locator("tbody tr")
        assert len(rows.all()) == 4
        assert re.fullmatch(r"(Kd3|Kf3)\s+wins\s+DTZ \d+", rows.first.inner_text())
        expect(rows.last).to_contain_text("draws")
        assert violations(page) == []
        rows.first.get_by_role("button").click()
        expect(tables).to_contain_text("White loses")
        assert len(moves(page)) == 1
        page.get_by_role("button", name="Tablebase").click()
        expect(tables).to_have_count(0)
        requests = [each for each in asked if "/v1/tablebase" in each]
        assert len(requests) == 2
        page.close()
