/** The moves of a position of a project's tree, and how the user steers what is searched of them. */

import { useSignal } from "@preact/signals";
import type { App } from "../app";
import { text } from "../language/catalogue";
import type { OpenProject } from "../projects/open_project";
import { choicesOfMove, choicesOfPosition, describeSteered } from "../projects/steering";
import type { Place, TreeMove, TreePosition } from "../projects/tree";
import { valueText, valueTitle } from "../projects/value";
import { shareText, shortNumber } from "../projects/words";
import { Button, Icon } from "./controls";
import { MenuItem, Popup, type PopupPlace } from "./popup";
import { Sparkline } from "./sparkline";

/** The menu of a move; null is that of the position. */
interface SteeringPlace extends PopupPlace {
  readonly move: TreeMove | null;
}

const FEW = 8; // moves that are listed at first

interface MovesProps {
  readonly app: App;
  readonly shown: OpenProject;
  readonly place: Place;
  readonly position: TreePosition;
  readonly turn: "white" | "black";
}

export function ProjectMoves(props: MovesProps) {
  const { shown, position } = props;
  const menu = useSignal<SteeringPlace | null>(null);
  const isWhole = useSignal(false);
  const open = (move: TreeMove | null, opener: HTMLElement) => {
    const { left, bottom } = opener.getBoundingClientRect();
    menu.value = { move, opener, x: left, y: bottom };
  };
  const { moves = [], others } = position;
  // What the user has said of moves is always seen.
  const few = moves.filter((each, at) => at < FEW || each.excluded || each.pinned);
  const rows = isWhole.value ? moves : few;
  return (
    <>
      {moves.length > 0 && <MoveRows {...props} moves={rows} open={open} />}
      {moves.length > few.length && (
        <button
          type="button"
          class="project-more"
          aria-expanded={isWhole.value}
          onClick={() => (isWhole.value = !isWhole.peek())}
        >
          {isWhole.value ? text("project-fewer") : text("project-all", { count: moves.length })}
        </button>
      )}
      <div class="project-steering">
        {others && (
          <span class={others.excluded ? "hint project-excluded" : "hint"} data-testid="others">
            {text("project-others", { count: others.count })}
          </span>
        )}
        <Button
          look="small"
          disabled={shown.isBusy.value}
          onClick={() => open(null, document.activeElement as HTMLElement)}
        >
          {text("project-steer")} <Icon name="unfold" />
        </Button>
      </div>
      <SteeredNote shown={shown} position={position} />
      {menu.value && (
        <SteeringMenu
          {...props}
          menu={menu.value}
          close={() => {
            menu.value = null;
          }}
        />
      )}
    </>
  );
}

