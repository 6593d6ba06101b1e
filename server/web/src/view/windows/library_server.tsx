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
  const { sync } = library;
  const isUnknown = sync.account.value === null;
  if (!library.hasAccount.value || (isUnknown && !file.server)) return null;
  const isKept = sync.isKept(file);
  return (
    <div class="on-server">
      <KeepSwitch
        name={file.path.split("/").at(-1) ?? ""}
        isOn={isKept}
        isDisabled={isUnknown}
        set={(isOn) => library.setKept(file, isOn)}
      />
      {isKept && <Sign file={file} library={library} />}
    </div>
  );
}

/** The switch of several files in a folder, which is on if each of them is kept. */
export function FolderOnServer(props: {
  folder: string;
  files: readonly FileEntry[];
  library: Library;
}) {
  const { folder, files, library } = props;
  const { sync } = library;
  if (!library.hasAccount.value || sync.account.value === null || files.length < 2) return null;
  return (
    <KeepSwitch
      name={folder}
      isOn={files.every((file) => sync.isKept(file))}
      set={(isOn) => library.setFolderKept(folder, files, isOn)}
    />
  );
}

function KeepSwitch(props: {
  name: string;
  isOn: boolean;
  isDisabled?: boolean;
  set: (isOn: boolean) => void;
}) {
  const { name, isOn, isDisabled = false, set } = props;
  return (
    <label class="check">
      <input
        type="checkbox"
        role="switch"
        aria-checked={isOn}
        checked={isOn}
        disabled={isDisabled}
        aria-label={text("sync-keep-file", { file: name })}
        onChange={(event) => set(event.currentTarget.checked)}
      />
      <span>{text("sync-keep")}</span>
    </label>
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
