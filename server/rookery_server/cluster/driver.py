"""The process beside the server that is part of the Ray cluster: `python -m ...ray.driver`.

It is one of its own because Ray ends a driver that has lost its head for a minute, and
because it reads Ray's news in its own time.  It takes orders from its input and tells what
became of them (order.py); it decides nothing: Ray places, sets aside, and notices who is gone.
When the server ends, so does this, and with it Ray ends the engines.
"""

import argparse
import asyncio
import logging
import os
import socket
import sys
from pathlib import Path
from typing import TextIO

from rookery_server.cluster.driver_messages import (
    ClusterJoined,
    EngineLost,
    StartOrder,
    parse_order,
)
from rookery_server.cluster.engine_actor import EngineActor

_MAX_ORDER = 1 << 20  # bytes
_MAX_REASON = 500  # characters of Ray's explanations, which are long
_REACHED = 5.0  # s in which the head can be connected to


def main() -> None:
    """Join the cluster, then do as the server says until it says `quit` or is gone."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--address", required=True)
    parser.add_argument("--token", required=True, type=Path)
    arguments = parser.parse_args()
    # Ray reads them when it is imported.
    os.environ["RAY_AUTH_MODE"] = "token"
    os.environ["RAY_AUTH_TOKEN_PATH"] = str(arguments.token.resolve())
    server = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # Whatever else is printed is for the log.
    host, _, port = arguments.address.rpartition(":")
    try:
        # Ray itself would try for a minute.
        socket.create_connection((host, int(port)), _REACHED).close()
        driver = RayDriver(arguments.address, server)
    except (OSError, RuntimeError, ValueError) as error:
        print(EngineLost(None, " ".join(str(error).split())[:500]), file=server, flush=True)
        sys.exit(1)
    asyncio.run(driver.run())
    # Ray ends what is left of a driver that is gone; to take leave of it can take seconds.
    os._exit(0)


class RayDriver:
    """Has actors made, and ended."""

    def __init__(self, address: str, server: TextIO) -> None:
        """Join the cluster.

        Raises:
            ConnectionError, RuntimeError, ValueError: Ray's own, that it cannot be.

        """
        import ray  # after the environment is set

        self._ray = ray
        self._server = server
        self._actors: dict[int, ray.actor.ActorHandle[EngineActor]] = {}
        ray.init(address=address, log_to_driver=False, logging_level=logging.ERROR)
        self._berth = ray.remote(EngineActor)

    async def run(self) -> None:
        """Take orders until there is nobody to give them."""
        self._tell(ClusterJoined(int(self._ray.cluster_resources().get("CPU", 0))))
        loop = asyncio.get_running_loop()
        orders = asyncio.StreamReader(_MAX_ORDER)
        await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(orders), sys.stdin)
        async with asyncio.TaskGroup() as tasks:
            while (line := (await orders.readline()).decode()) and line != "quit\n":
                order = parse_order(line)
                if isinstance(order, StartOrder):
                    self._place(order)
                    name = f"engine {order.number}"
                    tasks.create_task(self._see_through(order), name=name)
                else:
                    self._drop(order.number)
            for number in list(self._actors):
                self._drop(number)

    def _place(self, order: StartOrder) -> None:
        berth = self._berth.options(
            num_cpus=order.threads,
            memory=order.memory_bytes,
            max_restarts=0,
            scheduling_strategy="SPREAD",  # Engines keep CPUs busy: none should be crowded.
        )
        self._actors[order.number] = berth.remote()

    async def _see_through(self, order: StartOrder) -> None:
        """Have an engine run, and tell when it is no more."""
        actor = self._actors.get(order.number)
        if actor is None:  # It is wanted no more already.
            return
        try:
            reason = await actor.serve.remote(str(order))
        except (self._ray.exceptions.RayError, OSError) as error:
            print(" ".join(str(error).split())[:_MAX_REASON], file=sys.stderr)
            reason = "its place on the cluster is lost"
        self._drop(order.number)
        self._tell(EngineLost(order.number, reason))

    def _drop(self, number: int) -> None:
        actor = self._actors.pop(number, None)
        if actor is not None:
            self._ray.kill(actor)

    def _tell(self, what: object) -> None:
        print(what, file=self._server, flush=True)


if __name__ == "__main__":
    main()
