"""How weak an opponent the user wants, as another engine can be told.  No I/O.

It was asked for in the words of the server's engine.  An engine of this machine has other
ranges, or none of these options: it hears what comes nearest, and the user what that is.
"""

from collections.abc import Mapping

from rookery_bridge.session.game_setup import ELO, LIMIT, SKILL, Recall
from rookery_uci import Option, SetOption, to_number

_FULL = "it cannot play weaker, and plays at full strength"


class Strength:
    """What the user wants of it, in options of the server's: `offers` has those, by their keys."""

    def __init__(self, recall: Recall, offers: Mapping[str, Option]) -> None:
        is_limited = recall.value(LIMIT).lower() == "true"
        usual = {key: offers[key].default or "" for key in (ELO, SKILL) if key in offers}
        said = {key: recall.value(key) for key in (LIMIT, ELO, SKILL)}
        # A GUI need not say what is so without a word.
        said[ELO] = (said[ELO] or usual.get(ELO, "")) if is_limited else ""
        self._wanted = {key: value for key, value in said.items() if value}
        self._is_skilled = self._wanted.get(SKILL) == usual.get(SKILL)
        is_unskilled = SKILL in usual and not self._is_skilled
        self._weak = [key for key in self._wanted if (is_unskilled if key == SKILL else is_limited)]

    def fitted(self, offered: Mapping[str, Option]) -> list[SetOption]:
        """Return what an engine is told that has such options, by their keys."""
        return [
            SetOption(option.name, self._fit(key, option))
            for key in self._wanted
            if (option := offered.get(key))
        ]

    def _fit(self, key: str, option: Option) -> str:
        if key == SKILL and self._is_skilled:  # The most of one engine may be little of another.
            return option.default or ""
        return _nearest(self._wanted[key], option)

    def lack(self, offered: Mapping[str, Option]) -> str:
        """Return what such an engine cannot do of it; nothing if it can do all."""
        if any(key not in offered for key in self._weak):
            return _FULL
        told = {option.name: option.value for option in self.fitted(offered)}
        for key in self._weak:
            name, wanted = offered[key].name, self._wanted[key]
            if (told[name] or "").lower() != wanted.strip().lower():
                return f"its {name} is {told[name]}, which is nearest to {wanted}"
        return ""


def _nearest(value: str, option: Option) -> str:
    number = to_number(value)
    if option.type != "spin" or number is None:
        return value
    least = number if option.min is None else max(number, option.min)
    return str(least if option.max is None else min(least, option.max))