function MoveRows(
  props: MovesProps & {
    moves: readonly TreeMove[];
    open: (move: TreeMove, opener: HTMLElement) => void;
  },
) {
  const { app, moves, turn, open } = props;
  return (
    <table class="project-moves" aria-label={text("project-moves")}>
      <thead>
        <tr>
          <th scope="col">{text("table-move")}</th>
          <th scope="col" title={text("project-value-title")}>
            {text("project-value")}
          </th>
          <th scope="col" title={text("project-own-title")}>
            {text("project-own")}
          </th>
          <th scope="col" class="project-trend">
            {text("project-trend")}
          </th>
          <th scope="col" class="project-height" title={text("project-height-title")}>
            {text("project-height")}
          </th>
          <th scope="col" class="count" title={text("project-size-title")}>
            {text("project-size")}
          </th>
          <th scope="col">
            <span class="unseen">{text("project-steer")}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {moves.map((move) => (
          <tr key={move.move} class={move.excluded ? "project-excluded" : ""}>
            <td>
              <button
                type="button"
                class="book-move"
                disabled={app.movableSide.value === null}
                onClick={() => app.study.playAll([move.move])}
              >
                {move.san}
              </button>
              <Marks move={move} />
            </td>
            <td>
              <ValueCell move={move} />
            </td>
            <td class="project-own" title={ownTitle(move)}>
              {valueText(move.own)}
            </td>
            <td class="project-trend">
              <Sparkline trend={move.trend ?? []} turn={turn === "white" ? "black" : "white"} />
            </td>
            <td class="project-height">{move.size ? (move.height ?? 0) + 1 : "–"}</td>
            <td class="count">
              <Size move={move} />
            </td>
            <td>
              <button
                type="button"
                class="icon-button"
                aria-haspopup="menu"
                aria-label={text("project-steer-move", { move: move.san })}
                title={text("project-steer-move", { move: move.san })}
                onClick={(event) => open(move, event.currentTarget)}
              >
                <Icon name="sliders" />
              </button>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function ValueCell({ move: { value, proven } }: { move: TreeMove }) {
  if (!value) return <>–</>;
  const isWhite = (value.cp ?? value.mate ?? value.tablebase ?? 0) >= 0;
  const title = [valueTitle(value), proven && text("project-proven")].filter(Boolean).join(" · ");
  return (
    <span class={`score ${isWhite ? "of-white" : "of-black"}`} title={title || undefined}>
      {valueText(value)}
      {proven && "!"}
    </span>
  );
}

function ownTitle({ own, depth = 0, nodes = 0 }: TreeMove): string | undefined {
  if (!own) return undefined;
  if (!depth) return text("project-own-title");
  return text("project-next-search", { depth: String(depth), nodes: shortNumber(nodes) });
}

/** The positions behind a move, and a bar for their part of all. */
function Size({ move: { size = 0, share = 0 } }: { move: TreeMove }) {
  if (!size) return <>–</>;
  return (
    <span title={text("project-share", { share: shareText(share) })}>
      {shortNumber(size)}
      <i class="project-share" style={{ width: `${100 * share}%` }} />
    </span>
  );
}

const MARKS = [
  ["pinned", "project-is-pinned"],
  ["added", "project-is-added"],
  ["excluded", "project-is-excluded"],
  ["repetition", "project-is-repetition"],
  ["returns", "project-returns"],
] as const;

/** What else there is to say of a move. */
function Marks({ move }: { move: TreeMove }) {
  const marks = MARKS.filter(([key]) => move[key] && !(key === "added" && move.excluded));
  return (
    <>
      {move.searching && (
        <i class="project-pulse" role="img" aria-label={text("project-searching")} />
      )}
      {marks.map(([key, id]) => (
        <span class={`project-mark ${key}`} key={key}>
          {text(id)}
        </span>
      ))}
    </>
  );
}

// --- steering

function SteeringMenu(props: MovesProps & { menu: SteeringPlace; close: () => void }) {
  const { shown, position, place, menu, close } = props;
  const { move } = menu;
  const choices = move ? choicesOfMove(place, move) : choicesOfPosition(place, position);
  return (
    <Popup label={move?.san ?? text("project-steer")} place={menu} close={close}>
      {(act) =>
        choices.map((choice) => (
          <MenuItem
            key={choice.label}
            onClick={() => act(() => void shown.steer(choice.place, choice.steering))}
          >
            {text(choice.label)}
          </MenuItem>
        ))
      }
    </Popup>
  );
}

/** What the user has done last here, and the way back. */
function SteeredNote({ shown, position }: { shown: OpenProject; position: TreePosition }) {
  const steered = shown.steered.value;
  if (!steered) return null;
  const { move = "" } = steered.steering;
  const san = position.moves?.find((each) => each.move === move)?.san ?? move;
  return (
    <p class="project-steered" role="status">
      {describeSteered(steered.steering, san)}
      {steered.undo && (
        <Button look="small" disabled={shown.isBusy.value} onClick={() => void shown.undo()}>
          {text("project-undo")}
        </Button>
      )}
    </p>
  );
}
