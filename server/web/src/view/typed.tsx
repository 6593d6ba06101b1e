/** A move that is typed: for who has no pointer, or likes keys better.  Seen while it has the focus. */

import { useSignal } from "@preact/signals";
import type { App } from "../app";

const ID = "typed-move";

/** Go there, to type a move. */
export function typeMove(): void {
  const field = document.getElementById(ID);
  if (!(field instanceof HTMLInputElement)) return;
  field.focus();
  field.select(); // what was wrong is written over
}

export function TypedMove({ app }: { app: App }) {
  const text = useSignal("");
  const wrong = useSignal("");
  const submit = (event: Event) => {
    event.preventDefault();
    wrong.value = app.moveTyped(text.value) ?? "";
    if (!wrong.value) text.value = "";
  };
  return (
    <form class="typed-move" onSubmit={submit}>
      <label class="field" for={ID}>
        Your move, like Nf3 or g1f3
      </label>
      <input
        id={ID}
        type="text"
        autoComplete="off"
        autoCapitalize="off"
        spellcheck={false}
        aria-invalid={wrong.value !== ""}
        value={text.value}
        onInput={(event) => {
          text.value = event.currentTarget.value;
          wrong.value = "";
        }}
        onKeyDown={(event) => event.key === "Escape" && event.currentTarget.blur()}
      />
      {wrong.value && (
        <p class="wrong" role="alert">
          {wrong.value}
        </p>
      )}
    </form>
  );
}
