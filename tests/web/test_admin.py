"""The operator's page, which is for admins only."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from helpers.browsing import ROOKERY, Site, searching, serving
from helpers.support import add_token
from playwright.sync_api import Page, expect

from rookery_server.access.account import Role


@pytest.fixture
def tokens(tmp_path: Path) -> Path:
    return tmp_path / "tokens"


@pytest.fixture
def admin(tokens: Path) -> str:
    return add_token(tokens, "ann", role=Role.ADMIN)


@pytest.fixture
def member(tokens: Path) -> str:
    return add_token(tokens, "bob")


@pytest.fixture
def guarded(tokens: Path, admin: str, member: str, tmp_path: Path) -> Iterator[Site]:
    assert admin != member
    arguments = ("--engine", f"rookery={ROOKERY}", "--tokens", str(tokens))
    with serving(*arguments, folder=tmp_path) as site:
        yield site


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
    board, page = open_page(guarded.url), open_page(f"{guarded.url}admin")
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


def test_server_is_drained(guarded: Site, admin: str, open_page: Callable[..., Page]) -> None:
    page = open_page(f"{guarded.url}admin")
    sign_in(page, admin)
    page.get_by_role("button", name="Drain the server").click()
    page.get_by_role("button", name="Yes, drain it").click()
    assert guarded.process.wait(20) == 0
    expect(page.get_by_role("alert")).to_contain_text("cannot be reached")


def test_token_that_is_revoked_ends_the_page(
    guarded: Site, tokens: Path, admin: str, open_page: Callable[..., Page]
) -> None:
    page = open_page(f"{guarded.url}admin")
    sign_in(page, admin)
    expect(page.get_by_role("region", name="Engines")).to_be_visible()
    lines = [line for line in tokens.read_text().splitlines() if json.loads(line)["name"] != "ann"]
    tokens.write_text("".join(f"{line}\n" for line in lines))
    expect(page.get_by_role("alert")).to_contain_text("revoked")


def test_local_operator_needs_no_token(site: Site, open_page: Callable[..., Page]) -> None:
    page = open_page(f"{site.url}admin")
    expect(page.get_by_role("region", name="Engines")).to_contain_text("stockfish")
    policy = page.evaluate("fetch('/admin').then(a => a.headers.get('content-security-policy'))")
    assert "script-src 'self'" in policy
