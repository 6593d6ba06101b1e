"""The silence of other servers."""

from rookery_server.database.silences import Silences


def test_server_is_given_up_when_it_was_silent_for_long() -> None:
    silences = Silences()
    for now in range(0, 31, 5):
        assert silences.update({1: 7, 2: now}, now) == set()
    assert silences.update({1: 7, 2: 35}, 35) == {1}
    assert silences.update({2: 40}, 40) == set()


def test_sign_ends_a_silence() -> None:
    silences = Silences()
    for now in range(0, 31, 5):
        silences.update({1: 7}, now)
    for now in range(35, 70, 5):
        assert silences.update({1: 8}, now) == set()
    assert silences.update({1: 8}, 70) == {1}


def test_time_in_which_no_server_could_give_a_sign_does_not_count() -> None:
    """As the server that comes back first after an outage of the database sees it."""
    silences = Silences()
    assert silences.update({1: 7}, 0) == set()
    for now in range(1000, 1025, 5):
        assert silences.update({1: 7}, now) == set()
    assert silences.update({1: 7}, 1025) == {1}
