/** The window of a page that was opened by a one-use code: a press signs this browser in. */

import { useSignal } from "@preact/signals";
import { signInByCode } from "../../codes/client";
import { signIn } from "../../codes/sign_in";
import { text } from "../../language/catalogue";
import { wordsOf } from "../../language/problems";
import { problemIn, ServiceError } from "../../service";
import { Button, CheckRow, Wrong } from "../controls";
import { Window, type WindowProps } from "../dialog";

/** Nothing is sent before the press: pages are opened in advance, and links by mistake. */
export function CodeWindow({ app, close }: WindowProps) {
  const isBusy = useSignal(false);
  const isRefused = useSignal(false);
  const isOfDevice = useSignal(true);
  const wrong = useSignal("");
  const submit = async () => {
    isBusy.value = true;
    try {
      const { token, account } = await signInByCode(app.code);
      wrong.value = (await signIn(app, token, isOfDevice.peek())) ?? "";
      const hint = text(isOfDevice.peek() ? "code-done-device" : "code-done-tab");
      if (!wrong.value) app.toasts.addNote(text("code-done", { account }), hint);
    } catch (error) {
      isRefused.value = error instanceof ServiceError && error.status !== 0;
      wrong.value = wordsOf(problemIn(error)).text;
    }
    isBusy.value = false;
  };
  return (
    <Window title={text("sign-in")} close={close}>
      <div class="stack">
        <p>
          {isRefused.value ? text("code-refused") : text("code-question", { host: location.host })}
        </p>
        {!isRefused.value && (
          <CheckRow
            name={text("code-stay")}
            checked={isOfDevice.value}
            set={(value) => (isOfDevice.value = value)}
          />
        )}
        <Wrong text={wrong.value} />
        {!isSecureContext && <p class="hint">{text("code-plain")}</p>}
        <div class="buttons">
          {isRefused.value ? (
            <Button onClick={() => app.openDialog("signin")}>{text("code-token-instead")}</Button>
          ) : (
            <Button look="primary" disabled={isBusy.value} onClick={submit}>
              {text("sign-in")}
            </Button>
          )}
        </div>
      </div>
    </Window>
  );
}
