"""`rookery-server check`: what a configuration would serve, and whether its engines answer."""

import os
from dataclasses import replace
from urllib.parse import urlsplit

from rookery_server.access.tls import Tls
from rookery_server.cache.where import url_of
from rookery_server.config import Config
from rookery_server.output import say
from rookery_server.sessions.host import Host
from rookery_server.transport.entrance import Entrance

BAD = 2


async def check(config: Config) -> int:
    """Start each engine once and say what there is; return the exit status.

    Raises:
        ConfigError: a file that the configuration names cannot be used.

    """
    sessions = replace(config.sessions, warm=0)  # one is enough to see whether it answers
    server = replace(config.server, drain="stop")
    cache = replace(config.cache, enabled=False)  # It would be made if it is not there.
    host = Host(replace(config, sessions=sessions, server=server, cache=cache))
    Entrance(config, host.machine)
    if config.tls:
        Tls(config.tls)
    async with host:
        troubles = {engine.name: host.fleet.trouble(engine.name) for engine in config.engines}
        total = host.budget.total
    say(f"listens on {_address(config)}")
    say(f"wants a token: {'yes' if config.server.tokens else 'no'}")
    say(f"TLS: {'yes' if config.tls else 'no'}")
    say(f"keeps analyses: {_cache(config)}")
    say(f"engines may use {total}")
    if config.ray:
        say(f"has a Ray cluster: head {config.ray.address}, its nodes reach {config.ray.listen}")
    for engine in config.engines:
        trouble = troubles[engine.name]
        place = f", on Ray with {engine.most}" if engine.ray else ""
        say(f"engine {engine.name}{place}: {trouble or 'answers'}: {' '.join(engine.command)}")
    return BAD if any(troubles.values()) else 0


def _cache(config: Config) -> str:
    if not config.cache.enabled:
        return "no"
    if config.cache.url:
        return f"in a database at {urlsplit(config.cache.url).hostname or config.cache.url}"
    return f"in {url_of(config.cache, os.environ).removeprefix('sqlite:///')}"


def _address(config: Config) -> str:
    server = config.server
    tcp = "no TCP" if server.tcp_port is None else f"TCP {server.tcp_port}"
    return f"{server.host}, WebSocket {server.port}, {tcp}"
