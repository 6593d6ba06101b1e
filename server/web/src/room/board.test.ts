import type { Move } from "chessops/types";
import { parseUci } from "chessops/util";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { writeGame } from "../game/pgn";
import { Study } from "../game/study";
import { Toasts } from "../toasts";
import { Room, type RoomEvent } from "./room";

/** The server's part of a room, as docs/protocol.md has it. */
class Server {
  version = 0;
  text = '""';
  writer = "owner";
  place = "none";
  readonly pages = new Map<string, Page>();
  readonly writers = new Set(["owner"]);
  control = "owner";
  refused = 0; // lines of pages that may not write
  isCut = false; // Lines of the pages are lost.

  receive(page: Page, line: string): void {
    if (this.isCut) return;
    const [, , word = "", ...words] = line.split(" ");
    const { id } = page;
    if (word === "follow") this.pages.set(id, page);
    if (word === "follow") this.tellMembers();
    if (word === "follow") page.room.receive(this.gameLine);
    if (word === "follow") page.room.receive(`rookery room place ${this.place}`);
    if (word === "place") this.tellAll(page, `place ${words.join(" ")}`);
    if (word === "place") this.place = words.join(" ");
    if (word !== "game") return;
    const text = line.slice(line.indexOf('"'));
    if (!this.writers.has(id) && this.control !== id) {
      this.refused++;
      return;
    }
    if (Number(words[0]) !== this.version) {
      page.room.receive(this.gameLine);
      page.room.receive(`rookery room stale ${this.version}`);
      return;
    }
    [this.version, this.text, this.writer] = [this.version + 1, text, id];
    page.room.receive(`rookery room written ${this.version}`);
  }

  tellMembers(): void {
    for (const page of this.pages.values()) {
      for (const id of this.pages.keys()) {
        const right = this.writers.has(id) ? "writes" : "watches";
        page.room.receive(`rookery room member ${id} ${right} Name of ${id}`);
      }
      page.room.receive(`rookery room members ${this.pages.size}`);
    }
  }

  giveControl(id: string): void {
    this.control = id;
    this.tellAll(null, `control ${id}`);
  }

  get gameLine(): string {
    return `rookery room game ${this.version} ${this.writer} ${this.text}`;
  }

  tellAll(from: Page | null, words: string): void {
    for (const page of this.pages.values()) {
      if (page !== from) page.room.receive(`rookery room ${words}`);
    }
  }

  /** Tell all pages the newest game, as the server does now and then. */
  tellGame(): void {
    for (const page of this.pages.values()) page.room.receive(this.gameLine);
  }
}

class Page {
  readonly toasts = new Toasts();
  readonly study: Study = new Study({
    toasts: this.toasts,
    onMove: () => {},
    onRearrange: () => {},
    hash: () => null,
  });
  readonly room: Room;

  constructor(
    readonly id: string,
    server: Server,
  ) {
    const onEvent = (event: RoomEvent) => {
      if (event.type === "send") server.receive(this, event.line);
    };
    this.room = new Room(this.study, this.toasts, onEvent);
  }

  connect(): void {
    if (this.id === "owner") this.room.receive("rookery room open aUbM");
    else {
      this.room.reset("aUbM");
      this.room.receive(`rookery room watch ${this.id}`);
      this.room.receive("rookery room control owner");
    }
  }

  play(...moves: string[]): void {
    for (const each of moves) this.study.play(parseUci(each) as Move);
  }

  get moves(): string {
    return this.study.node
      .peek()
      .path()
      .slice(1)
      .map(({ san }) => san)
      .join(" ");
  }

