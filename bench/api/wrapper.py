"""The obvious wrapper around an engine: FastAPI, and python-chess with an engine for each CPU."""

import asyncio
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import chess
import chess.engine
import uvicorn
from fastapi import FastAPI, HTTPException
from pydantic import BaseModel, Field

engines: asyncio.Queue[chess.engine.UciProtocol] = asyncio.Queue()


class Wanted(BaseModel):
    """A position, and how to search it."""

    fen: str = chess.STARTING_FEN
    nodes: int = Field(ge=1)
    lines: int = Field(default=1, ge=1, le=256)


@asynccontextmanager
async def lifespan(_: FastAPI) -> AsyncIterator[None]:
    """Start the engines, and end them."""
    for _number in range(os.cpu_count() or 1):
        _transport, engine = await chess.engine.popen_uci(sys.argv[1])
        engines.put_nowait(engine)
    yield
    while not engines.empty():
        await engines.get_nowait().quit()


app = FastAPI(lifespan=lifespan)


@app.post("/analyse")
async def analyse(wanted: Wanted) -> dict[str, Any]:
    """Search a position."""
    try:
        board = chess.Board(wanted.fen)
    except ValueError as error:
        raise HTTPException(422, str(error)) from error
    engine = await engines.get()
    try:
        limit = chess.engine.Limit(nodes=wanted.nodes)
        found = await engine.analyse(board, limit, multipv=wanted.lines)
    finally:
        engines.put_nowait(engine)
    lines = [
        {
            "score": info["score"].white().score(mate_score=100_000),
            "depth": info["depth"],
            "pv": [move.uci() for move in info["pv"]],
        }
        for info in found
    ]
    return {"fen": board.fen(), "best": lines[0]["pv"][0], "lines": lines}


if __name__ == "__main__":
    uvicorn.run(app, port=int(sys.argv[2]), log_level="warning", access_log=False)
