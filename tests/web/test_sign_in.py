"""A phone that is signed in by a QR code, of the operator's page or of the user's own."""

import base64
import json
import re
from collections.abc import Callable
from pathlib import Path
from urllib.request import Request, urlopen

import pytest
from helpers.browsing import Site, expect_fit, searching, violations
from helpers.qr import read_qr
from helpers.support import TIMEOUT
from playwright.sync_api import Locator, Page, expect

from rookery_server.access.token_file import TokenFile

PHONE = {
    "viewport": {"width": 390, "height": 844},
    "has_touch": True,
    "user_agent": "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15"
    " (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1",
}
SIZE = 400
# As a camera sees it: the pixels of the picture, from black to white.
PIXELS = """async (image, size) => {
    await image.decode();
    const context = new OffscreenCanvas(size, size).getContext("2d");
    context.drawImage(image, 0, 0, size, size);
    const { data } = context.getImageData(0, 0, size, size);
    const reds = [...data].filter((_, at) => at % 4 === 0);
    return btoa(reds.map(each => String.fromCharCode(each)).join(""));
}"""


def read_picture(picture: Locator) -> str:
    return read_qr(base64.b64decode(picture.evaluate(PIXELS, SIZE)), SIZE)


def sign_in(page: Page, token: str) -> None:
    page.get_by_label("Token").fill(token)
    page.get_by_role("button", name="Sign in").click()


def shown_code(page: Page, account: str) -> str:
    """Have the operator's page show a code for an account; return the address in it."""
    row = page.get_by_role("region", name="Accounts").locator("tbody tr", has_text=account)
    row.get_by_role("button", name=f"Sign a phone in as {account}").click()
    picture = page.get_by_role("img", name="QR code")
    expect(picture).to_be_visible()
    return read_picture(picture)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_operator_signs_a_phone_in(
    guarded: Site, admin: str, open_page: Callable[..., Page], tmp_path: Path, scheme: str
) -> None:
    page = open_page(f"{guarded.url}admin", color_scheme=scheme)
    sign_in(page, admin)
    url = shown_code(page, "bob")
    assert re.fullmatch(rf"{guarded.url}#signin=[\w-]{{24}}", url)
    code = url.partition("#signin=")[2]
    expect(page.get_by_role("timer")).to_contain_text("Good for 9:5")
    assert violations(page) == []
    page.screenshot(path=tmp_path / f"admin-{scheme}.png")
    page.set_viewport_size({"width": 390, "height": 844})
    expect_fit(page, 390)
    page.screenshot(path=tmp_path / f"admin-{scheme}-phone.png")

    sent: list[str] = []
    phone = open_page("about:blank", color_scheme=scheme, **PHONE)
    phone.on("request", lambda request: sent.append(request.url + json.dumps(request.headers)))
    phone.goto(url)
    expect(phone.get_by_role("dialog", name="Sign in")).to_contain_text("Sign this browser in to")
    assert "signin" not in phone.url
    assert violations(phone) == []
    phone.screenshot(path=tmp_path / f"phone-{scheme}.png")
    expect(page.get_by_role("timer")).to_be_visible()  # Opening it uses nothing up.
    phone.get_by_role("dialog").get_by_role("button", name="Sign in").click()
    expect(phone.get_by_text("Signed in as bob")).to_be_visible()
    searching(phone)
    assert not [each for each in sent if code in each]
    assert code not in phone.evaluate("JSON.stringify([{...localStorage}, {...sessionStorage}])")
    expect(page.get_by_role("status")).to_have_text("Signed in: Safari on iPhone")
    expect(page.get_by_role("img", name="QR code")).to_have_count(0)
    page.get_by_role("button", name="Close").click()
    row = page.get_by_role("region", name="Accounts").locator("tbody tr", has_text="bob")
    expect(row).to_contain_text("Safari on iPhone")
    phone.reload()
    searching(phone)

    third = open_page(url, **PHONE)
    window = third.get_by_role("dialog")
    window.get_by_role("button", name="Sign in").click()
    expect(window).to_contain_text("Have a new one shown, and scan that")
    expect(window.get_by_role("alert")).to_contain_text("this code was used already")
    third.screenshot(path=tmp_path / f"refused-{scheme}.png")
    third.get_by_role("button", name="Use a token instead").click()
    expect(third.get_by_label("Token")).to_be_visible()


