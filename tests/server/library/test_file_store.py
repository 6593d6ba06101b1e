"""The files of accounts' libraries: the same rules for SQLite and PostgreSQL."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from rookery_protocol.errors import RefusedError
from rookery_server.library.file_store import FileStore, Room, VersionError

ROOM = Room(files=2, stored=1000)
FILE = ("ann", "f")


def test_versions_room_and_removed_files(url: str) -> None:
    store = FileStore(url)
    first = store.write(FILE, "a.pgn", b"1. e4 *", expected=None, now=10, room=ROOM)
    assert (first.version, first.removed) == (1, None)
    with pytest.raises(VersionError) as refused:
        store.write(FILE, "a.pgn", b"1. d4 *", expected=None, now=11, room=ROOM)
    assert refused.value.version == 1
    assert store.write(FILE, "b.pgn", b"1. c4 *", expected=1, now=12, room=ROOM).version == 2
    assert store.read_file("bob", "f") is None
    assert not store.remove("bob", "f", expected=2, now=13)
    assert store.remove(*FILE, expected=2, now=13)
    [removed] = store.files_of("ann")
    assert (removed.path, removed.version, removed.removed) == ("b.pgn", 3, 13)
    store.write(("ann", "g"), "g.pgn", b"", expected=None, now=14, room=ROOM)
    with pytest.raises(RefusedError):
        store.write(("ann", "h"), "h.pgn", b"", expected=None, now=14, room=ROOM)
    assert store.write(FILE, "b.pgn", b"1. f4 *", expected=3, now=15, room=ROOM).removed is None
    assert store.remove("ann", "g", expected=1, now=16)
    assert store.clean(before=17) == 1
    assert [each.id for each in store.files_of("ann")] == ["f"]
    found = store.read_file(*FILE)
    assert found
    assert found[1] == b"1. f4 *"
    store.close()


def test_one_of_two_that_write_at_once_is_refused(url: str) -> None:
    def write(content: bytes) -> bool:
        store = FileStore(url)
        try:
            store.write(FILE, "a.pgn", content, expected=None, now=10, room=ROOM)
        except VersionError:
            return False
        finally:
            store.close()
        return True

    with ThreadPoolExecutor() as pool:
        assert sorted(pool.map(write, [b"a", b"b", b"c"])) == [False, False, True]
