"""The analysis service of a remote server, for programs without asyncio.

    with SimpleAnalysisClient("https://HOST", token_file="FILE") as client:
        result = client.analyse(chess.Board(), depth=20)

It is to `AnalysisClient` as python-chess's `SimpleEngine` is to its protocols: the same methods,
with the same arguments, which wait.
"""

import asyncio
import functools
import threading
from collections.abc import AsyncGenerator, Callable, Coroutine, Iterator
from pathlib import Path
from typing import Any, Concatenate, Generic, ParamSpec, TypeVar

from rookery_bridge.client.analysis_client import AnalysisClient
from rookery_bridge.client.remote_jobs import RemoteJobs
from rookery_bridge.client.service_connection import PATIENCE

P = ParamSpec("P")
T = TypeVar("T")
A = TypeVar("A")  # a class with methods for asyncio


class _LoopThread:
    """An event loop in a thread of its own."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(
            target=self._loop.run_forever, name="analysis client", daemon=True
        )
        self._thread.start()

    def run(self, coroutine: Coroutine[Any, Any, T]) -> T:
        """Run a coroutine to its end; whatever interrupts the wait ends it."""
        future = asyncio.run_coroutine_threadsafe(coroutine, self._loop)
        try:
            return future.result()
        except BaseException:
            future.cancel()
            raise

    def close(self) -> None:
        """End the thread."""
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()


class _Waiting(Generic[A]):
    """An object whose methods wait for those of another, which runs in a loop."""

    def __init__(self, other: A, loop: _LoopThread) -> None:
        self._other = other
        self._loop = loop


def _waiting(
    method: Callable[Concatenate[A, P], Coroutine[Any, Any, T]],
) -> Callable[Concatenate[_Waiting[A], P], T]:
    """Return the method that waits for another."""

    @functools.wraps(method)
    def call(self: _Waiting[A], /, *args: P.args, **kwargs: P.kwargs) -> T:
        return self._loop.run(method(self._other, *args, **kwargs))

    return call


def _iterating(
    method: Callable[Concatenate[A, P], AsyncGenerator[T, None]],
) -> Callable[Concatenate[_Waiting[A], P], Iterator[T]]:
    """Return the method that yields what another does, and waits for each."""

    @functools.wraps(method)
    def call(self: _Waiting[A], /, *args: P.args, **kwargs: P.kwargs) -> Iterator[T]:
        source = method(self._other, *args, **kwargs)
        ended = object()

        async def step() -> T | object:
            return await anext(source, ended)

        try:
            while (value := self._loop.run(step())) is not ended:
                yield value  # type: ignore[misc]  # It is no `ended`.
        finally:
            self._loop.run(source.aclose())

    return call


class SimpleRemoteJobs(_Waiting[RemoteJobs]):
    """The jobs of an account on one server: `RemoteJobs` whose methods wait."""

    create = _waiting(RemoteJobs.create)
    list = _waiting(RemoteJobs.list)
    get = _waiting(RemoteJobs.get)
    pause = _waiting(RemoteJobs.pause)
    resume = _waiting(RemoteJobs.resume)
    delete = _waiting(RemoteJobs.delete)
    watch = _iterating(RemoteJobs.watch)
    results = _iterating(RemoteJobs.results)
    annotated_pgn = _waiting(RemoteJobs.annotated_pgn)
    save_annotated_pgn = _waiting(RemoteJobs.save_annotated_pgn)


class SimpleAnalysisClient(_Waiting[AnalysisClient]):
    """The analysis service of one server: `AnalysisClient` whose methods wait.

    The arguments are those of `AnalysisClient`.  `close`, or the end of a `with`, ends its thread.
    """

    def __init__(
        self,
        address: str,
        *,
        token: str | None = None,
        token_file: str | Path | None = None,
        ca: str | Path | None = None,
        pin: str | None = None,
        insecure: bool = False,
        patience: float = PATIENCE,
    ) -> None:
        client = AnalysisClient(
            address,
            token=token,
            token_file=token_file,
            ca=ca,
            pin=pin,
            insecure=insecure,
            patience=patience,
        )
        super().__init__(client, _LoopThread())
        self.jobs = SimpleRemoteJobs(client.jobs, self._loop)
        self._is_open = True
        self._loop.run(client.__aenter__())

    engines = _waiting(AnalysisClient.engines)
    analyse = _waiting(AnalysisClient.analyse)
    analyse_stream = _iterating(AnalysisClient.analyse_stream)
    evaluations = _waiting(AnalysisClient.evaluations)

    def close(self) -> None:
        """Close all connections: searches end, and jobs go on."""
        if self._is_open:
            self._is_open = False
            self._loop.run(self._other.__aexit__())
            self._loop.close()

    def __enter__(self) -> "SimpleAnalysisClient":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