def test_code_is_withdrawn_when_its_window_is_closed(
    guarded: Site, admin: str, open_page: Callable[..., Page]
) -> None:
    page = open_page(f"{guarded.url}admin")
    sign_in(page, admin)
    url = shown_code(page, "bob")
    with page.expect_response(lambda it: it.request.method == "DELETE") as answer:
        page.get_by_role("button", name="Close").click()
    assert answer.value.status == 204
    phone = open_page(guarded.url, **PHONE)
    expect(phone.get_by_label("Token")).to_be_visible()
    phone.evaluate("url => { location.href = url }", url)  # into a page that is open
    phone.get_by_role("dialog").get_by_role("button", name="Sign in").click()
    expect(phone.get_by_role("dialog").get_by_role("alert")).to_contain_text("was withdrawn")
    assert "signin" not in phone.url


def test_user_signs_their_own_phone_in(
    guarded: Site, member: str, open_page: Callable[..., Page], tmp_path: Path
) -> None:
    page = open_page(guarded.url, locale="de-DE")
    page.get_by_label("Token").fill(member)
    page.get_by_role("dialog").get_by_role("button", name="Anmelden").click()
    expect(page.get_by_test_id("status")).to_contain_text("Tiefe")
    page.get_by_role("button", name="Einstellungen").click()
    page.get_by_role("button", name="Auf einem Handy anmelden").click()
    picture = page.get_by_role("img", name="QR-Code")
    expect(picture).to_be_visible()
    assert violations(page) == []
    expect(picture).to_be_in_viewport(ratio=1)
    page.screenshot(path=tmp_path / "own.png")
    phone = open_page(read_picture(picture), **PHONE)
    phone.get_by_role("dialog").get_by_role("button", name="Sign in").click()
    expect(phone.get_by_text("Signed in as bob")).to_be_visible()
    expect(page.get_by_test_id("phone-code")).to_have_text("Angemeldet: Safari on iPhone")


@pytest.fixture
def signed_in(
    guarded: Site, member: str, open_page: Callable[..., Page], tmp_path: Path
) -> Callable[[bool], Page]:
    """Sign a phone in by a code, to stay signed in or for one tab."""

    def sign_phone_in(stays: bool) -> Page:
        request = Request(
            f"{guarded.url}v1/sign-in/codes",
            data=b"{}",
            headers={"Authorization": f"Bearer {member}", "Content-Type": "application/json"},
        )
        with urlopen(request, timeout=TIMEOUT) as answer:
            url = json.load(answer)["url"]
        phone = open_page(url, **PHONE)
        window = phone.get_by_role("dialog")
        box = window.get_by_label("Stay signed in on this device")
        expect(box).to_be_checked()
        phone.screenshot(path=tmp_path / "stay.png")
        box.set_checked(stays)
        window.get_by_role("button", name="Sign in").click()
        expect(phone.get_by_text("Signed in as bob")).to_be_visible()
        searching(phone)
        return phone

    return sign_phone_in


def own_id(page: Page) -> str:
    """Return the id of the token that a page has."""
    token = page.evaluate(
        "JSON.parse(sessionStorage['rookery.token'] ?? localStorage['rookery.token'])"
    )
    return str(token).split("_")[1]


def listed_ids(tokens: Path) -> set[str]:
    return {each.id for each in TokenFile(tokens).read()}


def open_tab(page: Page, url: str) -> Page:
    """Open one more tab of a device."""
    tab = page.context.new_page()
    tab.goto(url)
    return tab


