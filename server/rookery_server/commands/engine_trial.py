"""The trial of a configuration's engines: each is started once."""

from dataclasses import replace

from rookery_server.config.config import Config
from rookery_server.config.resources import Size
from rookery_server.manager import SessionManager


async def try_engines(config: Config) -> tuple[dict[str, str], Size]:
    """Start each engine once; return what is wrong with each, and what all together may use."""
    sessions = replace(config.sessions, warm=0)  # one is enough to see whether it answers
    server = replace(config.server, drain="stop")
    cache = replace(config.cache, enabled=False)  # It would be made if it is not there.
    config = replace(config, sessions=sessions, server=server, cache=cache)
    async with SessionManager(config) as host:
        troubles = {each.name: host.fleet.trouble(each.name) for each in config.engines}
        return troubles, host.scheduler.budget.total
