"""The command `rookery-engine`."""

import sys

USAGE = """\
usage: rookery-engine                            speak UCI on stdin and stdout
       rookery-engine bench [HASH [THREADS [DEPTH]]]
                                                 search fixed positions; the nodes are
                                                 the signature of the search
       rookery-engine perft DEPTH [FEN] [--chess960]
                                                 count the lines of legal moves
       rookery-engine uci                        print name and options
       rookery-engine --version | --help
"""


def main() -> None:
    """Do what the command line asks."""
    from rookery_engine import loop

    words = sys.argv[1:]
    if not words:
        loop.main()
    elif words == ["uci"]:
        loop.introduce()
    elif words == ["--version"]:
        loop.write(f"Rookery {loop.VERSION}")
    elif words[0] in ("bench", "perft"):
        from rookery_engine import bench

        sys.exit(bench.main(words))
    elif words in (["--help"], ["-h"]):
        loop.write(USAGE.rstrip())
    else:
        sys.exit(f"rookery-engine: no such command: {' '.join(words)}\n\n{USAGE}")


if __name__ == "__main__":
    main()
