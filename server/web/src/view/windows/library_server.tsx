/** The files of the library that the server keeps as well: a switch, and how each stands. */

import { text } from "../../language/catalogue";
import { wordsOf } from "../../language/problems";
import type { FileEntry } from "../../library/database";
import type { Library } from "../../library/library";
import { stateOf } from "../../library/sync_plan";
import { Button } from "../controls";
import { ProblemBox } from "../messages";

const STATES = {
  same: "sync-same",
  here: "sync-here",
  there: "sync-there",
  both: "sync-both",
} as const;

/** The reason why the files are not the same now, other than a missing connection. */
export function ServerProblem({ library }: { library: Library }) {
  const problem = library.sync.problem.value;
  if (!problem || problem.code === "unreachable" || !library.hasAccount.value) return null;
  return (
    <ProblemBox problem={problem}>
      <Button onClick={() => library.runSync()}>{text("retry")}</Button>
    </ProblemBox>
  );
}

/** The switch of a file; it is there for those who have an account. */
export function OnServer({ file, library }: { file: FileEntry; library: Library }) {
  const account = library.sync.account.value;
  const { server } = file;
  if (!library.hasAccount.value || (account === null && !server)) return null;
  const isKept = Boolean(server && (account === null || server.account === account));
  return (
    <div class="on-server">
      <label class="check">
        <input
          type="checkbox"
          role="switch"
          aria-checked={isKept}
          checked={isKept}
          disabled={account === null}
          aria-label={text("sync-keep-file", { file: file.path.split("/").at(-1) ?? "" })}
          onChange={(event) => library.setKept(file, event.currentTarget.checked)}
        />
        <span>{text("sync-keep")}</span>
      </label>
      {isKept && <Sign file={file} library={library} />}
    </div>
  );
}

function Sign({ file, library }: { file: FileEntry; library: Library }) {
  const { problem, refused, served } = library.sync;
  const reason = refused.value.get(file.id);
  const state = stateOf(file, served.value.get(file.server?.id ?? ""));
  if (reason) {
    const { title, hint } = wordsOf(reason);
    return <span class="sign refused">{`${title}. ${hint}`}</span>;
  }
  if (problem.value?.code === "unreachable") {
    return (
      <span class="sign">{text(state === "here" ? "sync-offline-here" : "sync-offline")}</span>
    );
  }
  return <span class={`sign ${state}`}>{text(STATES[state])}</span>;
}
