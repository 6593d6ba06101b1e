/** What is said about the current move, and what is thought of it. */

import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { ratingOf, wordsOn } from "../../game/remark";
import { moveNumber } from "../../game/tree";
import { Window } from "../dialog";
import { GLYPHS } from "../moves";
import type { Props } from "./props";

const RATINGS: readonly [nag: number, name: string][] = [
  [3, "brilliant"],
  [1, "good"],
  [5, "interesting"],
  [6, "dubious"],
  [2, "mistake"],
  [4, "blunder"],
];

export function CommentWindow({ app, close }: Props) {
  const { current: node } = useRef(app.study.node.peek());
  const text = useSignal(wordsOn(node));
  const nag = useSignal(ratingOf(node));
  const title = node.parent
    ? `Comment on ${moveNumber(node.ply)} ${node.san}`
    : "Comment on the game";
  // What was written is kept however the window is closed: it can be undone.
  const keep = () => {
    app.study.annotate(node, text.value, nag.value);
    close();
  };
  return (
    <Window title={title} close={keep}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          keep();
        }}
      >
        <textarea
          rows={4}
          aria-label="Comment"
          placeholder="Write a comment"
          value={text.value}
          onInput={(event) => {
            text.value = event.currentTarget.value;
          }}
        />
        {node.parent && (
          <div class="ratings" role="group" aria-label="Rate the move">
            {RATINGS.map(([each, name]) => (
              <button
                type="button"
                key={each}
                class="button"
                title={name}
                aria-label={name}
                aria-pressed={nag.value === each}
                onClick={() => {
                  nag.value = nag.value === each ? null : each;
                }}
              >
                {GLYPHS[each]}
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
