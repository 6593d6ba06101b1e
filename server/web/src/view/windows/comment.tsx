/** The window for a comment on the current move, and its rating. */

import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { commentOn, ratingOf } from "../../game/annotation";
import { glyphsOf, RATINGS } from "../../game/glyph";
import { moveNumber } from "../../game/tree";
import { text } from "../../language/catalogue";
import { Window, type WindowProps } from "../dialog";

/** Return a comment with what others in the room have made of it since the window was opened. */
function withOthers(own: string, before: string, now: string): string {
  if (now === before || own === before) return own === before ? now : own;
  return `${now}\n${own}`;
}

export function CommentWindow({ app, close }: WindowProps) {
  const { current: node } = useRef(app.study.node.peek());
  const { current: before } = useRef(commentOn(node));
  const comment = useSignal(before);
  const rating = useSignal(ratingOf(node));
  const title = node.parent
    ? text("comment-on-move", { move: `${moveNumber(node.ply)} ${node.san}` })
    : text("comment-on-game");
  // The comment is saved however the window is closed: it can be undone.
  const save = () => {
    app.study.annotate(node, withOthers(comment.value, before, commentOn(node)), rating.value);
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
          aria-label={text("comment-name")}
          placeholder={text("comment-write")}
          value={comment.value}
          onInput={(event) => (comment.value = event.currentTarget.value)}
        />
        {node.parent && (
          <div class="ratings" role="group" aria-label={text("menu-rate")}>
            {RATINGS.map(([nag, id]) => (
              <button
                type="button"
                key={nag}
                class="button"
                title={text(id)}
                aria-label={text(id)}
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
            {text("save")}
          </button>
        </div>
      </form>
    </Window>
  );
}
