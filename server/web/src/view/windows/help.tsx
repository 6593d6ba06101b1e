/** Which keys do what. */

import { Window } from "../dialog";

const KEYS: readonly [string, string][] = [
  ["← →", "previous, next move; also the mouse wheel over the board"],
  ["↑ ↓", "previous, next variation"],
  ["Home End", "start, end of the line"],
  ["m", "type a move"],
  ["Space", "play the engine's best move"],
  ["l", "start or stop the engine"],
  ["a", "show or hide arrows"],
  ["x", "show the threat"],
  ["c", "comment on the move"],
  ["b", "opening explorer: what was played here"],
  ["f", "flip the board"],
  ["Delete", "delete the move and all after it"],
  ["Ctrl+Z", "undo the last change"],
  ["Ctrl+Shift+Z", "redo what was undone"],
  ["Ctrl+V", "paste a PGN or FEN"],
  ["?", "show these shortcuts"],
];

export function HelpWindow({ close }: { close: () => void }) {
  return (
    <Window title="Keyboard shortcuts" close={close}>
      <dl class="keys">
        {KEYS.map(([key, what]) => (
          <div key={key}>
            <dt>
              {key.split(" ").map((each) => (
                <kbd key={each}>{each}</kbd>
              ))}
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <p class="hint">
        Draw arrows and circles with the right mouse button; Shift, Alt or both give other colours.
        They stay with the position and in the PGN. Draw one again to remove it, or click an empty
        square to remove all.
      </p>
    </Window>
  );
}
