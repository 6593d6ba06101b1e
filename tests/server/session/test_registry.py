"""The passes that open sessions."""

import pytest

from rookery_server.session.registry import Registry

GRACE = 60.0


@pytest.fixture
def registry() -> Registry[str]:
    return Registry(GRACE)


def resume(registry: Registry[str], text: str, account: str = "anna") -> str | None:
    """Come back with a pass; return the next one, None if it is no good."""
    session = registry.session_of_pass(text, account)
    return None if session is None else registry.enroll(session, account)


def test_pass_opens_its_session_for_its_account(registry: Registry[str]) -> None:
    first, second = registry.enroll("one", "anna"), registry.enroll("two", "ben")
    assert registry.session_of_pass(first, "anna") == "one"
    assert registry.session_of_pass(second, "ben") == "two"
    assert registry.session_of_pass(first, "ben") is None
    assert registry.session_of_pass(second, "anna") is None


def test_pass_of_another_account_is_no_good_and_changes_nothing(registry: Registry[str]) -> None:
    mine = registry.enroll("one", "anna")
    assert resume(registry, mine, "ben") is None
    assert resume(registry, mine)


FORGED = [
    "", ".", "x", "x.y", "{name}", "{name}.", "{name}.x", "{name}.{secret}x", "{name}.{secret}.",
    "{secret}", ".{secret}", "\ud800.\udfff", "{name}.\xe9",
]  # fmt: skip


@pytest.mark.parametrize("forged", FORGED)
def test_forged_passes_are_no_good_and_cost_nobody_his_own(
    registry: Registry[str], forged: str
) -> None:
    mine = registry.enroll("one", "anna")
    name, _, secret = mine.partition(".")
    assert registry.session_of_pass(forged.format(name=name, secret=secret), "anna") is None
    assert registry.session_of_pass(mine, "anna") == "one"


def test_pass_is_good_once_if_the_next_has_arrived(registry: Registry[str]) -> None:
    first = registry.enroll("one", "anna")
    second = resume(registry, first)
    assert second
    registry.confirm("one")
    assert resume(registry, first) is None
    assert resume(registry, second)


def test_use_of_the_next_pass_voids_the_one_before(registry: Registry[str]) -> None:
    first = registry.enroll("one", "anna")
    second = resume(registry, first)
    assert second
    third = resume(registry, second)
    assert resume(registry, first) is None
    assert third
    assert resume(registry, third)


@pytest.mark.parametrize("lost", range(16))
def test_reply_may_be_lost_at_every_place(registry: Registry[str], lost: int) -> None:
    """The bits say which of four replies never arrive."""
    has = registry.enroll("one", "anna")
    for reply in range(4):
        new = resume(registry, has)
        assert new, f"shut out at return {reply}"
        if not lost >> reply & 1:
            has = new
    assert registry.session_of_pass(has, "anna") == "one"


def test_attempt_that_comes_late_shuts_nobody_out(registry: Registry[str]) -> None:
    """A client gives an attempt up, tries again, and then the first one arrives."""
    first = registry.enroll("one", "anna")
    second = resume(registry, first)
    assert resume(registry, first)
    assert second
    assert resume(registry, second)
    assert resume(registry, first) is None


def test_passes_that_are_good_at_once_are_few(registry: Registry[str]) -> None:
    first = registry.enroll("one", "anna")
    passes = [resume(registry, first) for _ in range(20)]
    entry = next(iter(registry._entries.values()))
    assert len(entry.digests) == 8
    assert passes[-1]
    assert resume(registry, passes[-1])


def test_session_expires_after_its_grace(registry: Registry[str]) -> None:
    registry.enroll("one", "anna")
    registry.enroll("two", "anna")
    assert registry.expired(1e9) == []
    assert registry.begin_grace("one", 100.0)
    assert registry.expired(100.0 + GRACE) == []
    assert registry.expired(100.1 + GRACE) == ["one"]
    registry.end_grace("one")
    assert registry.expired(1e9) == []


def test_client_that_has_no_pass_is_not_waited_for(registry: Registry[str]) -> None:
    assert not registry.begin_grace("stranger", 1.0)
    registry.forget("stranger")
    assert len(registry) == 0


def test_forgotten_session_leaves_nothing(registry: Registry[str]) -> None:
    mine = registry.enroll("one", "anna")
    registry.begin_grace("one", 0.0)
    registry.forget("one")
    assert registry.session_of_pass(mine, "anna") is None
    assert (len(registry), registry.left(), registry.expired(1e9)) == (0, [], [])


def test_session_that_was_left_first_is_first(registry: Registry[str]) -> None:
    for name, account, left_at in (("a", "anna", 5.0), ("b", "ben", 0.0), ("c", "anna", 3.0)):
        registry.enroll(name, account)
        registry.begin_grace(name, left_at)
    registry.enroll("here", "anna")
    assert registry.left() == ["b", "c", "a"]
    assert registry.left("anna") == ["c", "a"]
    registry.end_grace("c")
    assert registry.left("anna") == ["a"]
    assert registry.left("nobody") == []


def test_accounts_that_may_come_back(registry: Registry[str]) -> None:
    registry.enroll("one", "anna")
    assert registry.of("anna")
    assert not registry.of("ben")
