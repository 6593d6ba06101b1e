"""The stream of a search for its requester, with plain lines; the exchange of work."""

import asyncio
import json
import stat
from pathlib import Path

import chess
import pytest
from helpers.lichess_fake import work

from rookery_protocol.errors import ServerError
from rookery_protocol.lichess_api import LichessApiError, LichessRegistration, LichessWork
from rookery_server.access.account import Account
from rookery_server.lichess_broker import own_engines
from rookery_server.lichess_broker import work_exchange as exchange_module
from rookery_server.lichess_broker.analysis_stream import AnalysisStream, prepare_work
from rookery_server.lichess_broker.registrations import MAX_ENGINES, EngineRegistry
from rookery_server.lichess_broker.work_exchange import AnalysisChannel, WorkExchange

ALICE, BOB = Account("alice", token="1"), Account("bob", token="2")
OFFER = LichessRegistration("Engine", 4, 256, "a" * 16)


BLACKS_TURN = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"
TWO_MOVES = "k7/8/2K5/8/8/8/8/8 b - - 0 1"


def evaluation(multi_pv: int = 1, fen: str = chess.STARTING_FEN) -> AnalysisStream:
    return AnalysisStream(
        LichessWork.parse(work(multiPv=multi_pv)), chess.Board(fen, chess960=True)
    )


def heard(found: AnalysisStream, *lines: str) -> list[object]:
    """Return the objects that go out."""
    pieces = (found.read_upload(line.encode()) for line in lines)
    return [json.loads(piece) for piece in pieces if piece]


def test_line_becomes_an_object() -> None:
    line = "info depth 9 seldepth 12 time 40 nodes 1000 score cp 25 pv e2e4 e7e5"
    best = {"moves": ["e2e4", "e7e5"], "cp": 25, "depth": 9}
    shown = {"time": 40, "depth": 9, "nodes": 1000, "pvs": [best]}
    assert heard(evaluation(), line, "bestmove e2e4 ponder e7e5") == [
        shown,
        {**shown, "bestmove": "e2e4", "ponder": "e7e5"},
    ]


def test_scores_are_whites() -> None:
    shown = heard(
        evaluation(fen=BLACKS_TURN),
        "info depth 1 score cp 25 pv e7e5",
        "info depth 2 score mate -3 pv e7e5",
    )
    assert [each["pvs"][0].get("cp") for each in shown] == [-25, None]  # type: ignore[index]
    assert shown[1]["pvs"][0]["mate"] == 3  # type: ignore[index]


@pytest.mark.parametrize("number", [-9, -1, 0, 4])
def test_line_of_no_slot_is_left_out(number: int) -> None:
    assert heard(evaluation(3), f"info depth 1 multipv {number} score cp 1 pv e2e4") == []


def test_object_goes_out_when_every_slot_is_filled() -> None:
    lines = [f"info depth {d} multipv {n} score cp {n} pv e2e4" for d in (1, 2) for n in (1, 2, 3)]
    shown = heard(evaluation(3), *lines[:5])
    assert [each["depth"] for each in shown] == [1]  # type: ignore[index]
    shown = heard(evaluation(3), *lines)
    assert [len(each["pvs"]) for each in shown] == [3, 3]  # type: ignore[index]
    assert len(heard(evaluation(3, TWO_MOVES), *lines[:3])) == 1


def test_bounds_of_the_first_line_are_ignored() -> None:
    bound = "info depth 5 multipv {} score cp 9 lowerbound pv e2e4"
    assert heard(evaluation(), bound.format(1)) == []
    exact = "info depth 5 multipv 1 score cp 9 pv e2e4"
    assert len(heard(evaluation(2), exact, bound.format(2))) == 1


def test_long_lines_are_cut_and_ends_are_told() -> None:
    long = "info depth 5 score cp 9 pv " + " ".join(["g1f3", "g8f6", "f3g1", "f6g8"] * 10)
    assert len(heard(evaluation(), long)[0]["pvs"][0]["moves"]) == 30  # type: ignore[index]
    assert heard(evaluation(), "bestmove (none)")[0]["bestmove"] == "(none)"  # type: ignore[index]
    assert heard(evaluation(), "bestmove 0000")[0]["bestmove"] == "(none)"  # type: ignore[index]


