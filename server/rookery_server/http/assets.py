"""The files of the page in the browser: read once, served from memory.

A file is looked up by its whole path in a table, so no path can lead out of it.  Each is there
as it is and, where it is worth it, as gzip and brotli, which the build has made.  Names below
`/assets/` have a digest of the content, and so may be cached for ever; `index.html` is
requested each time, and answered in a line if it is still the same.

Facts about the server are written into `index.html`, where the build has left room for them:
so the page need not request them before it can open its WebSocket.
"""

import base64
import gzip
import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from html import escape
from pathlib import Path

from aiohttp import web
from websockets.http11 import Request

# The folder that the build writes.  Resolved, for an editable install links files one by one.
FOLDER = Path(__file__).resolve().parents[1] / "web"
INDEX = "/"
EMBED = "/embed"  # the page that other sites may show in a frame, if the operator lists them
_HASHED = "/assets/"
_PAGE = ".html"  # is left out of addresses
_TYPES = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".json": "application/json",
    ".webmanifest": "application/manifest+json",
    ".txt": "text/plain; charset=utf-8",
}
_NEVER = re.compile(r"q=0(\.0{0,3})?", re.IGNORECASE)  # a weight that refuses
_CODINGS = {"br": ".br", "gzip": ".gz"}  # the best first
_PLACE = b'<meta name="rookery-server" content="">'  # of the facts
_SCRIPT = re.compile(rb"<script>(.*?)</script>", re.DOTALL)
_STYLE = re.compile(rb"<style>(.*?)</style>", re.DOTALL)
# Nothing is loaded from elsewhere, and nothing that is written into the page itself runs but
# what the build has written there, told by its digest (`scripts`, `styles`).  Pieces are pictures
# inside the style sheet (`data:`).
_UNFRAMED = "frame-ancestors 'none'"
_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'{scripts}",
        "worker-src 'self'",
        "style-src 'self'{styles}",
        "img-src 'self' data: blob:",
        "connect-src 'self'",
        "manifest-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        _UNFRAMED,
    )
)


@dataclass(frozen=True, slots=True)
class Asset:
    """One file, in each coding that there is; "" is the file as it is."""

    kind: str
    etag: str
    policy: str
    bodies: Mapping[str, bytes] = field(repr=False)


class Assets:
    """The files of one folder, by their paths on the server."""

    def __init__(self, folder: Path = FOLDER) -> None:
        """Read them; a folder that is not there has none."""
        self._files = {
            _path_of(path.relative_to(folder)): _read(path)
            for path in folder.rglob("*")
            if path.is_file() and path.suffix in _TYPES
        }

    def response(
        self, request: Request, facts: str = "", framers: Sequence[str] = ()
    ) -> web.Response | None:
        """Return the answer to a request (GET or HEAD); None if it is for none of these files.

        `facts` are those about the server for the page, as JSON; `framers` the origins that may
        show `EMBED` in a frame, and without any there is no such page.
        """
        path = request.path.partition("?")[0]
        asset = self._files.get(path)
        if asset is None or (path == EMBED and not framers):
            return None
        if path == EMBED:
            asset = _framed_by(asset, framers)
        if facts and path == INDEX:
            asset = _index_with(asset.bodies[""], facts)
        headers = {"Content-Security-Policy": asset.policy}
        takes = _accepted(", ".join(request.headers.get_all("Accept-Encoding")))
        coding = next((each for each in _CODINGS if each in asset.bodies and each in takes), "")
        headers["ETag"] = etag = f'"{asset.etag}{coding and "-" + coding}"'
        headers["Vary"] = "Accept-Encoding"
        headers["Cache-Control"] = (
            "public, max-age=31536000, immutable" if path.startswith(_HASHED) else "no-cache"
        )
        if etag in _listed(request.headers.get_all("If-None-Match")):
            return web.Response(status=304, headers=headers)
        body = asset.bodies[coding]
        headers["Content-Type"] = asset.kind
        if coding:
            headers["Content-Encoding"] = coding
        return web.Response(body=body, headers=headers)


@lru_cache(maxsize=1)
def page_assets() -> Assets:
    """Return the files of the page, which a process reads once, whatever servers it has had."""
    return Assets()


def _path_of(file: Path) -> str:
    if file.suffix == _PAGE:
        file = file.with_suffix("")
    return INDEX if str(file) == "index" else f"/{file.as_posix()}"


def _read(path: Path) -> Asset:
    coded = {coding: path.with_name(path.name + suffix) for coding, suffix in _CODINGS.items()}
    bodies = {coding: file.read_bytes() for coding, file in coded.items() if file.is_file()}
    return _asset(_TYPES[path.suffix], {"": path.read_bytes(), **bodies})


def _asset(kind: str, bodies: dict[str, bytes]) -> Asset:
    digest = hashlib.sha256(bodies[""]).hexdigest()[:16]
    return Asset(kind, digest, _policy(kind, bodies[""]), bodies)


@lru_cache(maxsize=4)  # they change when the server is configured anew, and seldom else
def _index_with(index: bytes, facts: str) -> Asset:
    """Return the page with these facts in it."""
    content = f'content="{escape(facts)}"'.encode()
    body = index.replace(_PLACE, _PLACE.replace(b'content=""', content))
    return _asset(_TYPES[_PAGE], {"": body, "gzip": gzip.compress(body, mtime=0)})


def _framed_by(asset: Asset, framers: Sequence[str]) -> Asset:
    """Return a page that these origins may show in a frame.

    It has a tag of its own: a browser that has the page from another configuration gets it anew.
    """
    ancestors = " ".join(framers)
    policy = asset.policy.replace(_UNFRAMED, f"frame-ancestors {ancestors}")
    digest = hashlib.sha256(ancestors.encode()).hexdigest()[:8]
    return replace(asset, policy=policy, etag=f"{asset.etag}-{digest}")


def _policy(kind: str, body: bytes) -> str:
    """Return the Content-Security-Policy of a file: what it may load and run as a page."""
    is_page = kind == _TYPES[_PAGE]
    scripts, styles = (
        "".join(map(_source, form.findall(body))) if is_page else "" for form in (_SCRIPT, _STYLE)
    )
    return _POLICY.format(scripts=scripts, styles=styles)


def _source(content: bytes) -> str:
    """Return what lets a script or a style of the page itself be."""
    return f" 'sha256-{base64.b64encode(hashlib.sha256(content).digest()).decode()}'"


def _accepted(header: str) -> set[str]:
    """Return the codings that a header takes; those with a weight of 0 it does not."""
    result = set()
    for part in header.split(","):
        name, _, weight = part.partition(";")
        if not _NEVER.fullmatch(weight.strip()):
            result.add(name.strip().lower())
    return result


def _listed(values: list[str]) -> set[str]:
    """Return the tags of `If-None-Match`, weak ones as if they were not."""
    return {part.strip().removeprefix("W/") for value in values for part in value.split(",")}
