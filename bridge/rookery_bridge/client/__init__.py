"""Remote engines and analyses for programs that use python-chess.

    transport, engine = await rookery_bridge.client.popen_uci("wss://HOST/engines/stockfish")
    engine = rookery_bridge.client.connect_uci("wss://HOST/engines/stockfish")  # blocking

All else is python-chess's own `chess.engine`.  Answers without a session, and jobs, have

    async with rookery_bridge.client.AnalysisClient("https://HOST") as client:
    with rookery_bridge.client.SimpleAnalysisClient("https://HOST") as client:  # blocking

See docs/client.md.
"""

from rookery_bridge.client.analysis_client import AnalysisClient
from rookery_bridge.client.position_input import AnalysisPosition
from rookery_bridge.client.remote_engine import (
    RemoteProtocol,
    RemoteTransport,
    connect_uci,
    popen_uci,
)
from rookery_bridge.client.service_error import ServiceError
from rookery_bridge.client.service_results import (
    AnalysisLine,
    AnalysisResult,
    ItemAnswer,
    RemoteJob,
    ServiceEngine,
)
from rookery_bridge.client.simple_client import SimpleAnalysisClient

__all__ = [
    "AnalysisClient",
    "AnalysisLine",
    "AnalysisPosition",
    "AnalysisResult",
    "ItemAnswer",
    "RemoteJob",
    "RemoteProtocol",
    "RemoteTransport",
    "ServiceEngine",
    "ServiceError",
    "SimpleAnalysisClient",
    "connect_uci",
    "popen_uci",
]
