"""Digests of engines: by the contents of their files, so that a path says nothing.

The same build is the same on two machines, and another build in the same place is
another.  Each file is read once; an engine whose files are no longer what they were when
it was started is nobody.
"""

from collections.abc import Iterable

from rookery_server.engines import engine_build
from rookery_server.engines.engine_build import Build, Content, Stamp, new_digest, path_in, stamp

_MAX_KNOWN = 1000  # digests that are remembered


class Digests:
    """Digests of files and builds; it reads files, and remembers what was in them."""

    def __init__(self) -> None:
        self._known: dict[Stamp, str] = {}

    def of_build(self, build: Build) -> str | None:
        """Return the digest of a build; None if its files have changed or cannot be read."""
        parts = [build.name]
        for word, file in zip(build.words, build.files, strict=True):
            if file is None:
                parts.append(word)
            elif (digest := self._of(file)) is None:
                return None
            else:
                parts.append(word.removesuffix(path_in(word)) + digest)
        return digest_of(parts)

    def of_options(self, options: Iterable[tuple[str, str]]) -> list[str]:
        """Return options as texts; a value that is a file counts as what is in it."""
        texts = []
        for key, value in options:
            file = stamp(value)
            digest = self._of_file(file) if file else None
            texts.append(f"{key}={digest or value}")
        return texts

    def _of(self, file: Stamp | Content) -> str | None:
        return file.digest if isinstance(file, Content) else self._of_file(file)

    def _of_file(self, file: Stamp) -> str | None:
        if stamp(file.path) != file:
            return None
        if file not in self._known:
            if len(self._known) >= _MAX_KNOWN:
                self._known.clear()
            digest = engine_build.digest_of(file)
            if digest is None:
                return None
            self._known[file] = digest
        return self._known[file]


def digest_of(parts: Iterable[str]) -> str:
    """Return the digest of some texts, each apart from the next."""
    whole = new_digest()
    for part in parts:
        text = part.encode()
        whole.update(b"%d:%b" % (len(text), text))
    return whole.hexdigest()
