"""Command `rookery-server cache`: shows and removes analyses that are kept."""

import argparse
import json
import os
import time
from collections.abc import Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path

from rookery_protocol.console import print_line
from rookery_protocol.errors import ConfigError
from rookery_server.cache.evaluation_store import EvaluationStore
from rookery_server.commands import command_line
from rookery_server.config import config
from rookery_server.config.sections import database, database_url
from rookery_server.config.validators import DAY


def run(arguments: Sequence[str]) -> int:
    """Run the command line; return the exit status.

    Raises:
        ServerError: the database cannot be used.

    """
    options = command_line.parse(_parser(), arguments)
    if options.action == "prune" and options.rows is None and options.days is None:
        raise ConfigError("cache prune needs --rows or --days")
    store = EvaluationStore(_url(options.config, options.url), may_begin=False)
    try:
        if options.action == "show":
            _show(store, as_json=options.json)
        elif options.action == "prune":
            before = None if options.days is None else int(time.time() - options.days * DAY)
            print_line(f"{store.prune(options.rows, before)} removed")
        else:
            print_line(f"{store.clear(options.engine, options.account)} removed")
    finally:
        store.close()
    return 0


def _parser() -> argparse.ArgumentParser:
    where = argparse.ArgumentParser(add_help=False)
    places = where.add_mutually_exclusive_group()
    places.add_argument("--config", type=Path, metavar="FILE", help="the server's configuration")
    places.add_argument("--url", help="the database: sqlite:////FILE or postgresql://...")
    parser = argparse.ArgumentParser(
        prog="rookery-server cache", description="Look after the analyses that are kept."
    )
    actions = parser.add_subparsers(dest="action", required=True, metavar="{show,prune,clear}")
    show = actions.add_parser("show", parents=[where], help="say what is kept, and where")
    show.add_argument("--json", action="store_true", help="as one JSON object")
    prune = actions.add_parser("prune", parents=[where], help="remove what is of little use")
    prune.add_argument(
        "--rows", type=command_line.count, metavar="N", help="keep the N that were used last"
    )
    prune.add_argument(
        "--days",
        type=command_line.count,
        metavar="N",
        help="remove those that nobody has used for N days",
    )
    clear = actions.add_parser("clear", parents=[where], help="remove all, or some")
    clear.add_argument("--engine", metavar="NAME", help="those of it, as 'show' has its name")
    clear.add_argument("--account", metavar="NAME", help="those of an account")
    return parser


def _url(path: Path | None, url: str | None) -> str:
    if url:
        return database("--url", url)
    return database_url(config.read_document(path).cache, os.environ)


def _show(store: EvaluationStore, *, as_json: bool) -> None:
    summary = store.summary()
    if as_json:
        print_line(json.dumps({"where": store.location, "bytes": store.size(), **asdict(summary)}))
        return
    print_line(f"{store.location}: {summary.rows} analyses, {store.size() / 1e6:.1f} MB")
    if summary.oldest is not None and summary.newest is not None:
        print_line(f"stored from {_date(summary.oldest)} to {_date(summary.newest)}")
    for engine, count in summary.engines.items():
        print_line(f"{count:>8}  {engine}")


def _date(when: int) -> str:
    return command_line.date_text(datetime.fromtimestamp(when, UTC))
