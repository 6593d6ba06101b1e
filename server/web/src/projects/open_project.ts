/**
 * The project beside the board, as it is now.
 *
 * While its panel is shown and the page is in sight, the server is asked for the next change of the
 * project, one request after the other; then the position on the board is read again, and what else
 * is shown.  A move on the board is looked up at once.
 */

import { batch, computed, effect, type ReadonlySignal, signal, untracked } from "@preact/signals";
import type { Study } from "../game/study";
import { type GameNode, normalLine } from "../game/tree";
import { isGone, problemIn } from "../service";
import type { Toasts } from "../toasts";
import type { Problem } from "../uci/notice";
import type { ProjectClient } from "./client";
import { mayPass } from "./list";
import { gameOf, placeOf, rootIn, rootOnWay } from "./place";
import type { Project, ProjectChange } from "./project";
import { choicesInGame, deepening, type SteeringChoice } from "./steering";
import type {
  Place,
  RootChange,
  Steering,
  SteeringAction,
  TreeChange,
  TreeMap,
  TreePosition,
} from "./tree";
import { type Glimpse, glimpseOf, loadVisit, lookedAt, saveVisit, type Visit } from "./visit";

interface OpenProjectContext {
  readonly client: Pick<ProjectClient, keyof ProjectClient>;
  readonly study: Pick<Study, "tree" | "node" | "load" | "showNode">;
  readonly toasts: Pick<Toasts, "addProblem">;
  /** The id of the project that is shown; null is none. */
  readonly id: ReadonlySignal<string | null>;
  readonly token: ReadonlySignal<string | null>;
  /** Whether the server answers this user. */
  readonly isAdmitted: ReadonlySignal<boolean>;
  /** Whether another game may be put on the board. */
  readonly mayChange: ReadonlySignal<boolean>;
}

/** The position on the board as the tree has it. */
export interface Look {
  readonly place: Place;
  readonly position: TreePosition;
}

/** What the user has done, and what takes it back; null if nothing does. */
export interface Steered {
  readonly steering: Steering;
  readonly undo: { readonly place: Place; readonly steering: Steering } | null;
}

const INVERSE: Readonly<Record<SteeringAction, SteeringAction | null>> = {
  exclude: "include",
  include: "exclude",
  pin: "unpin",
  unpin: "pin",
  add: "exclude",
  deepen: null,
};
const PACE = 1000; // ms from one change to the question for the next
const RETRY = 5000; // ms after an error
const MOVE_DELAY = 80; // ms: who walks through a game asks nothing
const SLOW_PACE = 5000; // ms between two maps, or two lists of changes, of a growing tree
const MAP_NODES = 400;
const MOST_CHANGES = 7; // the root may be one of them
const MOST_KEPT = 200; // positions
const ROOT: Place = { moves: [] };
const NULL_MOVE = "--"; // in SAN

export class OpenProject {
  /** Null before the first answer. */
  readonly project = signal<Project | null>(null);
  /** Null while the position on the board is not known. */
  readonly look = signal<Look | null>(null);
  readonly map = signal<TreeMap | null>(null);
  readonly isMapShown = signal(true);
  /** The root as it was at the last visit; null at the first one. */
  readonly since = signal<Glimpse | null>(null);
  /** The root as it is now. */
  readonly now = signal<Glimpse | null>(null);
  /** The changes of the best move at the root since then, the newest first. */
  readonly history = signal<readonly RootChange[]>([]);
  /** The positions whose best move has changed since the last visit, the largest subtrees first. */
  readonly changes = signal<readonly TreeChange[]>([]);
  /** The reason why what is shown is not the newest. */
  readonly problem = signal<Problem | null>(null);
  /** What the user has done last at the position on the board; null is nothing. */
  readonly steered = signal<Steered | null>(null);
  /** Whether a command is under way. */
  readonly isBusy = signal(false);

  private readonly isMounted = signal(false);
  private readonly isHidden = signal(false);
  private readonly isWatched = computed(() => this.isMounted.value && !this.isHidden.value);
  /** The node of the root, in a game of its own. */
  private readonly root = computed(() => {
    const start = this.start.value;
    return start ? gameOf(start).root : null;
  });
  /** The side to move at the root. */
  readonly rootTurn = computed(() => this.root.value?.turn ?? null);
  /** The project as it was first seen: what follows from its root is computed once. */
  private readonly start = signal<Project | null>(null);
  private readonly kept = new Map<string, TreePosition>();
  private asked: AbortController | null = null; // for the position on the board
  private visit: Visit | null = null;
  private isFirstVisit = false; // all of a tree would be new
  private mapAt = Number.NEGATIVE_INFINITY;
  private changesAt = Number.NEGATIVE_INFINITY;
  private comesToRoot = false;

