"""The settings let apps in which cannot sign in, where the account has a port for them."""

import re
from collections.abc import Callable
from pathlib import Path

from helpers.browsing import serving_ours, violations
from helpers.support import add_token
from playwright.sync_api import Browser, Page, expect

TITLE = "Apps that cannot sign in"


def sign_in(page: Page, token: str) -> None:
    window = page.get_by_role("dialog", name="Sign in")
    window.get_by_label("Token").fill(token)
    window.get_by_role("button", name="Sign in").click()
    expect(window).to_have_count(0)


def test_an_address_is_let_in_and_out_again(
    browser: Browser, tmp_path: Path, open_page: Callable[..., Page]
) -> None:
    tokens = tmp_path / "tokens"
    token, other = add_token(tokens, "gil"), add_token(tokens, "hal")
    settings = f'[server]\ntokens = "{tokens}"\n[devices.gil-phone]\nport = 0\naccount = "gil"'
    with serving_ours(settings, folder=tmp_path) as site:
        page = open_page(site.direct_url, searches=False)
        sign_in(page, token)
        page.get_by_role("button", name="Settings").click()
        part = page.get_by_role("region", name=TITLE)
        place = part.get_by_role("textbox", name="Host and port of gil-phone, for rookery")
        expect(place).to_have_value(re.compile(r"^127\.0\.0\.1 \d+$"))
        end = part.get_by_role("button", name="Let nobody in any more")
        expect(end).to_have_count(0)
        part.get_by_role("button", name="Let apps at 127.0.0.1 in").click()
        expect(part.get_by_text("127.0.0.1 is let in until")).to_be_visible()
        with page.expect_download() as download:
            part.get_by_role("button", name="File for DroidFish").click()
        assert download.value.suggested_filename == "gil-phone.nete"
        assert download.value.path().read_text().split() == [
            "NETE", *place.input_value().split()
        ]  # fmt: skip
        assert violations(page) == []
        end.click()
        expect(part.get_by_text("is let in until")).to_have_count(0)
        page.close()

        page = open_page(site.direct_url, searches=False)  # of one who has no such port
        sign_in(page, other)
        page.get_by_role("button", name="Settings").click()
        expect(page.get_by_role("button", name="Sign out")).to_be_visible()
        expect(page.get_by_role("region", name=TITLE)).to_have_count(0)
        page.close()
