"""The key of an evaluation: a digest of all that it depends on.

Files count by their contents, so that a path does not matter: the same build is the same on two
machines, and another build in the same place is another.  Each file is read once; an engine
whose files have changed since it was started has no key.
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass

import chess

from rookery_analysis.evaluation import PositionEvaluation
from rookery_server.cache.question import Question, normal_form
from rookery_server.engines import engine_build
from rookery_server.engines.engine_build import Build, Content, Stamp, new_digest, path_in, stamp

_MAX_KNOWN = 1000  # digests that are remembered


@dataclass(frozen=True, slots=True)
class StoredEvaluation:
    """An evaluation with its key, and what the operator may want to know of it."""

    key: str
    account: str
    engine: str
    position: str
    evaluation: PositionEvaluation
    stored: int  # s of the epoch

    def values(self) -> dict[str, object]:
        """Return the values of the columns of the table."""
        return {
            "key": self.key,
            "variations": len(self.evaluation.lines),
            "account": self.account,
            "engine": self.engine,
            "position": self.position,
            "depth": self.evaluation.depth,
            "nodes": self.evaluation.nodes,
            "spent": self.evaluation.time,
            "lines": str(self.evaluation),
            "stored": self.stored,
            "used": self.stored,
        }


class FileDigests:
    """The digests of files and builds, each read once."""

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
        """Return options as texts; a value that is a file counts by its content."""
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


def evaluation_key(
    question: Question, build: Build, account: str, board: chess.Board, digests: FileDigests
) -> str | None:
    """Return the key of the answer to a question; None if it has none.

    Args:
        question: the question of a search.
        build: the engine that answers.
        account: the owner of the evaluation; empty if all accounts share them.
        board: the board of the question, with the moves that led there.
        digests: the known digests of files.

    """
    name = normal_form(board, question.variant)
    digest = digests.of_build(build) if name else None
    if name is None or digest is None:
        return None
    options = json.dumps(digests.of_options(question.options))
    return digest_of((account, name, digest, options))


def digest_of(parts: Iterable[str]) -> str:
    """Return the digest of some texts, each apart from the next."""
    whole = new_digest()
    for part in parts:
        text = part.encode()
        whole.update(b"%d:%b" % (len(text), text))
    return whole.hexdigest()
