/** Who asks: a token, kept for this tab. */

import { Window } from "../dialog";
import { TokenForm } from "../token";
import type { Props } from "./props";

export function SignInWindow({ app, close }: Props) {
  return (
    <Window title="Sign in" close={close}>
      <TokenForm
        hint="This server requires a token; ask its operator for one. It is kept for this tab only."
        submit={(token) => app.signIn(token)}
      />
    </Window>
  );
}
