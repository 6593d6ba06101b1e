"""Reading requests, with errors that say where they are wrong and what is expected there.

A body that is no JSON is a bad request (400).  One that is JSON, but not as the schema says, or
not by the rules of chess, cannot be processed (422).
"""

import difflib
import json
import re
from collections.abc import Mapping
from typing import Any, TypeVar

import msgspec
from aiohttp import web
from msgspec import inspect

from rookery_protocol.notices import legible
from rookery_server.api.schema import JobRequest, SearchLimits
from rookery_server.http.problem import ProblemError
from rookery_server.transport.request_body import read_body

JSON, NDJSON = "application/json", "application/x-ndjson"
PGN, TEXT = "application/x-chess-pgn", "text/plain"
MAX_DOCUMENT = 1 << 20  # bytes

_SHOWN = 60  # characters of what is wrong
_ERROR = re.compile(r"(?P<text>.*?)(?: - at (?P<key>`key` in )?`(?P<path>.*)`)?", re.DOTALL)
_MEMBER = re.compile(r"\.([A-Za-z_]\w*)|\[(\d+)\]")
_UNKNOWN = re.compile(r"Object contains unknown field `(.*)`", re.DOTALL)
_MISSING = re.compile(r"Object missing required field `(.*)`")
_EXPECTED = re.compile(r"Expected (?P<wanted>.*?)(?:, got .*)?")
_MOVES = re.compile(r"\.(search_)?moves$")
_MEANT = {"multipv": "lines", "pgn": "games", "fens": "positions"}  # names from elsewhere
_KINDS = {
    "int": "a whole number",
    "float": "a number",
    "str": "a string",
    "bool": "true or false",
    "null": "null",
    "object": "an object",
    "array": "an array",
}

_decoders: dict[type, msgspec.json.Decoder[Any]] = {}  # by the kind of the document

T = TypeVar("T")


async def read_json(request: web.Request, kind: type[T], most: int = MAX_DOCUMENT) -> T:
    """Return the document in the body of a request.

    Raises:
        ProblemError: it is not JSON, or not as the schema says.
        web.HTTPException: it is too large, or comes too slowly.

    """
    if "Content-Type" in request.headers and request.content_type != JSON:
        raise ProblemError(
            415, f"a body of the type {legible(request.content_type)!r}", expected=JSON
        )
    return parse_document(await read_body(request, most), kind)


def parse_document(body: bytes, kind: type[T]) -> T:
    """Return the document that some JSON is.

    Raises:
        ProblemError: it is not JSON, or not as the schema says.

    """
    try:
        document: T = _decoder(kind).decode(body)
    except msgspec.ValidationError as error:
        raise _fault_of(str(error), _load(body), kind) from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise ProblemError(400, f"the body is no JSON: {_reason(error, body)}") from None
    return document


def read_query(request: web.Request, kind: type[T]) -> T:
    """Return the document that the query of a request is.

    Raises:
        ProblemError: it is not as the schema says.

    """
    values: dict[str, str] = {}
    for name, value in request.query.items():
        if name in values:
            raise ProblemError(
                422, f"{legible(name)} is given twice", path=f"?{name}", expected="one value"
            )
        values[name] = value
    return convert_query(values, kind)


def convert_query(values: Mapping[str, str], kind: type[T]) -> T:
    """Return the document whose members are such texts; its faults are of the query.

    Raises:
        ProblemError: it is not as the schema says.

    """
    try:
        document: T = msgspec.convert(values, kind, strict=False)
    except msgspec.ValidationError as error:
        fault = _fault_of(str(error), values, kind)
        path = (fault.path or "").removeprefix("$").removeprefix(".")
        detail = str(fault).replace("$.", "?").replace("$", "the query")
        raise ProblemError(422, detail, path=f"?{path}", expected=fault.expected) from None
    return document


def json_answer(
    document: object, status: int = 200, fields: Mapping[str, str] | None = None
) -> web.Response:
    """Return the answer that a document is."""
    headers = {"Content-Type": JSON, **(fields or {})}
    return web.Response(status=status, body=msgspec.json.encode(document), headers=headers)


def _decoder(kind: type[T]) -> msgspec.json.Decoder[T]:
    if kind not in _decoders:
        _decoders[kind] = msgspec.json.Decoder(kind)
    return _decoders[kind]


def _load(body: bytes) -> object:
    """Return what a body has, to be shown.

    Raises:
        ProblemError: it is not JSON: its first fault as a document came before that.

    """
    try:
        return msgspec.json.decode(body)
    except msgspec.ValidationError:  # a number out of range
        return None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise ProblemError(400, f"the body is no JSON: {_reason(error, body)}") from None


