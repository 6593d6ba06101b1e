"""The operator's page, which is for admins only."""

from collections.abc import Callable
from pathlib import Path

from helpers.browsing import ROOKERY, Site, revoke, searching, serving, violations
from playwright.sync_api import Page, expect


def sign_in(page: Page, token: str) -> None:
    page.get_by_label("Token").fill(token)
    page.get_by_role("button", name="Sign in").click()


def test_members_and_strangers_are_refused(
    guarded: Site, member: str, admin: str, open_page: Callable[..., Page]
) -> None:
    page = open_page(f"{guarded.url}admin")
    expect(page.get_by_role("alert")).to_contain_text("This page is for admins")
    sign_in(page, member)
    expect(page.get_by_role("alert")).to_contain_text("bob is no admin")
    assert page.locator("table").count() == 0
    sign_in(page, admin)
    expect(page.get_by_role("region", name="Engines")).to_contain_text("rookery")
    assert admin not in page.url
    assert admin not in page.evaluate("JSON.stringify({...localStorage})")


def test_session_is_listed_and_ended(
    guarded: Site, admin: str, open_page: Callable[..., Page]
) -> None:
    board = open_page(guarded.url, endless=True)
    page = open_page(f"{guarded.url}admin")
    sign_in(board, admin)
    searching(board)
    sign_in(page, admin)
    row = page.get_by_role("region", name="Sessions").locator("tbody tr")
    expect(row).to_contain_text("ann")
    expect(row).to_contain_text("searching")
    row.get_by_role("button", name="End session").click()
    row.get_by_role("button", name="Yes, end it").click()
    expect(board.get_by_role("alert")).to_contain_text("The operator ended the session")
    expect(page.get_by_role("region", name="Sessions")).to_contain_text("None.")


def test_job_is_listed_paused_and_ended(
    guarded: Site, admin: str, open_page: Callable[..., Page], tmp_path: Path
) -> None:
    page = open_page(f"{guarded.url}admin")
    sign_in(page, admin)
    jobs = page.get_by_role("region", name="Jobs")
    expect(jobs).to_contain_text("None.")
    page.request.post(
        f"{guarded.url}v1/jobs?movetime=60000&name=slow",
        headers={"Authorization": f"Bearer {admin}", "Content-Type": "text/plain"},
        data="rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n",
    )
    expect(jobs.locator("tbody tr")).to_contain_text("slow")
    expect(jobs).to_contain_text("0 of 1")
    jobs.get_by_role("button", name="Pause job slow").click()
    expect(jobs).to_contain_text("paused")
    jobs.get_by_role("button", name="Resume job slow").click()
    expect(jobs.get_by_role("button", name="Pause job slow")).to_be_visible()
    page.screenshot(path=tmp_path / "jobs.png", full_page=True)
    jobs.get_by_role("button", name="End job slow").click()
    jobs.get_by_role("button", name="Yes, delete it").click()
    expect(jobs).to_contain_text("None.")


def test_shared_game_is_listed_and_its_link_ended(
    guarded: Site, admin: str, member: str, open_page: Callable[..., Page]
) -> None:
    page = open_page(f"{guarded.url}admin")
    game = page.request.post(
        f"{guarded.url}v1/games",
        headers={"Authorization": f"Bearer {member}"},
        data={"pgn": "1. e4 *", "title": "<b>Rude</b>"},
    ).json()
    sign_in(page, admin)
    games = page.get_by_role("region", name="Shared games")
    row = games.locator("tbody tr", has_text="<b>Rude</b>")
    expect(row).to_contain_text("bob")
    assert row.get_by_role("link").get_attribute("href") == f"/#game={game['id']}"
    assert violations(page) == []
    row.get_by_role("button", name="End the link to <b>Rude</b>").click()
    row.get_by_role("button", name="Yes, the link ends").click()
    expect(row).to_have_count(0)
    assert page.request.get(f"{guarded.url}v1/games/{game['id']}").status == 404


def test_phone_shows_all_of_a_session(
    guarded: Site, admin: str, open_page: Callable[..., Page], tmp_path: Path
) -> None:
    board, page = open_page(guarded.url), open_page(f"{guarded.url}admin")
    page.set_viewport_size({"width": 390, "height": 844})
    sign_in(board, admin)
    searching(board)
    sign_in(page, admin)
    sessions = page.get_by_role("region", name="Sessions")
    expect(sessions.get_by_role("button", name="End session")).to_be_visible()
    for region in (sessions, page.get_by_role("region", name="Engines")):
        assert region.evaluate("region => region.scrollWidth <= region.clientWidth")
    heads = sessions.locator("tbody td").evaluate_all(
        "cells => cells.map(cell => getComputedStyle(cell, '::before').content)"
    )
    assert '"Address"' in heads
    page.screenshot(path=tmp_path / "admin.png", full_page=True)


def test_server_is_drained(open_page: Callable[..., Page], tmp_path: Path) -> None:
    with serving("--engine", f"rookery={ROOKERY}", folder=tmp_path) as site:
        page = open_page(f"{site.url}admin")
        page.get_by_role("button", name="Drain the server").click()
        page.get_by_role("button", name="Yes, drain it").click()
        assert site.process.wait(20) == 0
        expect(page.get_by_role("alert")).to_contain_text("cannot be reached")


def test_token_that_is_revoked_ends_the_page(
    guarded: Site, tokens: Path, leaving: dict[str, str], open_page: Callable[..., Page]
) -> None:
    page = open_page(f"{guarded.url}admin")
    sign_in(page, leaving["eve"])
    expect(page.get_by_role("region", name="Engines")).to_be_visible()
    revoke(tokens, "eve")
    expect(page.get_by_role("alert")).to_contain_text("revoked")


def test_local_operator_needs_no_token(site: Site, open_page: Callable[..., Page]) -> None:
    page = open_page(f"{site.url}admin")
    expect(page.get_by_role("region", name="Engines")).to_contain_text("stockfish")
    policy = page.evaluate("fetch('/admin').then(a => a.headers.get('content-security-policy'))")
    assert "script-src 'self'" in policy
