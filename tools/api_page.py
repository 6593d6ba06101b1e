#!/usr/bin/env python3
"""Renderer of `docs/api.md` from the description of the API: `python tools/api_page.py`."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from rookery_server.api.openapi import EVERYWHERE, openapi
from rookery_server.http.problem import PROBLEM_TYPE

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "api.md"
EXAMPLES = ROOT / "tools" / "api_examples.md"

Schema = dict[str, Any]

_HEAD = """\
# The analysis service

<!-- Made by tools/api_page.py of the classes in server/rookery_server/api/schema.py. -->

"""
_TAIL = """\
The document that describes all this to programs (OpenAPI 3.1) is at `/v1/openapi.json`. Clients for
most languages can be generated from it; Python programs have [one with more comfort](client.md).
"""


def main() -> int:
    """Write the page, or with `--check` only say if it is as it should be."""
    text = page()
    if "--check" in sys.argv:
        return int(PAGE.read_text(encoding="utf-8") != text)
    PAGE.write_text(text, encoding="utf-8")
    return 0


def page() -> str:
    """Return the page."""
    document = openapi()
    parts = [
        _HEAD + document["info"]["description"] + "\n" + _TAIL,
        EXAMPLES.read_text(encoding="utf-8"),
    ]
    parts += ["## Errors\n", _errors(document), "## Operations\n"]
    for path, methods in document["paths"].items():
        parts += [_operation(path, method, each) for method, each in methods.items()]
    parts.append("## Documents\n")
    parts += [_document(name, each) for name, each in document["components"]["schemas"].items()]
    return "\n".join(parts)


def _operation(path: str, method: str, operation: Schema) -> str:
    lines = [f"### {method.upper()} `{path}`", "", f"{operation['summary']}.", ""]
    lines += [operation["description"], ""]
    if parameters := operation.get("parameters"):
        lines += ["| parameter | in | type | meaning |", "|---|---|---|---|"]
        lines += [
            f"| `{each['name']}` | {each['in']} | {_kind(each['schema'])} | {_cell(each)} |"
            for each in parameters
        ]
        lines.append("")
    if body := operation.get("requestBody"):
        kinds = (f"`{media}`: {_kind(each['schema'])}" for media, each in body["content"].items())
        lines += [f"Body: {'; '.join(kinds)}.", ""]
    lines += ["| answer | meaning |", "|---|---|"]
    for status, answer in operation["responses"].items():
        if int(status) in EVERYWHERE:
            continue
        contents = answer.get("content", {}).items()
        kinds = [f"{_kind(each['schema'])} (`{m}`)" for m, each in contents if m != PROBLEM_TYPE]
        shown = ": ".join(filter(None, [answer["description"], ", ".join(kinds)]))
        lines.append(f"| {status} | {shown} |")
    return "\n".join([*lines, ""])


def _errors(document: Schema) -> str:
    """Return the table of the errors that each request may have."""
    answers = document["paths"]["/v1/engines"]["get"]["responses"]
    rows = [f"| {each} | {answers[str(each)]['description']} |" for each in EVERYWHERE]
    head = ["Any request may be answered so, with a [problem document](#problemdetails):", ""]
    return "\n".join([*head, "| answer | meaning |", "|---|---|", *rows, ""])


def _document(name: str, schema: Schema) -> str:
    lines = [f"### {name}", "", schema["description"], ""]
    lines += ["| member | type | meaning |", "|---|---|---|"]
    required = schema.get("required", ())
    for member, each in schema["properties"].items():
        needed = " (required)" if member in required and "Request" in name else ""
        lines.append(f"| `{member}`{needed} | {_kind(each)} | {_cell(each)} |")
    return "\n".join([*lines, ""])


def _cell(schema: Schema) -> str:
    """Return what is said of a member, and its default."""
    kinds = [schema, *schema.get("anyOf", ())]
    text = next((each["description"] for each in kinds if "description" in each), "")
    default = schema.get("default", schema.get("schema", {}).get("default"))
    if default not in (None, "", [], {}):
        text = f"{text}; usually `{str(default).lower()}`" if text else f"usually `{default}`"
    return text.replace("|", "\\|")


def _kind(schema: Schema) -> str:
    """Return a type in words."""
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return f"[{name}](#{name.lower()})"
    if "anyOf" in schema:
        kinds = [_kind(each) for each in schema["anyOf"] if each.get("type") != "null"]
        return " or ".join(dict.fromkeys(kinds))
    if "enum" in schema:
        return " or ".join(f"`{each}`" for each in schema["enum"])
    if schema.get("type") == "array":
        inner = schema.get("items")
        return f"list of {_kind(inner)}" if inner else "list of whole numbers"
    return f"{_PLAIN.get(schema.get('type', ''), 'any')}{_bounds(schema)}"


_PLAIN = {
    "integer": "whole number",
    "number": "number",
    "string": "text",
    "boolean": "true or false",
    "object": "object",
}


def _bounds(schema: Schema) -> str:
    return "".join(_bound_texts(schema))


def _bound_texts(schema: Schema) -> Iterator[str]:
    least, most = schema.get("minimum"), schema.get("maximum")
    if least is not None and most is not None:
        yield f", {least} to {most}"
    if longest := schema.get("maxLength"):
        yield f", at most {longest} characters"


if __name__ == "__main__":
    sys.exit(main())
