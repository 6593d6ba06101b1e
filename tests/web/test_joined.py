"""Engines of a machine that has joined the server, for signed-in users."""

import os
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from helpers.browsing import ROOKERY, Site, searching, serving, stockfish
from helpers.joining import SERVER
from helpers.support import add_token
from playwright.sync_api import Browser, Page, expect

from rookery_server.access.account import Role


@pytest.fixture(scope="module")
def tokens(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("joined") / "tokens"


@pytest.fixture(scope="module")
def member(tokens: Path) -> str:
    return add_token(tokens, "bob")


@pytest.fixture(scope="module")
def joined(browser: Browser, tokens: Path, member: str) -> Iterator[Site]:
    """Run a server that anna's machine has joined, with Stockfish."""
    assert member
    anna = add_token(tokens, "anna", role=Role.HOST)
    ours = ("--engine", f"rookery={ROOKERY}", "--tokens", str(tokens))
    with serving(*ours, folder=tokens.parent) as site:
        command = [SERVER, "join", f"ws://127.0.0.1:{site.proxy.port}"]
        with subprocess.Popen(
            [*command, "--engine", f"stockfish={stockfish()}"],
            env={**os.environ, "ROOKERY_TOKEN": anna},
            stdout=subprocess.PIPE,
            text=True,
        ) as process:
            try:
                assert process.stdout
                assert any("offers stockfish@anna" in line for line in process.stdout)
                yield site
            finally:
                process.terminate()


def test_members_analyse_with_a_joined_engine_and_keep_it(
    joined: Site, member: str, open_page: Callable[..., Page]
) -> None:
    page = open_page(joined.url)
    page.get_by_label("Token").fill(member)
    page.get_by_role("button", name="Sign in").click()
    searching(page)
    engine = page.get_by_role("combobox", name="Choose the engine")
    engine.select_option("stockfish@anna")
    searching(page)
    expect(engine.locator("option:checked")).to_have_text("Stockfish 15.1")
    page.reload()
    expect(engine).to_have_value("stockfish@anna")
    searching(page)


def test_strangers_do_not_see_a_joined_engine(joined: Site, open_page: Callable[..., Page]) -> None:
    page = open_page(joined.url)
    expect(page.get_by_label("Token")).to_be_visible()
    assert "anna" not in page.content()
