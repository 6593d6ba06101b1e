"""Queries of the cache, and the evaluations that answer them.

The key of an evaluation is a digest of all that it depends on.  Files count by their contents: an
engine whose files have changed since it was started has no key.
"""

import json
import time
from collections.abc import Sequence
from dataclasses import dataclass, field

import chess

from rookery_analysis.evaluation import PositionEvaluation
from rookery_server.cache.question import Question, board_of, normal_form
from rookery_server.engines.engine_build import Build, digest_of_file, digest_of_texts, stamp


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


@dataclass(frozen=True, slots=True)
class CacheQuery:
    """A question, the engine that answers it, and the owner of the answer.

    `board` is that of the question, where it is there already.
    """

    question: Question
    build: Build
    account: str  # empty if all accounts share the evaluations
    board: chess.Board | None = field(default=None, compare=False)

    def key_at(self, build: str | None) -> str | None:
        """Return the key of the answer of a build with such a digest; None if it has none."""
        return self._key_of(normal_form(self._board(), self.question.variant), build)

    def evaluation(self, said: bytes, least_depth: int) -> StoredEvaluation | None:
        """Return what an engine's newest lines say, as the answer; None if it cannot be kept."""
        board = self._board()
        position = normal_form(board, self.question.variant)
        key = self._key_of(position, self.build.digest())
        evaluation = PositionEvaluation.of_search(said, board)
        if not position or not key or not evaluation or evaluation.depth < least_depth:
            return None
        now = int(time.time())
        return StoredEvaluation(key, self.account, self.build.name, position, evaluation, now)

    def _board(self) -> chess.Board:
        return board_of(self.question) if self.board is None else self.board

    def _key_of(self, position: str | None, build: str | None) -> str | None:
        if position is None or build is None:
            return None
        options = []
        for key, value in self.question.options:
            file = stamp(value)
            options.append(f"{key}={(file and digest_of_file(file)) or value}")
        return digest_of_texts((self.account, position, build, json.dumps(options)))


def keys_of(queries: Sequence[CacheQuery]) -> list[str | None]:
    """Return the key of each query, None if it has none; files are looked at once for all."""
    builds = {id(query.build): query.build for query in queries}
    digests = {name: build.digest() for name, build in builds.items()}
    return [query.key_at(digests[id(query.build)]) for query in queries]
