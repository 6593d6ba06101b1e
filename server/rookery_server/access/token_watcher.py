"""The tokens that a running server believes in, while their file changes under it.

An editor empties a file before it writes it, and who reads it in between sees no token,
or half of them.  So what a file has is taken at once, for who has just been given a token
is about to use it; but what it has no longer is believed to be gone only when nothing has
happened to it between two looks.
"""

import logging
from pathlib import Path

from rookery_protocol.errors import ConfigError
from rookery_server.access.token import Keyring
from rookery_server.access.token_file import TokenFile

logger = logging.getLogger(__name__)


class Roster:
    """The `keyring` of today.  `look` now and again, and `learn` where somebody logs in."""

    def __init__(self, path: Path) -> None:
        """Read the file.

        Raises:
            ConfigError: it cannot be used.

        """
        self._file = TokenFile(path)
        self.keyring = self._file.read()
        self._read: Keyring | None = None  # what is in the file, if some of `keyring` is not
        self._trouble = ""  # that was told of

    def reload(self) -> None:
        """Believe what is in the file; if it cannot be used, all is as before."""
        self._trouble = ""
        if self._try():
            self._believe()

    def learn(self) -> None:
        """Take what is new in the file."""
        if self._file.has_changed() and self._try():
            assert self._read is not None
            self.keyring = self.keyring.updated(self._read)

    def look(self) -> None:
        """Take what is new, and believe what was read before if that is still in the file."""
        rests = self._file.rests()
        if self._file.has_changed():
            self.learn()
        elif rests and self._read is not None:
            self._believe()

    def _try(self) -> bool:
        """Read the file, and say whether that was possible."""
        self._read = None
        try:
            self._read = self._file.read()
            self._trouble = ""
        except ConfigError as error:
            if str(error) != self._trouble:  # It may be tried again and again.
                self._trouble = str(error)
                logger.warning("the tokens are as before: %s", error)
        return self._read is not None

    def _believe(self) -> None:
        assert self._read is not None
        self.keyring, self._read = self._read, None
        logger.info("%d tokens read", len(self.keyring))
