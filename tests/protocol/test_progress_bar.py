"""The progress of a job in words."""

import io

from rookery_protocol.progress_bar import JobCount, ProgressBar, describe, duration


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_share_rate_and_time_left() -> None:
    start, now = JobCount(10, 100, 1000, 10_000), JobCount(30, 900, 5500, 10_000)
    assert describe(now, start, 10.0) == (
        "[###########---------] 55 %, 30 games, 2.0 games a second, 80 positions a second,"
        " 10 s left"
    )


def test_a_pipe_has_no_end_that_is_known() -> None:
    assert describe(JobCount(1, 60), JobCount(0, 0), 120.0) == (
        "1 game, 0.5 games a minute, 0 positions a second"
    )


def test_positions_without_games() -> None:
    start, now = JobCount(None, 1, 1, 5), JobCount(None, 3, 3, 5)
    assert describe(now, start, 1.0) == (
        "[############--------] 60 %, 3 positions, 2 positions a second, 1 s left"
    )


def test_durations() -> None:
    assert [duration(each) for each in (5, 65, 7300, 90_000)] == [
        "5 s", "1 min 5 s", "2 h 1 min", "1 d 1 h",
    ]  # fmt: skip


def test_report_has_a_line_of_its_own_and_a_log_has_no_bar() -> None:
    terminal, log = Terminal(), io.StringIO()
    for stream in (terminal, log):
        bar = ProgressBar(stream)
        bar._shown = -1000.0
        bar.update(JobCount(1, 2, 5, 10))
        bar.report("hello")
    assert terminal.getvalue().startswith("\r[##########----------] 50 %, 1 game")
    assert terminal.getvalue().endswith(" \rhello\n")
    assert "\r" not in log.getvalue()
    assert log.getvalue().endswith("left\nhello\n")


def test_text_of_games_steers_no_terminal() -> None:
    log = io.StringIO()
    ProgressBar(log).report("x.pgn: game 1 (\x1b[2J\x9b1m - B\nC)")
    assert log.getvalue() == "x.pgn: game 1 (?[2J?1m - B?C)\n"
