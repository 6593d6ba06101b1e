/** Where a token is typed in; what is wrong with one is said below. */

import { useSignal } from "@preact/signals";

export function TokenForm(props: {
  hint: string;
  /** Say what is wrong with it; null if nothing is. */
  submit: (token: string) => Promise<string | null>;
}) {
  const token = useSignal("");
  const wrong = useSignal("");
  const isBusy = useSignal(false);
  const submit = async (event: Event) => {
    event.preventDefault();
    isBusy.value = true;
    wrong.value = (await props.submit(token.value.trim())) ?? "";
    isBusy.value = false;
  };
  return (
    <form class="stack" onSubmit={submit}>
      <p>{props.hint}</p>
      <label class="field">
        <span>Token</span>
        <input
          type="password"
          autoComplete="off"
          spellcheck={false}
          placeholder="rk_…"
          value={token.value}
          onInput={(event) => {
            token.value = event.currentTarget.value;
          }}
        />
      </label>
      {wrong.value && (
        <p class="wrong" role="alert">
          {wrong.value}
        </p>
      )}
      <div class="buttons">
        <button type="submit" class="button primary" disabled={!token.value.trim() || isBusy.value}>
          Sign in
        </button>
      </div>
    </form>
  );
}
