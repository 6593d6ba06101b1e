"""The answer of a tool, as text for a model and as data for a program; or its error.  No I/O."""

from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, field

# Progress, its end if that is known, and a sentence.
Report = Callable[[float, float | None, str], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class ToolAnswer:
    """An answer.  `text` is short; `data` says the same, and may say more."""

    text: str
    data: dict[str, object] = field(default_factory=dict)

    @classmethod
    def of_lines(cls, lines: Iterable[str], data: Mapping[str, object]) -> "ToolAnswer":
        """Return an answer of lines, with its data less what is not known."""
        known = {name: value for name, value in data.items() if value is not None}
        return cls("\n".join(lines), known)


class ToolError(Exception):
    """A call that has no answer: why, and what to do next."""

    def __init__(self, why: str, advice: str, code: str = "bad-call") -> None:
        super().__init__(why)
        self.why = why
        self.advice = advice
        self.code = code

    @property
    def as_answer(self) -> ToolAnswer:
        """The error as an answer."""
        data = {"code": self.code, "detail": self.why, "advice": self.advice}
        return ToolAnswer(f"Error: {self.why}. What to do: {self.advice}.", {"error": data})
