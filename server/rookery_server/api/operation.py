"""Operations of the API as they are described: their parameters, bodies and answers."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import msgspec

Document = dict[str, Any]  # JSON: a border where types end


@dataclass(frozen=True, slots=True)
class QueryMember:
    """A parameter of a path, a query or a header; `schema` is its type."""

    name: str
    schema: Mapping[str, object]
    description: str
    where: str = "query"
    is_required: bool = False


@dataclass(frozen=True, slots=True)
class Operation:
    """One thing that the API does; `bodies` and `answers` are classes or texts, by their types."""

    method: str
    path: str
    id: str
    summary: str
    description: str
    answers: Mapping[int, tuple[str, Mapping[str, object]]]
    parameters: tuple[QueryMember, ...] = ()
    bodies: Mapping[str, object] | None = None
    errors: tuple[int, ...] = ()
    tag: str = "analysis"
    is_public: bool = False


def members_of_query(kind: type) -> tuple[QueryMember, ...]:
    """Return the members of a query, of the class that reads it."""
    _, found = msgspec.json.schema_components([kind], ref_template="{name}")
    needed = found[kind.__name__].get("required", ())
    return tuple(
        QueryMember(name, _without_null(each), _description_of(each), is_required=name in needed)
        for name, each in found[kind.__name__]["properties"].items()
    )


def _description_of(member: Document) -> str:
    kinds = (member, *member.get("anyOf", ()))
    return next((each["description"] for each in kinds if "description" in each), "")


def _without_null(member: Document) -> Document:
    """Return the schema of a member of a query, which cannot be null."""
    kinds = [each for each in member.get("anyOf", ()) if each != {"type": "null"}]
    return kinds[0] if kinds else {k: v for k, v in member.items() if k != "description"}


def schema_of(kind: type, name: str) -> Document:
    """Return the schema of one member of a request."""
    _, found = msgspec.json.schema_components([kind], ref_template="{name}")
    member: Document = found[kind.__name__]["properties"][name]
    return _without_null(member)