  constructor(private readonly context: OpenProjectContext) {
    let last: string | null = null;
    effect(() => {
      const id = context.id.value;
      if (id !== last) untracked(() => this.reset());
      last = id;
      void context.token.value; // Another account may see it.
      if (id === null || !this.isWatched.value || !context.isAdmitted.value) return undefined;
      const ends = new AbortController();
      untracked(() => void this.follow(id, ends.signal));
      return () => ends.abort();
    });
    effect(() => {
      const node = context.study.node.value;
      // When the root becomes known, `follow` looks the position up.
      if (!this.isWatched.value || !this.root.peek()) return undefined;
      untracked(() => this.showKnown(node));
      const timer = setTimeout(() => void this.lookUp(), MOVE_DELAY);
      return () => clearTimeout(timer);
    });
  }

  // --- the life of the panel

  show(): void {
    this.isMounted.value = true;
  }

  hide(): void {
    this.isMounted.value = false;
  }

  /** React to the page having been hidden, or having come back. */
  setHidden(isHidden: boolean): void {
    this.isHidden.value = isHidden;
  }

  /** Put the root on the board when it is known. */
  goToRootOnce(): void {
    this.comesToRoot = true;
    if (this.root.peek()) this.comeToRoot();
  }

  /** Show the map, or fold it. */
  toggleMap(): void {
    this.isMapShown.value = !this.isMapShown.peek();
    if (this.isMapShown.peek()) {
      this.readMap().catch((error) => (this.problem.value = problemIn(error)));
    }
  }

  private reset(): void {
    batch(() => {
      this.project.value = this.start.value = this.look.value = this.map.value = null;
      this.since.value = this.now.value = this.problem.value = null;
      this.changes.value = this.history.value = [];
    });
    this.asked?.abort();
    this.kept.clear();
    this.visit = null;
    this.isFirstVisit = false;
    this.mapAt = this.changesAt = Number.NEGATIVE_INFINITY;
  }

  private async follow(id: string, ended: AbortSignal): Promise<void> {
    const { client } = this.context;
    while (!ended.aborted) {
      try {
        const known = this.project.peek();
        const found = known
          ? await client.change(id, known.version, ended)
          : await client.project(id);
        if (ended.aborted) return;
        const isNews = found.version !== known?.version;
        this.take(found);
        if (isNews) await this.readAll(ended);
        if (ended.aborted) return;
        this.problem.value = null;
        await pause(PACE, ended);
      } catch (error) {
        if (ended.aborted) return;
        const problem = problemIn(error);
        this.problem.value = problem;
        if (isGone(error) || !mayPass(problem)) return;
        await pause(RETRY, ended);
      }
    }
  }

  private take(project: Project): void {
    batch(() => {
      this.project.value = project;
      this.start.value ??= project;
    });
    if (this.comesToRoot) this.comeToRoot();
  }

  private async readAll(ended: AbortSignal): Promise<void> {
    await this.lookUp();
    if (ended.aborted) return;
    const isSettled = this.project.peek()?.stage !== "active";
    const now = performance.now();
    if (isSettled || now - this.changesAt > SLOW_PACE) await this.readChanges(ended);
    if (ended.aborted || !this.isMapShown.peek()) return;
    if (isSettled || now - this.mapAt > SLOW_PACE) await this.readMap();
  }

  // --- the position on the board

  /** Show what is known of a position, until the server has said more. */
  private showKnown(node: GameNode): void {
    const root = this.root.peek();
    if (!root) return;
    const place = placeOf(root, node);
    const position = this.kept.get(keyOf(place));
    batch(() => {
      this.look.value = position ? { place, position } : null;
      this.steered.value = null;
    });
  }

  private async lookUp(): Promise<void> {
    const [project, root] = [this.project.peek(), this.root.peek()];
    if (!project || !root) return;
    this.asked?.abort();
    const ends = new AbortController();
    this.asked = ends;
    const place = placeOf(root, this.context.study.node.peek());
    try {
      const position = await this.context.client.position(project.id, place, ends.signal);
      if (!ends.signal.aborted) this.showPosition(place, position);
    } catch (error) {
      if (!ends.signal.aborted) this.problem.value = problemIn(error);
    }
  }

  private showPosition(place: Place, position: TreePosition): void {
    const key = keyOf(place);
    this.kept.delete(key);
    const oldest = this.kept.size < MOST_KEPT ? undefined : this.kept.keys().next().value;
    if (oldest !== undefined) this.kept.delete(oldest);
    this.kept.set(key, position);
    const root = this.root.peek();
    const here = root && placeOf(root, this.context.study.node.peek());
    if (here && keyOf(here) === key) this.look.value = { place, position };
  }

  private async readMap(): Promise<void> {
    const project = this.project.peek();
    if (!project) return;
    this.mapAt = performance.now();
    const map = await this.context.client.map(project.id, MAP_NODES);
    if (this.project.peek()?.id === project.id) this.map.value = map;
  }

  // --- what has changed since the last visit

