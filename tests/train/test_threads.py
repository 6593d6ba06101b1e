"""Threads that work until one fails."""

from threading import Event

import pytest

from train.threads import run_threads


def test_the_first_exception_ends_the_others() -> None:
    begun, ended = Event(), []

    def wait_for_end(ending: Event) -> None:
        begun.set()
        ended.append(ending.wait(60))

    def fail(ending: Event) -> None:
        begun.wait(60)
        raise ValueError("no more")

    with pytest.raises(ValueError, match="no more"):
        run_threads([wait_for_end, fail], lambda: None)
    assert ended == [True]


def test_reports_come_while_threads_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("train.threads.REPORT_EVERY", 0.01)
    reported = Event()
    results: list[bool] = []
    run_threads([lambda ending: results.append(reported.wait(60))], reported.set)
    assert results == [True]
