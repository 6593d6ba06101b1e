"""By what an evaluation is known: a digest of all that it depends on."""

import json

import chess

from rookery_server.cache.digest import Digests, digest_of
from rookery_server.cache.normal_position import normal_form
from rookery_server.cache.query import Question
from rookery_server.engines.engine_build import Build


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
