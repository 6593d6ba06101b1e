/** The window for a comment on the current move, and its rating. */

import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { commentOn, ratingOf } from "../../game/annotation";
import { glyphsOf } from "../../game/glyph";
import { moveNumber } from "../../game/tree";
import { Window, type WindowProps } from "../dialog";

/** The user's ratings of a move, with their names. */
export const RATINGS: readonly (readonly [nag: number, name: string])[] = [
  [3, "brilliant"],
  [1, "good"],
  [5, "interesting"],
  [6, "dubious"],
  [2, "mistake"],
  [4, "blunder"],
];

/** Return a comment with what others in the room have made of it since the window was opened. */
function withOthers(text: string, before: string, now: string): string {
  if (now === before || text === before) return text === before ? now : text;
  return `${now}\n${text}`;
}

export function CommentWindow({ app, close }: WindowProps) {
  const { current: node } = useRef(app.study.node.peek());
  const { current: before } = useRef(commentOn(node));
  const text = useSignal(before);
  const rating = useSignal(ratingOf(node));
  const title = node.parent
    ? `Comment on ${moveNumber(node.ply)} ${node.san}`
    : "Comment on the game";
  // The comment is saved however the window is closed: it can be undone.
  const save = () => {
    app.study.annotate(node, withOthers(text.value, before, commentOn(node)), rating.value);
    close();
  };
  return (
    <Window title={title} close={save}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          save();
        }}
      >
        <textarea
          rows={4}
          aria-label="Comment"
          placeholder="Write a comment"
          value={text.value}
          onInput={(event) => (text.value = event.currentTarget.value)}
        />
        {node.parent && (
          <div class="ratings" role="group" aria-label="Rate the move">
            {RATINGS.map(([nag, name]) => (
              <button
                type="button"
                key={nag}
                class="button"
                title={name}
                aria-label={name}
                aria-pressed={rating.value === nag}
                onClick={() => (rating.value = rating.value === nag ? null : nag)}
              >
                {glyphsOf([nag]).signs}
              </button>
            ))}
          </div>
        )}
        <div class="buttons">
          <button type="submit" class="button primary">
            Save
          </button>
        </div>
      </form>
    </Window>
  );
}