def sign_out(page: Page) -> None:
    page.get_by_role("button", name="Settings").click()
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_label("Token")).to_be_visible()


def test_device_stays_signed_in_until_it_signs_out(
    guarded: Site, signed_in: Callable[[bool], Page], tokens: Path
) -> None:
    phone = signed_in(True)
    id_ = own_id(phone)
    assert id_ in listed_ids(tokens)
    assert phone.evaluate("sessionStorage['rookery.token']") is None
    tab = open_tab(phone, guarded.url)
    searching(tab)
    with phone.expect_response(lambda it: it.request.method == "DELETE") as answer:
        sign_out(phone)
    assert answer.value.status == 200
    assert id_ not in listed_ids(tokens)
    expect(tab.get_by_label("Token")).to_be_visible()
    assert "rookery.token" not in phone.evaluate("({...localStorage, ...sessionStorage})")
    expect(open_tab(phone, guarded.url).get_by_label("Token")).to_be_visible()


def test_tab_alone_is_signed_in_where_the_box_is_not_checked(
    guarded: Site, signed_in: Callable[[bool], Page]
) -> None:
    phone = signed_in(False)
    tab = open_tab(phone, guarded.url)
    expect(tab.get_by_label("Token")).to_be_visible()
    phone.reload()
    searching(phone)


def test_revoked_token_of_a_device_is_forgotten(
    guarded: Site, signed_in: Callable[[bool], Page], tokens: Path
) -> None:
    phone = signed_in(True)
    id_ = own_id(phone)
    TokenFile(tokens).change(lambda ring: ring.without(id_))
    expect(phone.get_by_label("Token")).to_be_visible()
    assert phone.evaluate("localStorage['rookery.token']") is None


def test_device_signs_out_without_the_network(
    guarded: Site, signed_in: Callable[[bool], Page], tokens: Path
) -> None:
    phone = signed_in(True)
    id_ = own_id(phone)
    phone.route("**/v1/sign-in", lambda route: route.abort())
    with phone.expect_event("requestfailed", lambda it: it.method == "DELETE"):
        sign_out(phone)
    assert phone.evaluate("localStorage['rookery.token']") is None
    assert id_ in listed_ids(tokens)


def test_typed_token_comes_before_that_of_the_device(
    guarded: Site, admin: str, signed_in: Callable[[bool], Page], tokens: Path
) -> None:
    phone = signed_in(True)
    id_ = own_id(phone)
    tab = open_tab(phone, f"{guarded.url}admin")
    expect(tab.get_by_role("alert").filter(has_text="is no admin")).to_be_visible()
    sign_in(tab, admin)
    expect(tab.get_by_role("region", name="Accounts")).to_be_visible()
    tab.goto(guarded.url)
    searching(tab)
    assert own_id(tab) == admin.split("_")[1]
    tab.get_by_role("button", name="Settings").click()
    with tab.expect_response(lambda it: it.request.method == "DELETE") as answer:
        tab.get_by_role("button", name="Sign out").click()
    assert answer.value.status == 200
    searching(tab)
    assert own_id(tab) == own_id(phone) == id_
    assert {id_, admin.split("_")[1]} <= listed_ids(tokens)


def test_page_tells_why_a_token_stays_good(signed_in: Callable[[bool], Page]) -> None:
    phone = signed_in(True)
    reason = "the server cannot write its file of tokens, so this token stays good"
    answer = json.dumps({"status": 503, "detail": reason})
    phone.route("**/v1/sign-in", lambda route: route.fulfill(status=503, body=answer))
    sign_out(phone)
    expect(phone.get_by_text("Signed out here, but the token stays good")).to_be_visible()
    expect(phone.get_by_text(reason)).to_be_visible()


def test_what_is_no_token_is_named(guarded: Site, open_page: Callable[..., Page]) -> None:
    page = open_page(guarded.url)
    sign_in(page, "my token")
    expect(page.get_by_role("dialog").get_by_role("alert")).to_have_text(
        "a token starts with rk_ and has no spaces"
    )
