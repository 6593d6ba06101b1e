"""The key of an evaluation: a digest of all that it depends on."""

import json
from dataclasses import dataclass

import chess

from rookery_analysis.evaluation import Evaluation
from rookery_server.cache.digest import Digests, digest_of
from rookery_server.cache.normal_position import normal_form
from rookery_server.cache.query import Question
from rookery_server.engines.engine_build import Build


@dataclass(frozen=True, slots=True)
class Row:
    """An evaluation with its key, and what people want to know of it."""

    key: str
    account: str
    engine: str
    position: str
    evaluation: Evaluation
    stored: int  # s of the epoch

    def values(self) -> dict[str, object]:
        """Return it as the table has it."""
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


def key_of(
    question: Question, build: Build, account: str, board: chess.Board, digests: Digests
) -> str | None:
    """Return the key of a question; None if its answer cannot be known by one.

    Args:
        question: what is asked.
        build: which engine is to answer.
        account: whose the evaluations are; empty if all have them in common.
        board: that of the question, with the moves that led there.
        digests: what is known of files.

    """
    name = normal_form(board, question.variant)
    digest = digests.of_build(build) if name else None
    if name is None or digest is None:
        return None
    options = json.dumps(digests.of_options(question.options))
    return digest_of((account, name, digest, options))
