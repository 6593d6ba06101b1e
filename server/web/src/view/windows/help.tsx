/** Which keys do what. */

import { Window } from "../dialog";

const KEYS: readonly [string, string][] = [
  ["← →", "one move back, one forward; the wheel over the board, too"],
  ["↑ ↓", "the former, the next variation"],
  ["Home End", "the start, the end of the line"],
  ["m", "type a move"],
  ["Space", "play the engine's best move"],
  ["l", "start or stop the engine"],
  ["a", "arrows"],
  ["x", "what the other side threatens"],
  ["c", "say something about the move"],
  ["b", "what was played here, in the games of the file"],
  ["f", "turn the board"],
  ["Delete", "take the move and all after it away"],
  ["Ctrl+Z", "have back what was taken away, written over or put elsewhere"],
  ["Ctrl+Shift+Z", "have the later game again, after an earlier one was had back"],
  ["Ctrl+V", "open what was copied: PGN or FEN"],
  ["?", "this window"],
];

export function HelpWindow({ close }: { close: () => void }) {
  return (
    <Window title="Keys" close={close}>
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
        Right mouse button: arrows and circles of your own, which stay with the position and in the
        PGN; with Shift, Alt or both in other colours. The same once more, or a click on an empty
        square, takes them away.
      </p>
    </Window>
  );
}
