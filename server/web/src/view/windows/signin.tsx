/** The form for a token, here and on the operator's page, and its window. */

import { useSignal } from "@preact/signals";
import { text } from "../../language/catalogue";
import { Wrong } from "../controls";
import { Window, type WindowProps } from "../dialog";

export function SignInWindow({ app, close }: WindowProps) {
  const submit = (token: string) =>
    import("./help").then(
      (it) => it.signIn(app, token),
      () => text("view-not-loaded"), // The server is away.
    );
  return (
    <Window title={text("sign-in")} close={close}>
      <TokenForm hint={text("sign-in-hint")} submit={submit} />
    </Window>
  );
}

export function TokenForm(props: {
  hint: string;
  /** Try a token; return what is wrong with it, or null. */
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
        <span>{text("sign-in-token")}</span>
        <input
          type="password"
          autoComplete="off"
          spellcheck={false}
          placeholder="rk_…"
          value={token.value}
          onInput={(event) => (token.value = event.currentTarget.value)}
        />
      </label>
      <Wrong text={wrong.value} />
      <div class="buttons">
        <button type="submit" class="button primary" disabled={!token.value.trim() || isBusy.value}>
          {text("sign-in")}
        </button>
      </div>
    </form>
  );
}
