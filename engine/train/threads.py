"""Threads that work until all have ended or one fails.

They are worth it where the work is done without the GIL, or by other processes.
"""

from collections.abc import Callable
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from threading import Event

REPORT_EVERY = 2.0  # s


def run_threads(works: list[Callable[[Event], None]], report: Callable[[], None]) -> None:
    """Run each work in a thread, and report now and then, until all have ended.

    When one raises an exception, or the program is interrupted, the event is set that each of
    them gets: it has to end soon.  The exception is raised here.
    """
    ending = Event()
    with ThreadPoolExecutor(len(works)) as pool:
        running = {pool.submit(work, ending) for work in works}
        try:
            while running:
                ended, running = wait(running, REPORT_EVERY, FIRST_EXCEPTION)
                for each in ended:
                    each.result()
                if running:
                    report()
        finally:
            ending.set()
