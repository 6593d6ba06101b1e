"""`rookery-server` that lets every command through, to be measured beside the one that judges."""

import sys

import rookery_uci as uci
from rookery_server.bootstrap import main
from rookery_server.engines.policy import PolicyVerdict
from rookery_server.session.validator import Review


def _let_through(_: Review, command: uci.Command) -> PolicyVerdict:
    return PolicyVerdict(command)


if __name__ == "__main__":
    Review.of = _let_through  # type: ignore[method-assign]  # that is what it is for
    sys.exit(main())
