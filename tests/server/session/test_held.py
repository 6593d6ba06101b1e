"""What waits for the end of a search keeps its order."""

from collections import deque

from hypothesis import given
from hypothesis import strategies as st

from rookery_server.session.pending_commands import Held
from rookery_uci import Command, Debug, Go, SetOption, Word

SIGNALS: list[Command] = [Word.ISREADY, Word.STOP, Word.QUIT, Debug(on=True)]
COMMANDS = [*SIGNALS, Word.UCINEWGAME, Go(), SetOption("Hash", "8")]
STEPS = st.lists(
    st.tuples(st.sampled_from(["put", "put_back", "take", "move"]), st.sampled_from(COMMANDS))
)


@given(STEPS)
def test_it_is_a_queue_that_knows_its_words_and_its_size(
    steps: list[tuple[str, Command]],
) -> None:
    held, model = Held(), deque[Command]()
    other, moved = Held(), list[Command]()
    for step, command in steps:
        if step == "put":
            held.put(command)
            model.append(command)
        elif step == "put_back":
            held.put_back(command)
            model.appendleft(command)
        elif step == "move":
            held.move(other)
            while model and model[0] not in SIGNALS:
                moved.append(model.popleft())
        elif model:
            assert held.take() is model.popleft()
        assert (list(held), list(other)) == (list(model), moved)
        assert held.has_signal is any(command in SIGNALS for command in model)
        assert len(held) == len(model)
        for word in (Word.ISREADY, Word.STOP, Word.QUIT):
            assert held.count(word) == model.count(word)
            assert (word in held) is (word in model)
    for queue in (held, other):
        while queue:
            queue.take()
        assert queue.size == 0
