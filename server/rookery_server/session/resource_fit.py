"""What an engine takes of the machine, and how it is made to take less.  No I/O."""

from collections.abc import Callable, Iterator

from rookery_server.config.resources import Size
from rookery_server.engines.offered_options import SIZES, OfferedOptions
from rookery_server.session.engine_setup import Recall
from rookery_uci import SetOption, key_of


class Fitting:
    """The options of a session as there is room for them.

    `grant` says how much of a size that is wanted the engine may have, while there is one.
    """

    __slots__ = ("_offer", "_recall", "grant")

    def __init__(self, offer: OfferedOptions, recall: Recall) -> None:
        self.grant: Callable[[Size], Size] = lambda wanted: wanted
        self._offer = offer
        self._recall = recall

    @property
    def size(self) -> Size:
        """What an engine takes of the machine with the options that are set."""
        return self._offer.size(self._recall.value)

    def concerns(self, command: SetOption) -> bool:
        """Say whether an option has to do with it."""
        return key_of(command.name) in SIZES

    def fitted(self, command: SetOption) -> SetOption:
        """Return an option as it is set now."""
        return self._recall.option(key_of(command.name)) or command

    def fit(self) -> Iterator[str]:
        """Get room for the engine as it is to be, or make do with what there is.

        Yields what the client should hear of it.
        """
        wanted = self.size
        for key, less in self._offer.fit(wanted, self.grant(wanted)):
            self._recall.take(less)
            most = SIZES[key].of(wanted)
            yield f"{less.name} is {less.value} here, not {most}: there is no room for more now"
