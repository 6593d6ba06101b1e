"""One project, twice: undisturbed, and with the server and its engines killed at random."""

import asyncio
import os
import random
import signal
import time
from contextlib import suppress
from pathlib import Path

import aiohttp
import chess

from bench.projects.api import ProjectsApi
from bench.served import Server, serving

LOOK = 0.05  # s between two looks at how far it is


async def compare(
    folder: Path, positions: int, nodes: int, server_kills: int, engine_kills: int, seed: int
) -> bool:
    """Grow both; print what came of them, and return whether the trees are the same."""
    budget = {"positions": positions}
    async with serving(folder, "whole", 1) as server, ProjectsApi(server.url) as api:
        began = time.monotonic()
        project = await api.create(chess.STARTING_FEN, nodes, budget, {})
        await api.until_over(project)
        whole = await api.read_text(f"/v1/projects/{project}/export", format="ndjson")
        seconds = time.monotonic() - began
    print(f"undisturbed: {len(whole.splitlines())} positions in {seconds:.0f} s", flush=True)
    often = await _disturbed(folder, positions, nodes, server_kills, engine_kills, seed)
    other = sum(one != two for one, two in zip(whole.splitlines(), often.splitlines(), strict=True))
    print("the trees are the same" if whole == often else f"{other} positions are not the same")
    return whole == often


async def _disturbed(
    folder: Path, positions: int, nodes: int, server_kills: int, engine_kills: int, seed: int
) -> str:
    """Grow a project while it is disturbed; return its tree."""
    chooser = random.Random(seed)
    moments = sorted(
        [(chooser.random(), True) for _ in range(server_kills)]
        + [(chooser.random(), False) for _ in range(engine_kills)]
    )
    server = Server(folder, "often", 1)
    await server.start()
    async with ProjectsApi(server.url) as api:
        project = await api.create(chess.STARTING_FEN, nodes, {"positions": positions}, {})
    killed = [0, 0]
    began = time.monotonic()
    for moment, is_server in moments:
        await _until_grown(server, project, int(moment * positions))
        if is_server:
            await server.end(kill=True)
            await server.start()
            killed[0] += 1
        elif engines := server.engines():
            with suppress(ProcessLookupError):
                os.kill(chooser.choice(engines), signal.SIGKILL)
                killed[1] += 1
    async with ProjectsApi(server.url) as api:
        document = await api.until_over(project)
        tree = await api.read_text(f"/v1/projects/{project}/export", format="ndjson")
    await server.end()
    print(
        f"killed: server {killed[0]}, engines {killed[1]} times in {time.monotonic() - began:.0f}"
        f" s; {document['positions']} positions, {document['searches']} searches",
        flush=True,
    )
    return tree


async def _until_grown(server: Server, project: str, positions: int) -> None:
    async with aiohttp.ClientSession() as session:
        while True:
            async with session.get(f"{server.url}/v1/projects/{project}") as response:
                document = await response.json()
            if document["positions"] >= positions or document["stage"] != "active":
                return
            await asyncio.sleep(LOOK)
