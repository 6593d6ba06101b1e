"""What a running server takes of a configuration that is read again.  No I/O."""

from dataclasses import replace

from rookery_server.config.config import Config

# What a running server cannot change: where it listens, and what is leased already.
_FIXED_OF_SERVER = ("host", "port", "tcp_port", "handshake_timeout")
_FIXED = ("budget", "metrics", "control", "broker", "ray")
_FIXED_OF_CACHE = ("enabled", "file", "url")


def after_reload(running: Config, read: Config) -> tuple[Config, list[str]]:
    """Return what a running server takes of a configuration, and the keys that it cannot."""
    late = []
    server = read.server
    for key in _FIXED_OF_SERVER:
        if getattr(server, key) != getattr(running.server, key):
            late.append(f"server.{key}")
            server = replace(server, **{key: getattr(running.server, key)})
    cache = read.cache
    if any(getattr(cache, key) != getattr(running.cache, key) for key in _FIXED_OF_CACHE):
        late.append("cache")
        read = replace(read, cache=running.cache)
    for section in _FIXED:
        if getattr(read, section) != getattr(running, section):
            late.append(section)
            read = replace(read, **{section: getattr(running, section)})
    if _kind_of_tls(read) != _kind_of_tls(running):
        late.append("tls")
        read = replace(read, tls=running.tls)
    return replace(read, server=server), late


def _kind_of_tls(config: Config) -> tuple[bool, bool]:
    return config.tls is not None, bool(config.tls and config.tls.client_ca)