  get game(): string {
    const lines = writeGame(this.study.tree.peek()).replace(/^\[.*\n/gm, "");
    return lines.replace(/\s+/g, " ").trim();
  }

  get told(): string {
    return JSON.stringify(this.toasts);
  }
}

let server: Server;
let owner: Page;
let viewer: Page;
const settle = () => {
  for (let at = 0; at < 5; at++) {
    vi.advanceTimersByTime(100);
    server.tellGame();
  }
};

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("history", { replaceState: () => {} });
  vi.stubGlobal("location", { hash: "", origin: "", pathname: "" });
  server = new Server();
  owner = new Page("owner", server);
  viewer = new Page("1", server);
  owner.play("e2e4", "e7e5");
  owner.connect();
  settle();
  viewer.connect();
  settle();
});

afterEach(() => {
  vi.clearAllTimers();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("a viewer has the game with all that is in it, and follows the place", () => {
  expect(viewer.game).toBe("1. e4 e5 *");
  expect(viewer.moves).toBe("e4 e5");
  owner.study.annotate(owner.study.node.peek(), "solid", 1);
  owner.study.setHeaders(new Map([["White", "Ann"]]));
  owner.study.goBack();
  owner.play("c7c5");
  settle();
  expect(viewer.game).toBe("1. e4 e5 $1 { solid } ( 1... c5 ) *");
  expect(viewer.study.tree.peek().headers.get("White")).toBe("Ann");
  expect(viewer.moves).toBe("e4 c5");
});

test("a viewer that steps elsewhere stays there until it goes back to live", () => {
  viewer.study.goToStart();
  expect(viewer.room.board.isLive.value).toBe(false);
  owner.play("g1f3");
  settle();
  expect(viewer.moves).toBe("");
  expect(viewer.game).toBe("1. e4 e5 2. Nf3 *");
  viewer.room.board.backToLive();
  expect(viewer.moves).toBe("e4 e5 Nf3");
  owner.study.goBack();
  settle();
  expect(viewer.moves).toBe("e4 e5");
});

test("tries of a viewer are marked and sent to nobody, even when it may write", () => {
  viewer.play("f2f4");
  const tried = viewer.study.node.peek();
  owner.play("g1f3");
  settle();
  expect(viewer.game).toBe("1. e4 e5 2. Nf3 ( 2. f4 ) *");
  expect([...viewer.room.board.tries.value]).toEqual([tried.id]);
  server.writers.add("1");
  server.tellMembers();
  settle();
  expect(owner.game).toBe("1. e4 e5 2. Nf3 *");
  viewer.play("e5f4"); // It goes on from there: now it is sent.
  settle();
  expect(owner.game).toContain("( 2. f4 exf4 )");
  expect(viewer.room.board.tries.value.size).toBe(0);
});

test("the viewer with control writes for as long as it has that", async () => {
  viewer.play("f2f4");
  server.giveControl("1");
  settle();
  expect(owner.moves).toBe("e4 e5 f4");
  viewer.study.goTo(viewer.study.tree.peek().mainline()[1] as never);
  viewer.play("c7c5");
  settle();
  expect(owner.moves).toBe("e4 c5");
  expect(owner.game).toBe("1. e4 e5 ( 1... c5 ) 2. f4 *");
  await viewer.study.openText("1. d4 d5 *");
  settle();
  expect(owner.told).toContain("Another game is shown");
  server.giveControl("owner");
  viewer.study.goToEnd();
  viewer.play("c2c4");
  settle();
  owner.study.undo();
  settle();
  expect(viewer.game).toBe("1. e4 e5 ( 1... c5 ) 2. f4 *");
});

test("what is refused because the right is lost is sent when there is one again", () => {
  server.writers.add("1");
  server.tellMembers();
  server.writers.delete("1");
  viewer.play("g1f3");
  settle();
  server.tellMembers();
  expect(server.refused).toBe(1);
  server.writers.add("1");
  server.tellMembers();
  viewer.play("b8c6");
  settle();
  expect(owner.game).toBe("1. e4 e5 2. Nf3 Nc6 *");
  expect(server.refused).toBe(1);
});

test("of two who write at once neither loses anything", () => {
  server.writers.add("1");
  server.tellMembers();
  const squares = ["a2a3", "b2b3", "c2c3", "d2d3", "f2f3", "g2g3", "h2h3", "a2a4", "b2b4", "c2c4"];
  const replies = ["a7a6", "b7b6", "c7c6", "d7d6", "f7f6"];
  for (let at = 0; at < 30; at++) {
    const [move = "", reply = ""] = [squares[at % 10], replies[Math.floor(at / 10)]];
    owner.study.goTo(owner.study.tree.peek().mainline()[2] as never);
    viewer.study.goTo(viewer.study.tree.peek().mainline()[2] as never);
    owner.play(move, reply);
    viewer.play(move, reply.replace("6", "5"));
    owner.study.annotate(owner.study.node.peek(), `owner ${at}`, null);
    viewer.study.annotate(viewer.study.node.peek(), `viewer ${at}`, null);
    vi.advanceTimersByTime(at % 3 === 0 ? 100 : 30);
    if (at % 7 === 0) server.tellGame();
  }
  settle();
  const said = (game: string) => game.match(/(owner|viewer) \d+/g)?.sort();
  expect(said(owner.game)).toHaveLength(60);
  expect(said(viewer.game)).toEqual(said(owner.game));
  const parsed = JSON.parse(server.text) as string;
  expect(said(parsed)).toEqual(said(owner.game));
});

test("comments on the same move at once are both kept", () => {
  server.writers.add("1");
  server.tellMembers();
  owner.study.annotate(owner.study.node.peek(), "good", null);
  viewer.study.annotate(viewer.study.node.peek(), "bad", null);
  settle();
  for (const { game } of [owner, viewer]) {
    expect(game).toContain("good");
    expect(game).toContain("bad");
  }
});

test("undo undoes the page's own last change, and not what another has changed", () => {
  server.writers.add("1");
  server.tellMembers();
  owner.study.annotate(owner.study.node.peek(), "mine", null);
  settle();
  viewer.play("g1f3");
  settle();
  owner.study.undo();
  settle();
  expect(viewer.game).toBe("1. e4 e5 2. Nf3 *");
  owner.play("g1f3", "b8c6");
  settle();
  viewer.study.goToEnd();
  viewer.play("f1b5");
  settle();
  owner.study.undo();
  settle();
  expect(owner.told).toContain("cannot be undone");
  expect(owner.game).toBe("1. e4 e5 2. Nf3 Nc6 3. Bb5 *");
});

test("what was written while the connection was lost arrives later", () => {
  server.isCut = true;
  owner.play("g1f3");
  owner.study.annotate(owner.study.node.peek(), "late", null);
  settle();
  server.isCut = false;
  owner.connect();
  settle();
  expect(viewer.game).toBe("1. e4 e5 2. Nf3 { late } *");
});

test("another game replaces the one of the room, and undo brings it back for all", async () => {
  await owner.study.openText("1. d4 d5 *");
  settle();
  expect(viewer.game).toBe("1. d4 d5 *");
  expect(viewer.room.board.isLive.value).toBe(true);
  owner.study.undo();
  settle();
  expect(viewer.game).toBe("1. e4 e5 *");
});

test("a game that cannot be read or that is too long changes nothing", () => {
  for (const text of ['""', '"[Variant \\"Atomic\\"]\\n\\n1. e4 *"', `"${"(".repeat(20_000)}"`]) {
    server.version++;
    viewer.room.receive(`rookery room game ${server.version} owner ${text}`);
  }
  expect(viewer.game).toBe("1. e4 e5 *");
  owner.study.annotate(owner.study.node.peek(), "x".repeat(70_000), null);
  settle();
  expect(owner.told).toContain("too long");
});

test("a viewer that leaves can keep a copy without its tries", () => {
  viewer.play("f2f4");
  const copy = viewer.room.board.copy();
  expect(copy && writeGame(copy)).not.toContain("f4");
  expect(copy && writeGame(copy)).not.toContain("RoomGame");
  viewer.room.board.end();
  expect(viewer.room.board.isShared.value).toBe(false);
});