@pytest.mark.parametrize(
    "line",
    [
        "info depth 1 score cp 1 wdl 1 2 3 pv e2e4",
        "info depth x score cp 1",
        "bestmove e2e5",
    ],
)
def test_what_no_provider_may_say_is_refused(line: str) -> None:
    with pytest.raises(LichessApiError):
        evaluation().read_upload(line.encode())


@pytest.mark.parametrize("line", ["readyok", "bestmove", "{}", "Stockfish 17 by the developers"])
def test_what_says_nothing_is_passed_over_as_lichess_does(line: str) -> None:
    assert evaluation().read_upload(line.encode()) is None


def test_nothing_comes_after_bestmove() -> None:
    found = evaluation()
    found.read_upload(b"bestmove e2e4")
    found.read_upload(b"")
    with pytest.raises(LichessApiError, match="nothing comes after bestmove"):
        found.read_upload(b"info depth 1")


def test_signs_of_life_and_strings_are_taken() -> None:
    lines = ('{"keepalive":true}', "", "info string any words at all", "info currline 1 e2e4 e7e5")
    assert heard(evaluation(), *lines) == []


def test_castling_becomes_the_king_taking_its_rook() -> None:
    fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"
    for told in (["e1g1", "e8c8"], ["e1h1", "e8a8"]):
        given, _ = prepare_work(LichessWork.parse(work(initialFen=fen, moves=told)))
        assert given.moves == ("e1h1", "e8a8")


@pytest.mark.parametrize(
    ("fields", "text"),
    [
        ({"moves": ["e2e5"]}, "move 1 cannot be played: illegal uci"),
        ({"moves": ["e2e4", "x"]}, "move 2 cannot be played"),
        ({"initialFen": "8/8/8/8/8/8/8/8 w - - 0 1", "moves": []}, "white needs one king, not 0"),
        ({"initialFen": "what", "moves": []}, "initialFen is no position"),
    ],
)
def test_position_that_is_none_is_refused(fields: dict[str, object], text: str) -> None:
    with pytest.raises(LichessApiError, match=text):
        prepare_work(LichessWork.parse(work(**fields)))


@pytest.mark.parametrize(
    "variant", ["antichess", "atomic", "horde", "kingofthehill", "racingkings", "3check"]
)
def test_variants_begin_as_they_do(variant: str) -> None:
    import chess.variant

    fen = chess.variant.find_variant(variant).starting_fen
    prepare_work(LichessWork.parse(work(variant=variant, initialFen=fen, moves=[])))


MUST_TAKE = "rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"


@pytest.mark.parametrize(("variant", "may"), [("chess", True), ("antichess", False)])
def test_variants_have_their_own_rules(variant: str, *, may: bool) -> None:
    asked = LichessWork.parse(work(variant=variant, initialFen=MUST_TAKE, moves=["g1f3"]))
    if may:
        prepare_work(asked)
        return
    with pytest.raises(LichessApiError, match="g1f3"):
        prepare_work(asked)


# --- the file


async def test_engines_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "below" / "broker.json"
    store = EngineRegistry(path)
    first = await store.add(OFFER, ALICE)
    again = EngineRegistry(path)
    assert again.key == store.key
    assert again.of(ALICE) == [first]
    assert again.of(BOB) == []
    assert again.owned_engine(first.engine.id, BOB) is None
    assert again.for_requester(first.engine.id, first.engine.client_secret) == first
    assert again.for_requester(first.engine.id, "ees_other") is None
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert OFFER.provider_secret not in path.read_text()
    await again.delete(first)
    assert EngineRegistry(path).of(ALICE) == []


async def test_update_keeps_id_and_secret(tmp_path: Path) -> None:
    store = EngineRegistry(tmp_path / "broker.json")
    first = await store.add(OFFER, ALICE)
    other = LichessRegistration("Engine", 8, 256, "b" * 16)
    second = await store.update(first, other, ALICE)
    assert (second.engine.id, second.engine.client_secret) == (
        first.engine.id,
        first.engine.client_secret,
    )
    assert second.engine.max_threads == 8
    assert second.selector != first.selector


async def test_account_has_only_so_many(tmp_path: Path) -> None:
    store = EngineRegistry(tmp_path / "broker.json")
    for _ in range(MAX_ENGINES):
        await store.add(OFFER, ALICE)
    with pytest.raises(LichessApiError, match="delete one"):
        await store.add(OFFER, ALICE)
    await store.add(OFFER, BOB)


