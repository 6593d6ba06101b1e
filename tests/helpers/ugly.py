"""Files of games as no program should write them, and as some do: each knows its true games.

PYTHONPATH=tests .venv/bin/python tests/helpers/ugly.py --files 200 --seed 1 FOLDER
"""

import argparse
import json
import random
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

import chess

ENDS = ("\n", "\r\n", "\r", "\r\r\n")
# An encoding as Python writes it, and names that are in it.
WESTERN = ("Müller, Jörg", "Lefèvre, François", "Núñez, José", "Sørensen, Åge", "Weiß, Größe")
CENTRAL = ("Wojtaszek, Radosław", "Dvořák, Jiří", "Hráček, Zbyněk", "Łódź, Paweł")
RUSSIAN = ("Карпов, Анатолий", "Петров, Пётр", "Щукин, Илья", "Иванова, Ольга")
ALL = (*WESTERN, *CENTRAL, *RUSSIAN, "Παπαϊωάννου", "李超", 'O\\Neil "Tip"', "plain")
CODINGS = {
    "utf-8": ALL, "utf-8-sig": ALL, "utf-16": ALL, "utf-16-le": ALL, "utf-16-be": ALL,
    "cp1252": WESTERN, "latin-1": WESTERN, "cp850": WESTERN, "cp1250": CENTRAL,
    "cp1251": RUSSIAN, "koi8-r": RUSSIAN, "cp866": RUSSIAN,
}  # fmt: skip
RESULTS = {
    "1-0": ("1-0", "1:0", "1\u20130", "1 - 0"),
    "0-1": ("0-1", "0:1", "0\u20131"),
    "1/2-1/2": ("1/2-1/2", "0.5-0.5", "draw", "½-½", "1/2", "Draw", "remis"),
    "*": ("*",),
}
MARKERS = {
    "1-0": ("1-0", "1:0"),
    "0-1": ("0-1", "0:1"),
    "1/2-1/2": ("1/2-1/2", "0.5-0.5", "1/2"),
    "*": ("*",),
}
LANGUAGES = {
    "English": "KQRBN", "German": "KDTLS", "French": "RDTFC", "Dutch": "KDTLP",
    "Spanish": "RDTAC", "Italian": "RDTAC", "Polish": "KHWGS", "Czech": "KDVSJ",
    "Portuguese": "RDTBC", "Hungarian": "KVBFH", "Swedish": "KDTLS", "Finnish": "KDTLR",
}  # fmt: skip
STYLES = ("san", "san", "san", "long", "uci", "white figurines", "black figurines", "language")
COMMENTS = (
    "{ good }", "{}", "{ a {nested} one }", "{[%clk 0:01:02]}", "{ Sf3 ( 1-0 ) ; % $5 }",
    "{ two\nlines }", "; to the end { of the line\n", "\n% { escaped ( 1. e4\n", "{ 50 % of it }",
    "{ [%eval 0.3,12] [%csl Ge4] }", "{\n\n}", "$1", "$14", "!?", "\n\n", "\t", "\u00a0",
)  # fmt: skip
STARTS = (
    (None, None),
    (None, "Standard"),
    ("r3k2r/pppq1ppp/2npbn2/2b1p3/2B1P3/2NPBN2/PPPQ1PPP/R3K2R w KQkq - 6 8", None),
    ("4k3/P6P/8/8/8/8/p6p/4K3 w - - 0 1", "From Position"),
    ("bbrknnrq/pppppppp/8/8/8/8/PPPPPPPP/BBRKNNRQ w KQkq - 0 1", "Freestyle"),
    ("nrbknbrq/pppppppp/8/8/8/8/PPPPPPPP/NRBKNBRQ w GBgb - 0 1;", "fischerandom"),
)


@dataclass(frozen=True)
class Truth:
    """A game: what was played, and by whom."""

    event: str
    white: str
    black: str
    result: str
    moves: list[str]
    fen: str | None


