"""Our server with all of its policy, and the same server without, for what policy costs.

Without it nothing is judged (unjudged.py) and no account has a quota.  The grammar of lines,
without which there is no session, is read in both.
"""

from pathlib import Path

from bench.child import OUT, find
from bench.relay.build import build

_CONFIG = """
[server]
port = {port}
tcp_port = {tcp_port}

[control]
socket = false

[engines.fake]
command = "{engine}"
"""
_POLICY = """
hidden = ["Ballast"]
memory_mb = 512
threads = 1
hash_mb = 64

[quota]
sessions = 1000
threads = 1
hash_mb = 64
total_threads = 1000
total_hash_mb = 64000
cpu_seconds = 100000
lines_per_second = 900000
lines_burst = 900000
longest_search = 3600
idle_timeout = 3600
"""


def serve(port: int, tcp_port: int, *, judges: bool) -> list[str]:
    """Return the command of a server, with all policy or with none."""
    file = OUT / f"policy-{'on' if judges else 'off'}-{port}.toml"
    text = _CONFIG.format(port=port, tcp_port=tcp_port, engine=build("fakeengine"))
    file.write_text(text + _POLICY if judges else text)
    alone = [find("python"), str(Path(__file__).with_name("unjudged.py"))]
    return [*([find("rookery-server")] if judges else alone), "serve", "--config", str(file)]
