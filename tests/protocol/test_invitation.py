"""The link of an invitation: it reads as it prints, and what is not whole is refused."""

import re
import shlex
from urllib.parse import quote, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rookery_protocol.invitation import TRANSPORTS, Invitation, InvitationError

TOKEN = "rk_0123456789ab_" + "Az09-_" * 5 + "_-"
PIN = "0f" * 32

TABLE = [
    ("rookery://rook.example:8080/#wss+sum:", Invitation("wss", "rook.example", 8080)),
    (
        f"rookery://rook.example:443/lc0#wss+token:{TOKEN}+sum:",
        Invitation("wss", "rook.example", 443, "lc0", TOKEN),
    ),
    (
        f"rookery://192.168.1.5:8081/#tls+token:{TOKEN}+pin:{PIN}+sum:",
        Invitation("tls", "192.168.1.5", 8081, None, TOKEN, PIN),
    ),
    (
        f"rookery://[2001:db8::1]:8080/stock.fish-15#ws+pin:{PIN}+sum:",
        Invitation("ws", "2001:db8::1", 8080, "stock.fish-15", None, PIN),
    ),
]
LINKS = [str(invitation) for _, invitation in TABLE]


@pytest.mark.parametrize(("text", "invitation"), TABLE)
def test_link_reads_as_it_prints(text: str, invitation: Invitation) -> None:
    assert str(invitation)[:-8] == text
    assert Invitation.parse(str(invitation)) == invitation


HOSTS = st.from_regex(r"[a-z0-9]([a-z0-9.-]{0,30}[a-z0-9])?", fullmatch=True)
TOKENS = st.none() | st.from_regex(r"[A-Za-z0-9_~.-]{1,60}", fullmatch=True)


@given(
    st.sampled_from(TRANSPORTS),
    HOSTS,
    st.integers(1, 65535),
    st.none() | st.from_regex(r"[A-Za-z0-9][A-Za-z0-9._-]{0,20}", fullmatch=True),
    TOKENS,
    st.none() | st.binary(min_size=32, max_size=32).map(bytes.hex),
)
def test_every_invitation_reads_as_it_prints(
    transport: str, host: str, port: int, engine: str | None, token: str | None, pin: str | None
) -> None:
    invitation = Invitation(transport, host, port, engine, token, pin)
    assert Invitation.parse(str(invitation)) == invitation


@pytest.mark.parametrize("link", LINKS)
def test_link_that_is_not_whole_is_refused_and_not_told(link: str) -> None:
    for end in range(len(link)):
        with pytest.raises(InvitationError) as refusal:
            Invitation.parse(link[:end])
        assert TOKEN[16:] not in str(refusal.value)
    for place in range(11, len(link)):
        with pytest.raises(InvitationError):
            Invitation.parse(link[:place] + link[place + 1 :])


@pytest.mark.parametrize("link", LINKS)
def test_mail_and_chat_may_wrap_it(link: str) -> None:
    for text in (f" {link}\r\n", f"<{link}>", f'"{link}"', f"`{link}`", quote(link)):
        assert Invitation.parse(text) == Invitation.parse(link)


@pytest.mark.parametrize("link", LINKS)
def test_link_is_one_word_to_shells_and_its_secret_is_never_sent(link: str) -> None:
    """Nothing in it is special in double quotes in sh, zsh, cmd or PowerShell."""
    assert re.fullmatch(r"[A-Za-z0-9:/.#+_~\[\]-]+", link)
    assert shlex.split(f'pair "{link}"') == ["pair", link]
    url = urlsplit(link)
    assert TOKEN not in url._replace(fragment="").geturl()


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("", "begins with 'rookery://'"),
        ("https://rook.example/#token", "begins with 'rookery://'"),
        ("rookery://rook.example:8080/#wss", "not whole"),
        ("rookery://rook.example:8080/#wss+sum:00000000", "not whole"),
    ],
)
def test_what_is_no_link_is_refused(text: str, what: str) -> None:
    with pytest.raises(InvitationError, match=what):
        Invitation.parse(text)


def summed(link: str) -> str:
    """Return a link with the right checksum, whatever else is wrong with it."""
    from zlib import crc32

    return f"{link}+sum:{crc32(link.encode()):08x}"


@pytest.mark.parametrize(
    ("link", "what"),
    [
        ("rookery://rook.example/#wss", "no machine with a port"),
        ("rookery://rook.example:x/#wss", "no machine"),
        ("rookery://rook.example:99999/#wss", "no machine"),
        ("rookery://:80/#wss", "no machine"),
        ("rookery://rook.example:80/#http", "travel by one of"),
        ("rookery://rook.example:80/#wss+pin:abc", "64 digits"),
        ("rookery://rook.example:80/#wss+via:x", "install a newer one"),
        ("rookery://rook.example:80/a/b#wss", "no name of an engine"),
        ("rookery://ro;ok:80/#wss", "no name or address"),
        ("rookery://rook.example:80/#wss+token:", "a token has"),
    ],
)
def test_link_that_makes_no_sense_is_refused(link: str, what: str) -> None:
    with pytest.raises(InvitationError, match=what):
        Invitation.parse(summed(link))


@given(st.text())
def test_no_text_is_too_strange(text: str) -> None:
    for strange in (text, f"rookery://{text}", summed(f"rookery://{text}")):
        try:
            Invitation.parse(strange)
        except InvitationError:
            continue