def _reason(error: Exception, body: bytes) -> str:
    """Return why some bytes are no JSON."""
    if isinstance(error, UnicodeDecodeError):
        return "it is not in UTF-8"
    if isinstance(error, RecursionError):
        return "it is nested too deeply"
    text = str(error)
    if "truncated" in text:
        return "it ends too early" if body.strip() else "it is empty"
    return text.removeprefix("JSON is malformed: ").removesuffix(" (byte 0)")


def _fault_of(text: str, document: object, kind: type) -> ProblemError:
    """Return what msgspec has to say of a document, in our words."""
    form = _ERROR.fullmatch(text)
    assert form
    text, path = form["text"], form["path"] or "$"
    if unknown := _UNKNOWN.fullmatch(text):
        return _unknown_member(unknown[1], path, kind)
    if missing := _MISSING.fullmatch(text):
        where = f"{path}.{missing[1]}"
        return ProblemError(422, f"{where} is missing", path=where, expected=_wanted(kind, where))
    expected = _in_words(text)
    if form["key"]:
        return ProblemError(422, f"a name in {path} is not as expected", path=path,
                            expected=expected)  # fmt: skip
    found = _value_at(document, path)
    if isinstance(found, str) and _MOVES.search(path):
        expected = f"an array of moves, as {json.dumps(found[:_SHOWN].split()[:3])}"
    if path.endswith("[...]") and isinstance(found, dict):
        path, found = _bad_entry(found, path)
    shown = json.dumps(found, ensure_ascii=False, default=str)
    return ProblemError(
        422, f"{path} is {legible(shown, _SHOWN)}, not {expected}", path=path, expected=expected
    )


def _unknown_member(name: str, path: str, kind: type) -> ProblemError:
    known = _members_at(kind, path)
    meant = _meant_member(name[:_SHOWN].lower(), known)
    hint = f"; did you mean `{meant}`?" if meant else ""
    return ProblemError(
        422,
        f"there is no member `{legible(name, _SHOWN)}` in {path}{hint}",
        path=f"{path}.{legible(name, _SHOWN)}",
        expected=f"one of {', '.join(known)}",
    )


def _meant_member(name: str, known: tuple[str, ...]) -> str | None:
    """Return the member that a client may have meant by a name."""
    if _MEANT.get(name) in known:
        return _MEANT[name]
    if name in SearchLimits.__struct_fields__ and "limits" in known:
        return f"limits.{name}"
    return next(iter(difflib.get_close_matches(name, known, n=1)), None)


def _members_at(kind: type, path: str) -> tuple[str, ...]:
    """Return the names that an object at a path may have."""
    found: inspect.Type = inspect.type_info(kind)
    for name, _ in _MEMBER.findall(path):
        for each in _kinds_of(found):
            if name and isinstance(each, inspect.StructType):
                members = {field.encode_name: field.type for field in each.fields}
                found = members.get(name, found)
            elif not name and isinstance(each, inspect.ListType):
                found = each.item_type
    structs = [each for each in _kinds_of(found) if isinstance(each, inspect.StructType)]
    return tuple(field.encode_name for each in structs for field in each.fields)


def _kinds_of(found: inspect.Type) -> tuple[inspect.Type, ...]:
    """Return the types that a member may have, without what is said of them."""
    if isinstance(found, inspect.Metadata):
        return _kinds_of(found.type)
    if isinstance(found, inspect.UnionType):
        return tuple(kind for each in found.types for kind in _kinds_of(each))
    return (found,)


def _wanted(kind: type, where: str) -> str:
    """Return what a member that is missing should be."""
    if where == "$.limits":
        names = " or ".join(SearchLimits.__struct_fields__)
        return f"an object with {names}"
    return "a member of this name" if kind is not JobRequest else "a member of a job"


def _in_words(text: str) -> str:
    """Return what msgspec expects, as people say it."""
    form = _EXPECTED.fullmatch(text)
    if form is None:
        return "a number in range" if text == "Number out of range" else text.lower()

    def named(match: re.Match[str]) -> str:
        kinds = [_KINDS.get(each, each) for each in match[1].split(" | ")]
        return " or ".join(kinds)

    if text.startswith(("Expected at least one", "Expected one of")):
        return form["wanted"].replace("`", "")
    return re.sub(r"`([^`]*)`", named, form["wanted"])


def _value_at(document: object, path: str) -> object:
    """Return what is at a path of a document, or as near to it as there is something."""
    for name, index in _MEMBER.findall(path):
        if isinstance(document, Mapping) and name in document:
            document = document[name]
        elif isinstance(document, list) and index and int(index) < len(document):
            document = document[int(index)]
        else:
            break
    return document


def _bad_entry(found: dict[str, object], path: str) -> tuple[str, object]:
    """Return the path and the value of the first option that cannot be one."""
    for name, value in found.items():
        if value is None or isinstance(value, dict | list | float):
            return path.replace("[...]", f".{legible(name, _SHOWN)}"), value
    longest = max(found, key=lambda name: len(str(found[name])))
    return path.replace("[...]", f".{legible(longest, _SHOWN)}"), found[longest]
