"""Queries of the cache, and the evaluations that answer them.

The key of an evaluation is a digest of all that it depends on.  Files count by their contents: an
engine whose files have changed since it was started has no key.
"""

import json
import time
from dataclasses import dataclass

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
    """A question, the engine that answers it, and the owner of the answer."""

    question: Question
    build: Build
    account: str  # empty if all accounts share the evaluations

    def key(self) -> str | None:
        """Return the key of the answer; None if it has none."""
        return self._key_at(normal_form(board_of(self.question), self.question.variant))

    def evaluation(self, said: bytes, least_depth: int) -> StoredEvaluation | None:
        """Return what an engine's newest lines say, as the answer; None if it cannot be kept."""
        board = board_of(self.question)
        position = normal_form(board, self.question.variant)
        key = self._key_at(position)
        evaluation = PositionEvaluation.of_search(said, board)
        if not position or not key or not evaluation or evaluation.depth < least_depth:
            return None
        now = int(time.time())
        return StoredEvaluation(key, self.account, self.build.name, position, evaluation, now)

    def _key_at(self, position: str | None) -> str | None:
        build = self.build.digest() if position else None
        if position is None or build is None:
            return None
        options = []
        for key, value in self.question.options:
            file = stamp(value)
            options.append(f"{key}={(file and digest_of_file(file)) or value}")
        return digest_of_texts((self.account, position, build, json.dumps(options)))
