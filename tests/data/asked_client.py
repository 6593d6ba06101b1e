"""A client over TCP that wants to be asked every second, and answers until it stands still.

Its argument is the port; what it says besides is in the others, and each is a line.
"""

import socket
import sys

with socket.create_connection(("127.0.0.1", int(sys.argv[1]))) as connection:
    connection.sendall("".join(f"{line}\n" for line in sys.argv[2:]).encode())
    for line in connection.makefile("rb"):
        if line.startswith(b"rookery alive "):
            connection.sendall(line)
