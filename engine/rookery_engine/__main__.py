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
       rookery-engine COMMAND                    obey one command of UCI, such as
                                                 `go depth 10`, and end
       rookery-engine --version | --help
"""


def main() -> None:
    """Run the command of the command line."""
    # Python's way would be to look for Ctrl-C between its own steps: a count takes none for years,
    # and what comes just before stdin is read would be seen only when that is over.
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from rookery_engine.shell import cpu_dispatch

    cpu_dispatch.choose_build()
    from rookery_engine.shell import engine_output, loop

    words = sys.argv[1:]
    if not words:
        loop.main()
    elif words == ["uci"]:
        loop.answer_uci()
    elif words == ["--version"]:
        engine_output.write(f"Rookery {loop.VERSION}")
    elif words[0] in ("bench", "perft", "eval"):
        from rookery_engine.shell import terminal

        sys.exit(terminal.main(words))
    elif words in (["--help"], ["-h"]):
        engine_output.write(USAGE.rstrip())
    elif is_command(words):
        loop.main(" ".join(words))
    else:
        sys.exit(f"rookery-engine: no such command: {' '.join(words)}\n\n{USAGE}")


def is_command(words: list[str]) -> bool:
    """Say whether the command line is a command that a GUI could send."""
    from rookery_uci import UciError, parse_command

    try:
        return not words[0].startswith("-") and parse_command(" ".join(words)) is not None
    except UciError:
        return True


if __name__ == "__main__":
    main()
