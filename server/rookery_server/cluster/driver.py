"""The process beside the server that is part of the Ray cluster.

It is a process of its own because Ray ends a driver that has lost its head for a minute, and
because it reads Ray's events in its own time.  It decides nothing: Ray places actors, sets
resources aside, and notices which are gone.  When the server ends, so does this, and with it Ray
ends the engines.

Orders come from stdin, and reports go to stdout, each a line of JSON.  An order is a `StartOrder`,
or `{"stop": NUMBER}`; a report is `{"cpus": NUMBER}` of a cluster that was joined, `{"failed":
REASON}` if it could not be, or `{"lost": NUMBER, "reason": REASON}` of an engine that is gone.
"""

import asyncio
import json
import logging
import os
import socket
import sys
from pathlib import Path
from typing import TextIO

from rookery_server.cluster.engine_actor import EngineActor, StartOrder

_MAX_ORDER = 1 << 20  # bytes
_MAX_REASON = 500  # characters of Ray's explanations, which are long
_DIAL_TIMEOUT = 5.0  # s in which the head accepts a connection
# s in which an actor ends its engine, once the server has hung up: what the engine has started
# outlives an actor that is killed before
_STOP_PATIENCE = 2.0


def main() -> None:
    """Join the cluster, then obey the server until it sends `quit` or is gone."""
    address, token = sys.argv[1:]
    # Ray reads them when it is imported.
    os.environ["RAY_AUTH_MODE"] = "token"
    os.environ["RAY_AUTH_TOKEN_PATH"] = str(Path(token).resolve())
    server = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # Whatever else is printed is for the log.
    host, _, port = address.rpartition(":")
    try:
        # Ray itself would try for a minute.
        socket.create_connection((host, int(port)), _DIAL_TIMEOUT).close()
        driver = RayDriver(address, server)
    except (OSError, RuntimeError, ValueError) as error:
        _report(server, failed=_one_line(error))
        sys.exit(1)
    asyncio.run(driver.run())
    # Ray ends what is left of a driver that is gone; to disconnect can take seconds.
    os._exit(0)


class RayDriver:
    """The driver, which has Ray start and end actors."""

    def __init__(self, address: str, server: TextIO) -> None:
        """Join the cluster.

        Raises:
            ConnectionError, RuntimeError, ValueError: Ray cannot.

        """
        import ray  # after the environment is set

        self._ray = ray
        self._server = server
        self._actors: dict[int, ray.actor.ActorHandle[EngineActor]] = {}
        ray.init(address=address, log_to_driver=False, logging_level=logging.ERROR)
        self._actor_class = ray.remote(EngineActor)

    async def run(self) -> None:
        """Obey orders until the server sends no more."""
        _report(self._server, cpus=int(self._ray.cluster_resources().get("CPU", 0)))
        loop = asyncio.get_running_loop()
        orders = asyncio.StreamReader(_MAX_ORDER)
        await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(orders), sys.stdin)
        async with asyncio.TaskGroup() as tasks:
            while (line := (await orders.readline()).decode()) and line != "quit\n":
                if (number := json.loads(line).get("stop")) is not None:
                    loop.call_later(_STOP_PATIENCE, self._kill, number)
                else:
                    order = StartOrder.parse(line)
                    self._start(order)
                    name = f"engine {order.number}"
                    tasks.create_task(self._run_engine(order), name=name)
            for number in self._actors:
                loop.call_later(_STOP_PATIENCE, self._kill, number)

    def _start(self, order: StartOrder) -> None:
        actor = self._actor_class.options(
            num_cpus=order.threads,
            memory=order.memory,
            max_restarts=0,
            scheduling_strategy="SPREAD",  # Engines keep CPUs busy: none should be crowded.
        )
        self._actors[order.number] = actor.remote()

    async def _run_engine(self, order: StartOrder) -> None:
        """Run an engine, and report its end."""
        try:
            reason = await self._actors[order.number].run_engine.remote(str(order))
        except (self._ray.exceptions.RayError, OSError) as error:
            print(_one_line(error), file=sys.stderr)
            reason = "its place on the cluster is lost"
        self._kill(order.number)
        _report(self._server, lost=order.number, reason=reason)

    def _kill(self, number: int) -> None:
        """Give the actor's place back, if that is not done yet."""
        actor = self._actors.pop(number, None)
        if actor is not None:
            self._ray.kill(actor)


def _report(server: TextIO, **fields: object) -> None:
    print(json.dumps(fields), file=server, flush=True)


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split())[:_MAX_REASON]


if __name__ == "__main__":
    main()
