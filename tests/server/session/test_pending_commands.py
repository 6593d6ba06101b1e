"""The order of commands that wait for the end of a search."""

from collections import deque

from hypothesis import given
from hypothesis import strategies as st

from rookery_server.session.pending_commands import PendingCommands
from rookery_uci import Command, Debug, Go, SetOption, Word

SIGNALS: list[Command] = [Word.ISREADY, Word.STOP, Word.QUIT, Debug(on=True)]
COMMANDS = [*SIGNALS, Word.UCINEWGAME, Go(), SetOption("Hash", "8")]
STEPS = st.lists(
    st.tuples(
        st.sampled_from(["append", "append_left", "pop_left", "move_to"]), st.sampled_from(COMMANDS)
    )
)


@given(STEPS)
def test_it_is_a_queue_that_knows_its_words_and_its_size(
    steps: list[tuple[str, Command]],
) -> None:
    held, model = PendingCommands(), deque[Command]()
    other, moved = PendingCommands(), list[Command]()
    for step, command in steps:
        if step == "append":
            held.append(command)
            model.append(command)
        elif step == "append_left":
            held.append_left(command)
            model.appendleft(command)
        elif step == "move_to":
            held.move_to(other)
            while model and model[0] not in SIGNALS:
                moved.append(model.popleft())
        elif model:
            assert held.pop_left() is model.popleft()
        assert (list(held), list(other)) == (list(model), moved)
        assert held.has_signal is any(command in SIGNALS for command in model)
        assert len(held) == len(model)
        for word in (Word.ISREADY, Word.STOP, Word.QUIT):
            assert held.count(word) == model.count(word)
            assert (word in held) is (word in model)
    for queue in (held, other):
        while queue:
            queue.pop_left()
        assert queue.size == 0
