"""`rookery-server` that lets every command through, to be measured beside the one that judges."""

import sys

from rookery_engine import uci
from rookery_server.engines.policy import Verdict
from rookery_server.launch import main
from rookery_server.sessions.review import Review


def _let_through(_: Review, command: uci.Command) -> Verdict:
    return Verdict(command)


if __name__ == "__main__":
    Review.of = _let_through  # type: ignore[method-assign]  # that is what it is for
    sys.exit(main())
