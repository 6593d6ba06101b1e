"""Begin `rookery-bridge`: with sound streams, and so that Ctrl-C is heard from here on."""

import sys
from collections.abc import Sequence

from rookery_protocol import console
from rookery_protocol.module_loading import loading

FAILED = 1  # exit status
INTERRUPTED, READER_GONE = 130, 141  # as shells have it for SIGINT and SIGPIPE


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the program; returns its exit status."""
    try:
        console.prepare_streams()
        with loading():
            from rookery_bridge.program import implied_arguments, run  # It takes 0.2 s.

        return run(implied_arguments(sys.argv, sys.executable) if arguments is None else arguments)
    except KeyboardInterrupt:
        return INTERRUPTED
    except console.ReaderGoneError:
        return READER_GONE
    except console.OutputError as error:
        console.complain(f"rookery-bridge: {error}")
        return FAILED
    finally:
        console.flush_streams()


if __name__ == "__main__":
    sys.exit(main())
