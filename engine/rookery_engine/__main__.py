"""The command `rookery-engine`."""

import signal
import sys

USAGE = """\
usage: rookery-engine                            speak UCI on stdin and stdout
       rookery-engine bench [HASH [THREADS [LIMIT [default|current|FILE [LIMIT_TYPE]]]]]
                                                 search positions; the nodes are the
                                                 signature of the search
       rookery-engine perft DEPTH [FEN] [--chess960]
                                                 count the lines of legal moves
       rookery-engine eval [FEN]                 show what the evaluation sees
       rookery-engine uci                        print name and options
       rookery-engine --version | --help
"""


def main() -> None:
    """Do what the command line asks."""
    # Python's way would be to look for Ctrl-C between its own steps: a count takes none for years,
    # and what comes just before stdin is read would be seen only when that is over.
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from rookery_engine import levels

    levels.choose()
    from rookery_engine import loop, output

    words = sys.argv[1:]
    if not words:
        loop.main()
    elif words == ["uci"]:
        loop.introduce()
    elif words == ["--version"]:
        output.write(f"Rookery {loop.VERSION}")
    elif words[0] in ("bench", "perft", "eval"):
        from rookery_engine import terminal

        sys.exit(terminal.main(words))
    elif words in (["--help"], ["-h"]):
        output.write(USAGE.rstrip())
    else:
        sys.exit(f"rookery-engine: no such command: {' '.join(words)}\n\n{USAGE}")


if __name__ == "__main__":
    main()
