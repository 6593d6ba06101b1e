"""The clients of a room that follow its game: their names, and which of them may write.  No I/O.

A follower that loses its connection comes back with its ticket, and has its name and its right
again.
"""

import secrets
import unicodedata
from collections import OrderedDict
from dataclasses import dataclass, field

from rookery_protocol.hello import OWNER, RoomLine, RoomWord
from rookery_uci import UciError

MAX_NAME = 40  # characters
LISTED = 50  # members that one that watches is told of; the owner is told of all
_REMEMBERED = 200  # that have left
_TICKET_BYTES = 18


@dataclass(slots=True)
class Member:
    """A follower; `name` is as it is shown, empty for one without a name."""

    account: str
    name: str = ""
    may_write: bool = False
    ticket: str = field(default_factory=lambda: secrets.token_urlsafe(_TICKET_BYTES), repr=False)


class Members:
    """The followers of a room, by their ids in it; `changes` counts what has become of them."""

    def __init__(self, owner: Member) -> None:
        owner.may_write = True
        self._members = {OWNER: owner}
        self._left: OrderedDict[str, Member] = OrderedDict()  # by their tickets
        self.changes = 0

    def __getitem__(self, id_: str) -> Member:
        return self._members[id_]

    def __contains__(self, id_: str) -> bool:
        return id_ in self._members

    def join(self, id_: str, newcomer: Member, ticket: str = "") -> None:
        """Add a member; with the ticket of one of the same account it takes that one's place."""
        former = self._find(ticket, newcomer.account)
        member = former or newcomer
        member.name = self._unique(member.name)
        self._members[id_] = member
        self.changes += 1

    def remove(self, id_: str) -> None:
        """Remove a member; it may come back."""
        if id_ == OWNER or id_ not in self._members:
            return
        member = self._members.pop(id_)
        self._left[member.ticket] = member
        if len(self._left) > _REMEMBERED:
            self._left.popitem(last=False)
        self.changes += 1

    def expel(self, id_: str) -> None:
        """Remove a member that is not to come back as what it was."""
        if id_ != OWNER and id_ in self._members:
            del self._members[id_]
            self.changes += 1

    def rename(self, id_: str, text: str) -> None:
        """Give a member a name; none if the text is empty.

        Raises:
            UciError: it cannot be a name.

        """
        member = self._members[id_]
        name = clean_name(text)
        member.name = ""
        member.name = self._unique(name)
        self.changes += 1

    def allow(self, id_: str, may_write: bool) -> None:
        """Let a member write, or not."""
        if self._members[id_].may_write != may_write:
            self._members[id_].may_write = may_write
            self.changes += 1

    def lines(self, hearer: str) -> bytes:
        """Return the lines that list the members for one of them."""
        shown = list(self._members)
        if hearer != OWNER and len(shown) > LISTED:
            # The owner, the hearer and those that may write come first.
            first = [id_ for id_ in shown if id_ == hearer or self._members[id_].may_write]
            shown = [*first, *(id_ for id_ in shown if id_ not in first)][:LISTED]
        lines = [
            RoomLine(RoomWord.MEMBER, f"{id_} {_right(member)} {member.name}".rstrip())
            for id_, member in self._members.items()
            if id_ in shown
        ]
        count = RoomLine(RoomWord.MEMBERS, str(len(self._members)))
        return b"".join(map(bytes, (*lines, count)))

    def _find(self, ticket: str, account: str) -> Member | None:
        """Return the member that has a ticket, which leaves if it is still there."""
        for id_, each in self._members.items():
            if id_ != OWNER and secrets.compare_digest(each.ticket.encode(), ticket.encode()):
                if each.account != account:
                    return None
                # Its connection may be lost without a word; if it is not, it begins anew.
                self._members[id_] = Member(account)
                return each
        former = self._left.get(ticket)
        return self._left.pop(ticket) if former and former.account == account else None

    def _unique(self, name: str) -> str:
        """Return a name with a number behind it if another member has it."""
        taken = {each.name.casefold() for each in self._members.values() if each.name}
        numbered, number = name, 1
        while numbered.casefold() in taken:
            number += 1
            numbered = f"{name} ({number})"
        return numbered


def clean_name(text: str) -> str:
    """Return a name as it may be shown.

    Raises:
        UciError: it is too long, or has characters that are not for the eye.

    """
    name = " ".join(unicodedata.normalize("NFC", text).split())
    if len(name) > MAX_NAME:
        raise UciError(f"a name has at most {MAX_NAME} characters, and this has {len(name)}")
    for each in name:
        # Control characters, formats as the change of direction, and characters of no standard.
        if unicodedata.category(each).startswith("C"):
            raise UciError(f"a name has no character U+{ord(each):04X}")
    return name


def _right(member: Member) -> str:
    return "writes" if member.may_write else "watches"