@dataclass(frozen=True)
class Ugly:
    """A file, and its games."""

    name: str
    data: bytes
    games: list[Truth]


def files(count: int, seed: int) -> Iterator[Ugly]:
    """Yield files, the same each time; each has an encoding and an end of lines of its own."""
    for number in range(count):
        chance = random.Random(f"{seed} {number}")
        coding = list(CODINGS)[number % len(CODINGS)]
        yield _file(f"ugly-{number:03}-{coding}.pgn", coding, chance)


def _file(name: str, coding: str, chance: random.Random) -> Ugly:
    end, games = chance.choice(ENDS), []
    layout = _Layout(
        tags=chance.choice(("\n", "\n", " ", "", "\n\n")),
        moves=chance.choice(("\n\n", "\n", " ")),
        games=chance.choice(("\n\n", "\n", "\n\n\n\n", " ")),
        wrap=chance.choice((5, 12, 10_000)),
    )
    text = ""
    for number in range(chance.randint(1, 4)):
        truth, written = _game(f"{name} {number}", coding, layout, chance)
        games.append(truth)
        text += written + layout.games
    if chance.random() < 0.3 and layout.games != " ":
        text = text.rstrip()
    data = text.replace("\n", end).encode(coding)
    return Ugly(name, data, games)


@dataclass(frozen=True)
class _Layout:
    """White space and line ends of a file: between tags, before moves, between games."""

    tags: str
    moves: str
    games: str
    wrap: int


def _game(name: str, coding: str, layout: _Layout, chance: random.Random) -> tuple[Truth, str]:
    fen, variant = chance.choice(STARTS)
    is_960 = variant in ("Freestyle", "fischerandom")
    first = chess.Board((fen or chess.STARTING_FEN).rstrip(";"), chess960=is_960)
    moves = _moves(first, chance)
    players = [chance.choice(CODINGS[coding]) for _ in range(2)]
    result = chance.choice(list(RESULTS))
    said = [each for each in RESULTS[result] if _fits(each, coding)]
    tags = [
        ("Event", name), ("White", players[0]), ("Black", players[1]),
        ("Result", chance.choice([*said, "?", "*"])), ("White-Elo", "2500"),
    ]  # fmt: skip
    if fen:
        tags += [("SetUp", "1"), ("FEN", fen)]
    if variant:
        tags.append(("Variant", variant))
    escape = chance.random() < 0.5
    lines = [_tag(key, value, escape=escape) for key, value in tags]
    style = chance.choice(STYLES)
    if "figurines" in style and not coding.startswith("utf"):
        style = "language"
    tokens = _tokens(first, moves, _writer(style, chance), coding, chance)
    tokens.append(chance.choice(MARKERS[result]))
    body = _wrapped(tokens, layout, chance)
    truth = Truth(name, players[0], players[1], result, moves, fen)
    return truth, layout.tags.join(lines) + layout.moves + body


def _fits(text: str, coding: str) -> bool:
    try:
        text.encode(coding)
    except UnicodeEncodeError:
        return False
    return True


def _tag(name: str, value: str, *, escape: bool) -> str:
    if escape:
        value = value.replace("\\", r"\\").replace('"', r"\"")
    return f'[{name} "{value}"]'


def _moves(first: chess.Board, chance: random.Random) -> list[str]:
    """Return moves of a game that is long enough to tell in what language it is."""
    board, moves = first.copy(), []
    while len(moves) < chance.randint(30, 60) and (legal := sorted(board.legal_moves, key=str)):
        rich = [
            move
            for move in legal
            if board.is_castling(move) or move.promotion or board.is_en_passant(move)
        ]
        move = chance.choice(rich if rich and chance.random() < 0.6 else legal)
        moves.append(board.uci(move))
        board.push(move)
    return moves