@pytest.mark.parametrize("text", ["{", "[]", '{"key": "x", "engines": []}'])
def test_file_that_is_none_is_said(tmp_path: Path, text: str) -> None:
    path = tmp_path / "broker.json"
    path.write_text(text)
    with pytest.raises(ServerError, match=r"cannot use the engines in .*broker\.json"):
        EngineRegistry(path)


def test_secrets_of_own_engines_are_signed() -> None:
    key = b"k" * 32
    secret = own_engines.secret_of(ALICE, key)
    assert own_engines.account_of(secret, key) == ALICE
    assert own_engines.account_of(secret, b"x" * 32) is None
    body, _, signature = own_engines.secret_of(BOB, key).partition(".")
    assert own_engines.account_of(f"{secret.partition('.')[0]}.{signature}", key) is None
    assert own_engines.account_of(f"{body}.", key) is None
    assert own_engines.account_of("ees_", key) is None


# --- the exchange


async def test_taken_work_is_claimed_once(tmp_path: Path) -> None:
    exchange, channel = WorkExchange(), AnalysisChannel(evaluation())
    registered = await EngineRegistry(tmp_path / "broker.json").add(OFFER, ALICE)
    taking = asyncio.ensure_future(exchange.wait_for_work(registered.selector))
    await asyncio.sleep(0)
    assert await exchange.offer_work(registered, LichessWork.parse(work()), channel)
    job = await taking
    assert job
    assert exchange.claim(job.id) is channel
    assert exchange.claim(job.id) is None


async def test_work_waits_for_a_provider(tmp_path: Path) -> None:
    exchange = WorkExchange()
    registered = await EngineRegistry(tmp_path / "broker.json").add(OFFER, ALICE)
    asking = asyncio.ensure_future(
        exchange.offer_work(registered, LichessWork.parse(work()), AnalysisChannel(evaluation()))
    )
    await asyncio.sleep(0)
    assert await exchange.wait_for_work("another", patience=0.01) is None
    assert await exchange.wait_for_work(registered.selector)
    assert await asking


async def test_provider_that_goes_leaves_the_work(tmp_path: Path) -> None:
    """Its poll is cut at the moment in which work comes."""
    exchange = WorkExchange()
    registered = await EngineRegistry(tmp_path / "broker.json").add(OFFER, ALICE)
    gone = asyncio.ensure_future(exchange.wait_for_work(registered.selector))
    await asyncio.sleep(0)
    asking = asyncio.ensure_future(
        exchange.offer_work(registered, LichessWork.parse(work()), AnalysisChannel(evaluation()))
    )
    await asyncio.sleep(0)
    gone.cancel()
    await asyncio.wait({gone})
    assert await exchange.wait_for_work(registered.selector, patience=1)
    assert await asking


async def test_requester_that_goes_takes_the_work_along(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(exchange_module, "TAKE_PATIENCE", 0.01)
    exchange = WorkExchange()
    registered = await EngineRegistry(tmp_path / "broker.json").add(OFFER, ALICE)
    assert not await exchange.offer_work(
        registered, LichessWork.parse(work()), AnalysisChannel(evaluation())
    )
    assert await exchange.wait_for_work(registered.selector, patience=0.01) is None


async def test_work_that_is_taken_and_not_done_expires(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(exchange_module, "START_PATIENCE", 0.01)
    exchange, channel = WorkExchange(), AnalysisChannel(evaluation())
    registered = await EngineRegistry(tmp_path / "broker.json").add(OFFER, ALICE)
    taking = asyncio.ensure_future(exchange.wait_for_work(registered.selector))
    await asyncio.sleep(0)
    await exchange.offer_work(registered, LichessWork.parse(work()), channel)
    job = await taking
    assert job
    assert await asyncio.wait_for(channel.next(), 5) is None
    assert exchange.claim(job.id) is None


async def test_slow_requester_hears_the_newest() -> None:
    channel = AnalysisChannel(evaluation())
    for piece in (b"1", b"2"):
        channel.send_object(piece)
    channel.close()
    assert [await channel.next(), await channel.next()] == [b"2", None]
