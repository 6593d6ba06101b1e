"""What waits for the end of a search keeps its order."""

from collections import deque

from hypothesis import given
from hypothesis import strategies as st

from rookery_engine.uci import Command, Go, SetOption, Word
from rookery_server.sessions.held import Held

COMMANDS: list[Command] = [Word.ISREADY, Word.STOP, Word.QUIT, Go(), SetOption("Hash", "8")]
STEPS = st.lists(st.tuples(st.sampled_from(["put", "put_back", "take"]), st.sampled_from(COMMANDS)))


@given(STEPS)
def test_it_is_a_queue_that_knows_its_words_and_its_size(
    steps: list[tuple[str, Command]],
) -> None:
    held, model = Held(), deque[Command]()
    for step, command in steps:
        if step == "put":
            held.put(command)
            model.append(command)
        elif step == "put_back":
            held.put_back(command)
            model.appendleft(command)
        elif model:
            assert held.take() is model.popleft()
        assert list(held) == list(model)
        assert len(held) == len(model)
        for word in (Word.ISREADY, Word.STOP, Word.QUIT):
            assert held.count(word) == model.count(word)
            assert (word in held) is (word in model)
    while model:
        held.take()
        model.popleft()
    assert held.size == 0