def _writer(style: str, chance: random.Random) -> Callable[[chess.Board, chess.Move], str]:
    """Return how moves are written in a style."""
    if style == "uci":
        return lambda board, move: board.uci(move)
    figures = {"white figurines": "♔♕♖♗♘", "black figurines": "♚♛♜♝♞"}
    letters = figures.get(style) or LANGUAGES[chance.choice(list(LANGUAGES))]
    letters = letters if style not in ("san", "long") else "KQRBN"
    meaning = dict(zip("KQRBN", letters, strict=True))
    selector = chance.choice(("", "\ufe0e")) if style in figures else ""
    zero, equals = chance.choice("O0"), chance.choice(("=", "", "/", "("))
    ep, suffix = chance.choice(("", "e.p.")), chance.choice(("", "", "!", "?!"))

    def write(board: chess.Board, move: chess.Move) -> str:
        san = board.lan(move) if style == "long" else board.san(move)
        core, check = san.rstrip("+#"), san[len(san.rstrip("+#")) :]
        if board.is_castling(move):
            return core.replace("O", zero) + check + suffix
        core, _, promotion = core.partition("=")
        core = "".join(meaning[c] + selector if c in meaning else c for c in core)
        if promotion:
            core += f"{equals}{meaning[promotion]}{')' if equals == '(' else ''}"
        return core + (ep if board.is_en_passant(move) else "") + check + suffix

    return write


def _tokens(
    first: chess.Board,
    moves: list[str],
    write: Callable[[chess.Board, chess.Move], str],
    coding: str,
    chance: random.Random,
) -> list[str]:
    board, tokens = first.copy(), []
    said = [each for each in COMMENTS if _fits(each, coding)]
    is_glued, wants_numbers = chance.random() < 0.3, chance.random() < 0.8
    for uci in moves:
        move = board.parse_uci(uci)
        number = f"{board.fullmove_number}." + ("" if board.turn else "..")
        needs_number = wants_numbers and (board.turn or chance.random() < 0.2)
        written = write(board, move)
        if needs_number and is_glued:
            tokens.append(number + written)
        else:
            tokens += [number, written] if needs_number else [written]
        if chance.random() < 0.12:
            tokens += _variation(board, write, chance, 1)
        board.push(move)
        if chance.random() < 0.15:
            tokens.append(chance.choice(said))
    return tokens


def _variation(
    board: chess.Board,
    write: Callable[[chess.Board, chess.Move], str],
    chance: random.Random,
    depth: int,
) -> list[str]:
    """Return a variation to the next move of a board, with others in it, or a null move."""
    board, tokens = board.copy(), ["("]
    for _ in range(chance.randint(1, 4)):
        legal = sorted(board.legal_moves, key=str)
        if not legal:
            break
        if chance.random() < 0.1 and not board.is_check():
            tokens.append(chance.choice(("--", "Z0")))
            board.push(chess.Move.null())
            continue
        move = chance.choice(legal)
        tokens.append(write(board, move))
        if depth < 4 and chance.random() < 0.3:
            tokens += _variation(board, write, chance, depth + 1)
        board.push(move)
    return [*tokens, ")"]


def _wrapped(tokens: list[str], layout: _Layout, chance: random.Random) -> str:
    text = ""
    for number, token in enumerate(tokens, start=1):
        text += token
        if not token.endswith("\n"):
            text += "\n" if number % layout.wrap == 0 else " "
        elif layout.games == " " or chance.random() < 0.1:
            text += "\n"
    return text.rstrip(" ")


def main() -> None:
    parser = argparse.ArgumentParser(description="write ugly files, and what is in them")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--files", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    chosen.folder.mkdir(exist_ok=True)
    expected = {}
    for each in files(chosen.files, chosen.seed):
        (chosen.folder / each.name).write_bytes(each.data)
        expected[each.name] = [asdict(game) for game in each.games]
    (chosen.folder / "expected.json").write_text(json.dumps(expected, ensure_ascii=False, indent=1))


if __name__ == "__main__":
    main()
