"""The options and the commands of an engine, as its clients have them.

An engine says in its answer to `uci` which options it has.  The operator takes some
away, sets some, and gives names for paths; an account has ceilings.  What is left is
offered: the lines that a client is shown, and the one review of its `setoption`.  Of other
commands the only question is what they would do: use files of this machine, or have the engine do
what no edition of UCI has.

The one idea: a client's text never becomes an option's name or a path.  Its name only
finds an option of the engine's, whose own spelling the engine gets; its value is parsed
by the option's type and written anew.  No I/O.

An engine may declare ten thousand options.  What goes through all of them is done once, when an
offer is made; what a line of a client's asks for takes the same time however many there are.
"""

import difflib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import NamedTuple

import rookery_uci as uci
from rookery_protocol.errors import ConfigError
from rookery_protocol.legality import STANDARD, VARIANTS
from rookery_protocol.notices import Code, Notice
from rookery_server.config.engines import Policy
from rookery_server.config.resources import ANY_SIZE, USUAL_HASH, Size
from rookery_uci import (
    CHESS960,
    VARIANT,
    EngineIdentity,
    Ok,
    Option,
    SetOption,
    UciError,
    key_of,
    to_number,
)

# Texts that name no file by the UCI specification, so that every client may set them.
HARMLESS = ("UCI_Opponent", "UCI_EngineAbout", "UCI_SetPositionValue")

# What an option takes of a machine, where the specification says so.  All engines that
# were looked at call their threads `Threads`; other sizes (Lc0's NNCacheSize) are no MiB.
QUOTAS = {"threads": "threads", "hash": "hash_mb", "nalimovcache": "hash_mb"}

# Those that make up the size of a slot, with what an engine has that does not say: threads, or MiB.
SIZES = {"threads": 1, "hash": USUAL_HASH}

_EMPTY = "<empty>"
_DEFAULT = "<default>"
_SHOWN = 60  # characters of a client's text that a notice repeats
_COMPARED = 128  # names that one which is not there is compared with: 3 ms at most
_NO_FILES = ("default", "current", "_")  # the third word of `bench` that names no file


class PolicyVerdict(NamedTuple):
    """The result of a review: the command that the engine gets, or why it gets none.

    Both are there if the engine gets another command than the client has sent.
    """

    command: uci.Command | None
    notice: Notice | None = None


def refusal(code: Code, sentence: str) -> PolicyVerdict:
    """Return the verdict that an engine must not get a command."""
    return PolicyVerdict(None, Notice(code, sentence))


@dataclass(frozen=True, slots=True)
class Choice:
    """An option that clients have.

    `option` and `line` are what they are shown.  `clamped` is whether its maximum is
    the account's.  `paths` are what the engine gets for the names in a combo.
    """

    option: Option
    line: str
    clamped: bool = False
    paths: Mapping[str, str] = field(default_factory=dict)

    def read_value(self, text: str) -> tuple[str | None, str | None]:
        """Return a value as the engine must get it, and what is less than asked for.

        Raises:
            UciError: the option cannot have that value.

        """
        value = self.option.read_value(text, clamp=self.clamped)
        if self.option.type != "spin" or not self.clamped or value == str(to_number(text)):
            return self.paths.get(value or "", value), None
        return value, f"{self.option.name} is {value} here, not {text.strip()}, which is too much"


