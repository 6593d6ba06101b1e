"""Requests for searches, checked: the engine, its options, the position, the moves.  No I/O.

What is wrong has its place in the request, and the code of the notice that a session would say.
"""

from collections.abc import Mapping, Sequence

from msgspec import UNSET, UnsetType

from rookery_protocol.notices import CONTROL, Code, legible
from rookery_server.analysis.position_reading import PositionError, RequestedPosition, read_move
from rookery_server.api.schema import OptionValue, SearchLimits
from rookery_server.engines.offered_options import OfferedOptions
from rookery_server.http.problem import ProblemError
from rookery_uci import CHESS960, VARIANT, Limits, SetOption, key_of

MULTIPV = "MultiPV"
UNPROCESSABLE = 422
_MEMBERS = {"multipv": "lines", CHESS960: "variant", VARIANT: "variant"}  # by options


def read_position(
    fen: str | None, moves: Sequence[str], variant: str, *, path: str = "$."
) -> RequestedPosition:
    """Return a position of a request.

    Raises:
        ProblemError: it is none, or a move is not legal.

    """
    try:
        return RequestedPosition.set_up(fen, moves, variant)
    except PositionError as error:
        code = Code.BAD_VALUE if error.member == "variant" else Code.ILLEGAL_POSITION
        expected = {"variant": "a variant", "fen": "a position in FEN"}
        raise ProblemError(
            UNPROCESSABLE,
            legible(str(error), 500),
            code,
            path=f"{path}{error.member}",
            expected=expected.get(error.member, "a legal move, in UCI or SAN"),
        ) from error


def read_search_moves(position: RequestedPosition, moves: Sequence[str]) -> tuple[str, ...]:
    """Return the moves to consider, as engines are told them.

    Raises:
        ProblemError: one of them is not legal.

    """
    told = []
    for number, text in enumerate(moves):
        move = read_move(position.board, text)
        if move is None:
            raise ProblemError(
                UNPROCESSABLE,
                f"{legible(text)} is not legal in {position.board.fen()}",
                Code.ILLEGAL_POSITION,
                path=f"$.search_moves[{number}]",
                expected="a legal move, in UCI or SAN",
            )
        told.append(position.board.uci(move))
    return tuple(told)


def read_limits(limits: SearchLimits, search_moves: tuple[str, ...] = ()) -> Limits:
    """Return the end of a search as engines are told it."""
    return Limits(
        searchmoves=search_moves,
        depth=_number(limits.depth),
        nodes=_number(limits.nodes),
        movetime=_number(limits.movetime),
        mate=_number(limits.mate),
    )


def _number(value: int | UnsetType) -> int | None:
    return None if value is UNSET else value


def read_options(
    offer: OfferedOptions, options: Mapping[str, OptionValue], *, path: str = "$.options."
) -> list[SetOption]:
    """Return what sets the options of a request, sorted by their names.

    Raises:
        ProblemError: the engine has no such option, or this account may not set it so.

    """
    chosen = {}
    for name, value in options.items():
        where = f"{path}{legible(name, 60)}"
        if member := _MEMBERS.get(key_of(name)):
            raise ProblemError(
                UNPROCESSABLE,
                f"{legible(name)} is set by `{member}` of the request",
                Code.OPTION_REFUSED,
                path=where,
                expected=f"the member `{member}`",
            )
        text = option_text(value)
        if CONTROL.search(name) or CONTROL.search(text):
            raise ProblemError(
                UNPROCESSABLE,
                "options have no control characters",
                Code.BAD_VALUE,
                path=where,
                expected="text of one line",
            )
        command = _checked(offer, SetOption(name, text), where)
        chosen[key_of(command.name)] = command
    return [command for _, command in sorted(chosen.items())]


def option_text(value: OptionValue) -> str:
    """Return the value of an option as UCI has it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def read_lines(offer: OfferedOptions, lines: int, *, path: str = "$.lines") -> None:
    """Check that an engine finds so many variations.

    Raises:
        ProblemError: it does not.

    """
    if lines > 1:
        _checked(offer, SetOption(MULTIPV, str(lines)), path)


def read_rules(offer: OfferedOptions, position: RequestedPosition) -> list[SetOption]:
    """Return what sets the rules of a position, where they are not those that the engine has.

    Raises:
        ProblemError: the engine does not play by them.

    """
    chess960, variant = offer.rules({})
    wanted = []
    if position.chess960 != chess960:
        wanted.append(SetOption("UCI_Chess960", str(position.chess960).lower()))
    if position.variant != variant:
        wanted.append(SetOption("UCI_Variant", position.variant))
    for command in wanted:
        if offer.review(command).notice:
            name = "chess960" if command.value == "true" else position.variant
            raise ProblemError(
                UNPROCESSABLE,
                f"this engine does not play {name}",
                Code.BAD_VALUE,
                path="$.variant",
                expected="one of the variants of the engine, which GET /v1/engines lists",
            )
    return wanted


def _checked(offer: OfferedOptions, command: SetOption, path: str) -> SetOption:
    """Return a command as the engine gets it."""
    verdict = offer.review(command)
    if verdict.notice or not isinstance(verdict.command, SetOption):
        code = verdict.notice.code if verdict.notice else Code.BAD_VALUE
        text = verdict.notice.text if verdict.notice else "it cannot be set"
        expected = offer.description(key_of(command.name))
        raise ProblemError(UNPROCESSABLE, text, code, path=path, expected=expected)
    return verdict.command
