"""Settings of schemathesis that its file cannot have: games are sent as text."""

import schemathesis

schemathesis.serializer.alias("application/x-chess-pgn", "text/plain")
