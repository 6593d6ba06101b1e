"""Begin `rookery-bridge`: with sound streams, and so that Ctrl-C is heard from here on."""

import sys
from collections.abc import Sequence

from rookery_bridge import bridge_console

FAILED = 1  # exit status
INTERRUPTED, READER_GONE = 130, 141  # as shells have it for SIGINT and SIGPIPE


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the program; returns its exit status."""
    try:
        bridge_console.prepare()
        from rookery_bridge.program import run  # Only now, for it takes 0.2 s.

        return run(sys.argv[1:] if arguments is None else arguments)
    except KeyboardInterrupt:
        return INTERRUPTED
    except bridge_console.ReaderGoneError:
        return READER_GONE
    except bridge_console.OutputError as error:
        bridge_console.complain(str(error))
        return FAILED
    finally:
        bridge_console.settle()


if __name__ == "__main__":
    sys.exit(main())
