"""The owners of each `readyok`."""

from rookery_server.session.pending_commands import Readiness


def test_answers_are_the_clients_as_long_as_it_is_owed_some() -> None:
    ready = Readiness()
    assert not ready.is_for_client()
    ready.owed += 1
    assert ready.is_for_client()
    assert not ready.is_for_client()
    assert ready.answered == 1


def test_our_own_is_answered_in_its_turn() -> None:
    ready = Readiness()
    ready.owed += 1
    ready.probe()
    ready.owed += 1
    assert [ready.is_for_client() for _ in range(4)] == [True, False, True, False]
    assert ready.answered == 3
    assert not ready.is_probed


def test_next_engine_does_not_owe_our_own() -> None:
    ready = Readiness()
    ready.owed += 1
    ready.probe()
    ready.forget_engine()
    assert [ready.is_for_client() for _ in range(2)] == [True, False]


def test_what_came_before_a_search_is_answered_first() -> None:
    ready = Readiness()
    ready.owed += 1
    ready.before_search = ready.owed
    ready.owed += 1
    assert ready.before_search == 1
    ready.is_for_client()
    assert (ready.before_search, ready.owed) == (0, 1)
