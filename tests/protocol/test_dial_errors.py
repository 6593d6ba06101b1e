"""Reasons why a server cannot be reached, in words."""

import pytest

from rookery_protocol.dialer import failed_dial
from rookery_protocol.tls_trust import Trust


class WindowsNetworkError(OSError):
    """An error of Windows' network, whose `errno` is that of no system call."""

    winerror = 1231


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (OSError(113, "Connect call failed ('192.0.2.1', 1)"), "no route to host"),
        (
            WindowsNetworkError(22, "The network location cannot be reached"),
            "The network location cannot be reached",
        ),
        (OSError("Multiple exceptions: ..."), "Multiple exceptions: ..."),
    ],
)
def test_error_of_the_network_is_said_in_the_words_of_the_system(error: OSError, said: str) -> None:
    assert str(failed_dial(error, Trust())) == said
