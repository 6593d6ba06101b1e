"""The lines that a client must hear again: none is lost or doubled, whatever is cut when."""

from hypothesis import given
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from rookery_server.session.line_buffers import GAP, MAX_REPLAY, ReplayBuffer

INFO = b"info depth %d multipv %d pv e2e4\n"


def lines_of(piece: bytes) -> list[bytes]:
    return piece.splitlines(keepends=True)


def owed_of(piece: bytes) -> list[bytes]:
    return [line for line in lines_of(piece) if not line.startswith(b"info ")]


class Conversation(RuleBasedStateMachine):
    """A client that hears pieces, loses its connection, and comes back."""

    def __init__(self) -> None:
        super().__init__()
        self.owed = ReplayBuffer()
        self.said: list[bytes] = []  # all that was ever owed
        self.heard: list[bytes] = []  # what the client has of it
        self.connected = True

    def hear(self, piece: bytes) -> None:
        self.heard += owed_of(piece)

    @rule(shape=st.lists(st.sampled_from(["info", "string", "owed"]), min_size=1, max_size=8))
    def engine_speaks(self, shape: list[str]) -> None:
        piece = b""
        for kind in shape:
            if kind == "owed":
                self.said.append(b"readyok %d\n" % len(self.said))
                piece += self.said[-1]
            else:
                piece += b"info string x\n" if kind == "string" else INFO % (len(piece), 1)
        self.owed.append(piece)
        if self.connected:
            self.hear(piece)

    @rule()
    def client_acknowledges(self) -> None:
        if self.connected:
            self.owed.acknowledge(len(self.heard))

    @rule(lost=st.integers(0, 5))
    def connection_is_cut(self, lost: int) -> None:
        """Some of what was sent never arrives; the client acknowledges no more."""
        if self.connected:
            kept = max(self.owed.forgotten, len(self.heard) - lost)
            del self.heard[kept:]
        self.connected = False

    @rule()
    def client_comes_back(self) -> None:
        if not self.connected:
            assert len(self.heard) >= self.owed.forgotten
            self.owed.resume(len(self.heard))
            self.hear(self.owed.after(len(self.heard)))
            self.connected = True

    @rule(count=st.integers(-5, 100))
    def client_claims_nonsense(self, count: int) -> None:
        """Only what it cannot have heard: who lies about the rest harms himself."""
        if count <= self.owed.forgotten or count > self.owed.count:
            self.owed.acknowledge(count)

    @invariant()
    def nothing_is_lost_or_doubled(self) -> None:
        assert self.heard == self.said[: len(self.heard)]
        assert not self.connected or self.heard == self.said
        assert self.owed.count == len(self.said)


TestConversation = Conversation.TestCase


@given(st.lists(st.tuples(st.integers(1, 4), st.booleans()), max_size=40), st.integers(0, 40))
def test_the_newest_of_each_variation_is_heard_again(
    spoken: list[tuple[int, bool]], count: int
) -> None:
    owed, newest, bests = ReplayBuffer(), {}, 0
    for depth, (number, ends) in enumerate(spoken):
        owed.append(INFO % (depth, number))
        newest[number] = INFO % (depth, number)
        if ends:
            owed.append(b"bestmove e2e4\n")
            newest, bests = {}, bests + 1
    heard = lines_of(owed.after(min(count, bests)))
    last = len(heard) - next(
        (place for place, line in enumerate(reversed(heard)) if line.startswith(b"best")),
        len(heard),
    )
    assert set(heard[last:]) == set(newest.values())
    assert len(heard[last:]) == len(newest)


def test_info_before_what_was_heard_is_not_heard_again() -> None:
    owed = ReplayBuffer()
    owed.append(b"info depth 1 pv e2e4\nbestmove e2e4\ninfo depth 1 pv d2d4\n")
    assert owed.after(1) == b"info depth 1 pv d2d4\n"
    assert owed.after(0) == b"info depth 1 pv e2e4\nbestmove e2e4\ninfo depth 1 pv d2d4\n"


def test_flood_that_nobody_hears_is_kept_in_bounds() -> None:
    """`info string` is never replaced, so only forgetting helps; no line is cut in two."""
    owed, most = ReplayBuffer(), 0
    for number in range(20_000):
        owed.append(b"info string number %d of many that are all different\n" % number)
        if number % 100 == 0:
            owed.append(b"readyok\n")
        most = max(most, owed.size)
    assert most <= MAX_REPLAY + 100
    assert owed.forgotten > 0
    left = owed.after(owed.forgotten)
    assert len(owed_of(left)) == owed.count - owed.forgotten
    assert all(line.startswith((b"info string number", b"readyok")) for line in lines_of(left))


def test_piece_larger_than_the_bound_leaves_a_gap_and_counts_right() -> None:
    owed = ReplayBuffer()
    owed.append(b"readyok\n" * (2 * MAX_REPLAY // 8))
    assert owed.forgotten > 0
    assert len(owed_of(owed.after(owed.forgotten))) == owed.count - owed.forgotten
    assert owed.after(owed.count) == b""


def test_what_is_lost_counts_no_more_and_is_told_once() -> None:
    owed = ReplayBuffer()
    owed.append(b"".join(b"readyok %d\n" % number for number in range(MAX_REPLAY // 4)))
    owed.resume(7)  # so many were heard
    left = owed.after(7)
    assert left.startswith(GAP)
    assert owed.count == 7 + len(owed_of(left))
    owed.resume(7)  # The connection was lost at once.
    assert owed.after(7) == left
    heard = 7 + len(owed_of(left))
    owed.append(b"bestmove e2e4\n")
    owed.resume(heard)
    assert owed.after(heard) == b"bestmove e2e4\n"
    assert owed.count == heard + 1


def test_client_that_has_heard_one_line_after_a_gap_hears_of_it_no_more() -> None:
    owed = ReplayBuffer()
    owed.append(b"readyok\n" * (MAX_REPLAY // 4))
    owed.resume(0)
    owed.resume(1)
    assert GAP not in owed.after(1)
    assert len(owed_of(owed.after(1))) == owed.count - 1


def test_what_is_acknowledged_is_forgotten() -> None:
    owed = ReplayBuffer()
    for _ in range(1000):
        owed.append(b"info string x\nreadyok\n")
        owed.acknowledge(owed.count)
    assert owed.size == 0


def test_client_that_claims_to_have_heard_more_than_was_said_hears_what_is_new() -> None:
    owed = ReplayBuffer()
    owed.append(b"bestmove e2e4\ninfo depth 1 pv d2d4\n")
    for count in (2, 1 << 40, 10**30):
        owed.acknowledge(count)
        assert owed.after(count) == b"info depth 1 pv d2d4\n"
    assert owed.forgotten == 0