  private async readChanges(ended: AbortSignal): Promise<void> {
    const project = this.project.peek();
    if (!project) return;
    this.changesAt = performance.now();
    const look = this.look.peek();
    const isAtRoot = look && keyOf(look.place) === keyOf(ROOT);
    const root = isAtRoot ? look.position : await this.context.client.position(project.id, ROOT);
    if (ended.aborted) return;
    const now = glimpseOf(root, new Date());
    const known = this.visit ?? loadVisit(project);
    this.isFirstVisit ||= known === null;
    this.visit = lookedAt(known, now);
    saveVisit(project, this.visit);
    this.now.value = now;
    const { since } = this.visit;
    if (this.isFirstVisit || since.size >= now.size) return;
    const { changes } = await this.context.client.changes(project.id, since.size, MOST_CHANGES);
    if (ended.aborted) return;
    batch(() => {
      this.since.value = since;
      this.changes.value = changes;
      this.history.value = (root.history ?? []).filter(({ size }) => size > since.size).reverse();
    });
  }

  /** Compare with what there is now, from now on. */
  markSeen(): void {
    const [project, now] = [this.project.peek(), this.now.peek()];
    if (!project || !now) return;
    this.visit = { since: now, last: now };
    this.isFirstVisit = false;
    saveVisit(project, this.visit);
    batch(() => {
      this.since.value = null;
      this.changes.value = this.history.value = [];
    });
  }

  // --- the board

  /** Put a position of the tree on the board; its moves are from the root, in UCI. */
  goTo(moves: readonly string[]): void {
    const root = this.root.peek();
    const project = this.project.peek();
    if (!root || !project) return;
    const { study, mayChange } = this.context;
    const [tree, node] = [study.tree.peek(), study.node.peek()];
    const line = normalLine(root.fen, moves);
    const start = rootIn(root, tree, node);
    if (start && (mayChange.peek() || isPlayed(start, line))) {
      study.showNode(tree.playAll(start, line));
    } else if (!start && mayChange.peek()) {
      const game = gameOf(project);
      study.load(game.tree, game.tree.playAll(game.root, line));
    }
  }

  private comeToRoot(): void {
    this.comesToRoot = false;
    const { study } = this.context;
    const root = this.root.peek();
    if (root && rootOnWay(root, study.node.peek()) === null) this.goTo([]);
  }

  // --- commands

  /** Return what can be done with a move of the game; nothing if the tree does not come there. */
  async choicesFor(node: GameNode): Promise<readonly SteeringChoice[]> {
    const [project, root] = [this.project.peek(), this.root.peek()];
    const { parent, san } = node;
    if (!project || !root || !parent || san === NULL_MOVE || !this.isWatched.peek()) return [];
    const { client } = this.context;
    try {
      const [before, here] = [placeOf(root, parent), placeOf(root, node)];
      const choices = choicesInGame(before, await client.position(project.id, before), san);
      if (choices) return choices;
      const { kind } = await client.position(project.id, here);
      return kind === "searched" ? [deepening(here)] : [];
    } catch (error) {
      this.problem.value = problemIn(error);
      return [];
    }
  }

  /** Add the way to the position on the board to the tree. */
  async addPosition(): Promise<void> {
    const root = this.root.peek();
    const { parent, san } = this.context.study.node.peek();
    if (root && parent) await this.steer(placeOf(root, parent), { action: "add", move: san });
  }

  /** Take back what was done last. */
  async undo(): Promise<void> {
    const undo = this.steered.peek()?.undo;
    if (undo) await this.steer(undo.place, undo.steering);
  }

  /** Steer the growth at a place, and remember that for the position on the board. */
  async steer(place: Place, steering: Steering): Promise<void> {
    const node = this.context.study.node.peek();
    const isDone = await this.steerAt(place, steering);
    const isThere = this.context.study.node.peek() === node;
    if (isDone && isThere) this.steered.value = steeredAt(place, steering);
  }

  /** Steer the growth at a place; return whether that was done. */
  async steerAt(place: Place, steering: Steering): Promise<boolean> {
    const project = this.project.peek();
    if (!project) return false;
    const position = await this.command(() =>
      this.context.client.steer(project.id, place, steering),
    );
    if (!position) return false;
    this.showPosition(place, position);
    const look = this.look.peek();
    if (!look || keyOf(look.place) !== keyOf(place)) await this.lookUp();
    return true;
  }

  async edit(change: ProjectChange): Promise<void> {
    const project = this.project.peek();
    if (!project) return;
    const changed = await this.command(() => this.context.client.edit(project.id, change));
    if (changed && this.project.peek()?.id === project.id) this.take(changed);
  }

  private async command<T>(run: () => Promise<T>): Promise<T | null> {
    this.isBusy.value = true;
    try {
      return await run();
    } catch (error) {
      this.context.toasts.addProblem(problemIn(error));
      return null;
    } finally {
      this.isBusy.value = false;
    }
  }
}

function steeredAt(place: Place, steering: Steering): Steered {
  const action = INVERSE[steering.action];
  return { steering, undo: action && { place, steering: { ...steering, action } } };
}

function keyOf({ fen = "", moves }: Place): string {
  return [fen, ...moves].join(" ");
}

/** Return whether moves have been played from a node. */
function isPlayed(node: GameNode, moves: readonly string[]): boolean {
  let at: GameNode | undefined = node;
  for (const uci of moves) at = at?.children.find((each) => each.uci === uci);
  return at !== undefined;
}

/** Wait for a while, or until a signal is aborted. */
function pause(ms: number, ended: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      ended.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    ended.addEventListener("abort", end);
  });
}