class OfferedOptions:
    """The options that one account may set of an engine, and that it is shown.

    `ceiling` is the most that the account may have of the machine; `usual_size` is what an engine
    takes of it before a client sets an option; `setup` is what it must get before its first client.
    """

    def __init__(self, identity: EngineIdentity, policy: Policy, ceiling: Size = ANY_SIZE) -> None:
        """Combine what the engine has, the operator wants and the account may.

        Raises:
            ConfigError: the operator names an option that the engine does not have,
                or gives it a value that it cannot have.

        """
        self.policy = policy
        self.ceiling = ceiling
        self._options = {key_of(option.name): (option, line) for option, line in identity.options}
        self._check_names()
        self._forced = {
            key_of(name): self._read_forced(name, text) for name, text in policy.options
        }
        if (variant := self.value(VARIANT)) not in ("", *VARIANTS):
            raise ConfigError(f"positions of the variant {variant!r} cannot be checked")
        self._choices = {
            key: choice
            for key, (option, line) in self._options.items()
            if (choice := self._choose(key, option, line)) is not None
        }
        self.setup = self._changed_options()
        self.usual_size = Size(*(self._number(key, None) for key in SIZES))
        lines = [*identity.ids, *(each.line for each in self._choices.values()), Ok.UCIOK]
        self.greeting = "".join(f"{line}\n" for line in lines).encode()

    def _changed_options(self) -> tuple[SetOption, ...]:
        """Return what sets the options of an engine as this offer has them."""
        forced = [SetOption(self._name(key), text) for key, text in self._forced.items()]
        clamped = [
            SetOption(option.name, less)
            for key, (option, line) in self._options.items()
            if key not in self._forced
            and (less := self._clamp(key, option, line).option.default) != option.default
        ]
        return (*forced, *clamped)

    def usual_sizes(self, chosen: Iterable[str]) -> list[SetOption]:
        """Return what sets the options of the machine's as they begin, but for those chosen."""
        choices = [self._choices[key].option for key in SIZES if key in self._choices]
        return [
            SetOption(option.name, option.default)
            for option in choices
            if option.default and key_of(option.name) not in chosen
        ]

    def undo(self, keys: Iterable[str]) -> list[SetOption] | None:
        """Return what sets options, and those of `setup`, as the engine has them by itself.

        None if it does not say how that is.  What the operator sets stays.
        """
        reset = dict.fromkeys((*keys, *(key_of(each.name) for each in self.setup)))
        options = [self._options[key][0] for key in reset if key not in self._forced]
        if any(option.default is None for option in options):
            return None
        return [SetOption(option.name, option.default or _EMPTY) for option in options]

    def value(self, key: str) -> str:
        """Return what an option is set to before a client sets it; "" if it is not there."""
        option = self._options.get(key)
        return self._forced.get(key) or (option and option[0].default) or ""

    def rules(self, chosen: Mapping[str, str | None]) -> tuple[bool, str]:
        """Return whether positions are of Chess960, and of which variant, by a client's choice."""
        chess960 = chosen.get(CHESS960) or self.value(CHESS960)
        return chess960 == "true", chosen.get(VARIANT) or self.value(VARIANT) or STANDARD

    def departures(self, chosen: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
        """Return the options that are not as the engine has them by itself, sorted by their key.

        A client has chosen some, and the operator has set others.
        """
        values = {key: value for key, value in chosen.items() if key in self._options}
        values |= {key: value for key, value in self._forced.items() if value}
        return tuple(
            sorted(
                (key, value)
                for key, value in values.items()
                if value and value != self._options[key][0].default
            )
        )

    def resized(self, size: Size, key: str, value: str | None) -> Size:
        """Return what an engine takes of the machine when a client has set one of its options."""
        return replace(size, **{QUOTAS[key]: self._number(key, value)})

    def fit(self, wanted: Size, granted: Size) -> list[tuple[SetOption, int]]:
        """Return what to set, and what was wanted of it, for an engine to have what it may.

        What the operator sets is over every bound, and no engine has less than its least.
        """
        return [
            (SetOption(option.name, str(most)), number)
            for key in SIZES
            if (option := self._choices[key].option if key in self._choices else None)
            and (most := max(getattr(granted, QUOTAS[key]), option.min or 0))
            < (number := getattr(wanted, QUOTAS[key]))
        ]

    def _number(self, key: str, chosen: str | None) -> int:
        """Return what an option of the machine's is set to, if a client has chosen so."""
        if key in self._choices:
            chosen = chosen or self._choices[key].option.default
        else:
            chosen = self.value(key)
        return to_number(chosen or "") or SIZES[key]

    def review(self, command: SetOption) -> PolicyVerdict:
        """Return the verdict on a `setoption`."""
        key = key_of(command.name)
        choice = self._choices.get(key)
        if choice is None:
            return self._refuse(key, command.name)
        try:
            value, less = choice.read_value(command.value or "")
        except UciError as error:
            return refusal(Code.BAD_VALUE, str(error))
        notice = Notice(Code.OPTION_CLAMPED, less) if less else None
        return PolicyVerdict(SetOption(choice.option.name, value), notice)

    def description(self, key: str) -> str:
        """Return in words what clients may set an option to."""
        if (choice := self._choices.get(key)) is None:
            return "one of the options that the engine has for this account"
        option = choice.option
        if option.type == "spin":
            return f"a whole number from {option.min} to {option.max}"
        words = {"check": "true or false", "button": "no value", "string": "a text"}
        return words.get(option.type) or f"one of {', '.join(option.var)}"

    def review_command(self, command: uci.Command) -> PolicyVerdict:
        """Return the verdict on a command that is neither `setoption` nor `position`."""
        word = _extra(command)
        if word is not None and word not in self.policy.commands:
            return refusal(Code.COMMAND_REFUSED, f"{word!r} is not offered for this engine")
        if not isinstance(command, uci.Extra):
            return PolicyVerdict(command)
        words = command.text.split()
        if not self.policy.files and _uses_files(command.word, words):
            return refusal(Code.FILE_REFUSED, "files of the server are not for clients")
        if command.word == "bench":
            bounds = self.ceiling.hash_mb, self.ceiling.threads  # of its first two words
            for most, text in zip(bounds, words, strict=False):
                number = to_number(text)
                if number is None or number > most:
                    sentence = f"bench has {most} here at most, not {text[:20]!r}"
                    return refusal(Code.COMMAND_REFUSED, sentence)
        return PolicyVerdict(command)

    def _refuse(self, key: str, name: str) -> PolicyVerdict:
        if key in self._forced:
            return refusal(Code.OPTION_REFUSED, f"{self._name(key)} is set by the operator")
        if key in self._options:
            return refusal(Code.OPTION_REFUSED, f"{self._name(key)} is not for clients")
        hint = _near(key, (choice.option for choice in self._choices.values()))
        return refusal(Code.UNKNOWN_OPTION, f"there is no option {name[:_SHOWN]!r}{hint}")

    def _name(self, key: str) -> str:
        return self._options[key][0].name

    # --- the operator's policy

    def _check_names(self) -> None:
        """Refuse what the engine does not have; a misspelt name would hide nothing."""
        policy = self.policy
        for where, names in (
            ("strings", policy.strings),
            ("hidden", policy.hidden),
            ("options", [forced.option for forced in policy.options]),
            ("aliases", [alias.option for alias in policy.aliases]),
        ):
            for name in names:
                if key_of(name) not in self._options:
                    hint = _near(key_of(name), (option for option, _ in self._options.values()))
                    raise ConfigError(f"{where}: the engine has no option {name!r}{hint}")
        for alias in policy.aliases:
            if self._options[key_of(alias.option)][0].type != "string":
                raise ConfigError(f"aliases: {alias.option} is no option of text")

    def _read_forced(self, name: str, text: str) -> str:
        option, _ = self._options[key_of(name)]
        if option.type == "button":
            raise ConfigError(f"options: {option.name} is a button, which has no value")
        try:
            return option.read_value(text) or ""
        except UciError as error:
            raise ConfigError(f"options: {error}") from error

    def _choose(self, key: str, option: Option, line: str) -> Choice | None:
        """Return an option as clients have it; None if they do not."""
        policy = self.policy
        if key in self._forced or key in map(key_of, policy.hidden):
            return None
        if key == VARIANT:
            return _choose_variant(option)
        if option.type == "string":
            return self._choose_string(key, option, line)
        return self._clamp(key, option, line)

    def _clamp(self, key: str, option: Option, line: str) -> Choice:
        """Return an option, with the account's maximum if the engine's is above it."""
        if option.type != "spin" or key not in QUOTAS:
            return Choice(option, line)
        most: int = max(getattr(self.ceiling, QUOTAS[key]), option.min or 0)
        if option.max is not None and option.max <= most:
            return Choice(option, line)
        default = to_number(option.default or "")
        usual = option.default if default is None or default <= most else str(most)
        clamped = option._replace(default=usual, max=most)
        return Choice(clamped, str(clamped), clamped=True)

    def _choose_string(self, key: str, option: Option, line: str) -> Choice | None:
        policy = self.policy
        aliases = [alias for alias in policy.aliases if key_of(alias.option) == key]
        if aliases:
            # To clear a path is to go back to what the engine has without one.
            none = _DEFAULT if option.default else _EMPTY
            paths = {none: option.default or (_EMPTY if _EMPTY in line else "")}
            paths |= {alias.name: alias.path for alias in aliases}
            combo = Option(option.name, "combo", none, var=tuple(paths))
            return Choice(combo, str(combo), paths=paths)
        allowed = key in map(key_of, (*HARMLESS, *policy.strings))
        return Choice(option, line) if policy.files or allowed else None


def _choose_variant(option: Option) -> Choice | None:
    """Return the choice of those variants whose rules are known."""
    if option.type != "combo":
        return None
    known = option._replace(var=tuple(each for each in option.var if each in VARIANTS))
    return Choice(known, str(known))


def _near(key: str, options: Iterable[Option]) -> str:
    """Return a hint at the name that may have been meant, if it is one of the first."""
    known = {key_of(option.name): option.name for option in islice(options, _COMPARED)}
    near = difflib.get_close_matches(key[:_SHOWN], known, n=1)
    return f"; did you mean {known[near[0]]!r}?" if near else ""


def _extra(command: uci.Command) -> str | None:
    """Return the name of what is no part of UCI; None for all else."""
    if isinstance(command, uci.Extra):
        return command.word
    if isinstance(command, uci.Go) and command.limits.perft is not None:
        return "perft"
    return None


def _uses_files(word: str, words: list[str]) -> bool:
    if word == "bench":
        return any(each not in _NO_FILES for each in words[3:4])
    return word == "export_net"
