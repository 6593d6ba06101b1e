"""`rookery-server` that lets every command through, to be measured beside the one that judges."""

import sys

import rookery_uci as uci
from rookery_server.__main__ import main
from rookery_server.engines.offered_options import PolicyVerdict
from rookery_server.session.validator import Validator


def _let_through(_: Validator, command: uci.Command) -> PolicyVerdict:
    return PolicyVerdict(command)


if __name__ == "__main__":
    Validator.review = _let_through  # type: ignore[method-assign]  # that is what it is for
    sys.exit(main())
