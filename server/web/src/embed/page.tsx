/** A shared game in a frame of another page: the board, the moves, and a link to the server. */

import { effect } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import { clockAt } from "../game/annotation";
import { resultOf, shownTag } from "../game/headers";
import { sideName } from "../game/position";
import { moveNumber } from "../game/tree";
import { text } from "../language/catalogue";
import { clockText } from "../play/clock";
import { linkTo } from "../sharing/client";
import { IconButton, type IconName } from "../view/controls";
import { Comments, FoldBetter, Mainline, useFolds } from "../view/move_text";
import { resultText } from "../view/result";
import { betterLines } from "../view/variation";
import { ReaderBoard } from "./board";
import type { Reader } from "./reader";

export function EmbedPage({ reader }: { reader: Reader }) {
  useEffect(() => addKeys(reader), [reader]);
  useEffect(() => effect(() => showTheme(reader)), [reader]);
  const game = reader.game.value;
  const refusal = reader.refusal.value;
  if (refusal) {
    return (
      <main class="embed-words">
        <section class="trouble" role="alert">
          <h1>{refusal.title}</h1>
          <p>{refusal.text}</p>
        </section>
      </main>
    );
  }
  if (!game) {
    return (
      <main class="embed-words">
        <h1>{text("embed-fetching")}</h1>
      </main>
    );
  }
  return (
    <main class="embed">
      <h1 class="unseen">{game.title || text("shared-game")}</h1>
      <div class="board-column">
        <Player reader={reader} isTop />
        <ReaderBoard reader={reader} />
        <Player reader={reader} />
      </div>
      <div class="side-column">
        <Occasion reader={reader} />
        <GameMoves reader={reader} />
        <Buttons reader={reader} />
        <a class="embed-link" href={linkTo(game.id)} target="_blank" rel="noopener">
          {text("embed-open", { server: location.host })}
        </a>
      </div>
      <CurrentMove reader={reader} />
    </main>
  );
}

function showTheme(reader: Reader): void {
  const theme = reader.theme.value;
  const page = document.documentElement;
  if (theme) page.dataset.theme = theme;
  else delete page.dataset.theme;
  document.title = reader.game.value?.title || text("embed-title");
}

/** A player's name, rating and clock. */
function Player({ reader, isTop = false }: { reader: Reader; isTop?: boolean }) {
  const isWhite = (reader.orientation.value === "white") !== isTop;
  const color = isWhite ? "white" : "black";
  const side = sideName(color);
  const { headers } = reader.tree.value;
  const name = shownTag(headers, side) || text(color);
  const rating = headers.get(`${side}Elo`) ?? "";
  const seconds = clockAt(reader.node.value, color);
  return (
    <p class="player">
      <i class={`side ${color}`} />
      <bdi class="player-name" title={name}>
        {name}
      </bdi>
      {/^\d+$/.test(rating) && <span class="rating">{rating}</span>}
      {seconds !== null && <time class="clock">{clockText(1000 * seconds)}</time>}
    </p>
  );
}

/** The event, the date and the result. */
function Occasion({ reader }: { reader: Reader }) {
  const tree = reader.tree.value;
  const tags = ["Event", "Date"].map((tag) => shownTag(tree.headers, tag));
  const occasion = [...tags, resultText(resultOf(tree))].filter(Boolean).join(", ");
  return occasion ? (
    <p class="occasion" title={occasion}>
      {occasion}
    </p>
  ) : null;
}

function GameMoves({ reader }: { reader: Reader }) {
  const tree = reader.tree.value;
  const current = reader.node.value;
  const folds = useFolds(tree, current);
  const better = useMemo(() => betterLines(tree), [tree]);
  return (
    <section class="moves" aria-label={text("page-moves")} tabIndex={-1}>
      <Comments texts={tree.root.comments} />
      {better.length > 0 && <FoldBetter app={{ study: reader }} lines={better} folds={folds} />}
      <Mainline
        app={{ study: reader }}
        from={tree.root}
        folds={folds}
        current={current}
        version={0}
      />
      <p class="result">{resultText(resultOf(tree))}</p>
    </section>
  );
}

type Step = readonly [icon: IconName, id: string, isOff: boolean, onClick: () => void];

function Buttons({ reader }: { reader: Reader }) {
  void reader.node.value;
  const [atStart, atEnd] = [!reader.mayStep(false), !reader.mayStep(true)];
  const steps: readonly Step[] = [
    ["first", "moves-to-start", atStart, () => reader.goToStart()],
    ["back", "moves-back", atStart, () => reader.step(false)],
    ["forward", "moves-forward", atEnd, () => reader.step(true)],
    ["last", "moves-to-end", atEnd, () => reader.goToEnd()],
    ["flip", "page-flip", false, () => reader.flip()],
  ];
  return (
    <nav class="controls" aria-label={text("embed-steps")}>
      {steps.map(([icon, id, isOff, onClick]) => (
        <IconButton key={icon} icon={icon} label={text(id)} disabled={isOff} onClick={onClick} />
      ))}
    </nav>
  );
}

/** The current move, for screen readers. */
function CurrentMove({ reader }: { reader: Reader }) {
  const { ply, san } = reader.node.value;
  return (
    <p class="unseen" role="status">
      {san && `${moveNumber(ply)} ${san}`}
    </p>
  );
}

const KEYS: Readonly<Record<string, (reader: Reader) => void>> = {
  ArrowLeft: (reader) => reader.step(false),
  ArrowRight: (reader) => reader.step(true),
  ArrowUp: (reader) => reader.goSideways(-1),
  ArrowDown: (reader) => reader.goSideways(1),
  Home: (reader) => reader.goToStart(),
  End: (reader) => reader.goToEnd(),
  f: (reader) => reader.flip(),
};

/** Handle the keys of the page; the result stops that. */
function addKeys(reader: Reader): () => void {
  const onKey = (event: KeyboardEvent) => {
    const action = KEYS[event.key];
    if (!action || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    action(reader);
  };
  document.addEventListener("keydown", onKey);
  return () => document.removeEventListener("keydown", onKey);
}
