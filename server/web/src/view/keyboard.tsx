/** Keys, pasted and dropped text, and the field for a typed move. */

import { useSignal } from "@preact/signals";
import type { App } from "../app";
import { text } from "../language/catalogue";
import { Wrong } from "./controls";

const PRESSABLE = "button, summary, a, [role=button]"; // by Space
const TYPING = "input, textarea, select, dialog";
const TYPED_MOVE = "typed-move"; // an id

type Action = (app: App) => void;

const VIEW_KEYS: Readonly<Record<string, Action>> = {
  ArrowLeft: (app) => app.study.goBack(),
  ArrowRight: (app) => app.study.goForward(),
  ArrowUp: (app) => app.study.goSideways(-1),
  ArrowDown: (app) => app.study.goSideways(1),
  Home: (app) => app.study.goToStart(),
  End: (app) => app.study.goToEnd(),
  n: (app) => app.goToMistake(1),
  p: (app) => app.goToMistake(-1),
  f: (app) => app.study.flip(),
  b: (app) => app.explorer.toggle(),
  v: (app) => app.room.board.backToLive(),
  m: () => focusTypedMove(),
  "?": (app) => app.openDialog("help"),
};

/** Keys that change the game or the search. */
const CHANGE_KEYS: Readonly<Record<string, Action>> = {
  Delete: (app) => app.study.remove(app.study.node.peek()),
  " ": (app) => app.playBestMove(),
  c: (app) => app.openDialog("comment"),
  g: (app) => app.reviewer.analyseGame(),
  a: (app) => app.changeSettings({ arrows: !app.settings.peek().arrows }),
  l: (app) => app.analysis.toggleEngine(),
  x: (app) => app.toggleThreat(),
};

function actionFor(app: App, event: KeyboardEvent): Action | undefined {
  const isSettingUp = app.editor.position.peek() !== null;
  const isPractising = app.practice.mistake.peek() !== null;
  const mayChange = app.mayChange.peek();
  const isCommand = event.ctrlKey || event.metaKey;
  const isUndo = isCommand && event.key === "z";
  const isRedo = isCommand && (event.key === "y" || (event.shiftKey && /^z$/i.test(event.key)));
  if (isRedo && mayChange) return () => app.study.redo();
  if (isUndo && isSettingUp) return () => app.editor.undo();
  if (isUndo && mayChange) return () => app.study.undo();
  if (isCommand || event.altKey) return undefined;
  if (isSettingUp) return "f?".includes(event.key) ? VIEW_KEYS[event.key] : undefined;
  if (isPractising) return "fm?".includes(event.key) ? VIEW_KEYS[event.key] : undefined;
  const isPressing =
    event.key === " " && event.target instanceof Element && event.target.closest(PRESSABLE);
  return VIEW_KEYS[event.key] ?? (mayChange && !isPressing ? CHANGE_KEYS[event.key] : undefined);
}

/** Return whether a key on a list of the page steps through the game: lists use up and down. */
function isStep(event: Event): boolean {
  const isOnList = event.target instanceof HTMLSelectElement && !event.target.closest("dialog");
  return isOnList && event instanceof KeyboardEvent && /^Arrow(Left|Right)$/.test(event.key);
}

/** Open what was pasted or dropped; return whether it has several games to choose from. */
async function openTransfer(app: App, data: DataTransfer | null): Promise<boolean> {
  const said = data?.getData("text/plain") ?? "";
  // Cells of a table are pasted as text, and as a picture of it.
  const file = [...(data?.files ?? [])].find(({ type }) => !said || !type.startsWith("image/"));
  return file ? app.opener.openFile(file) : app.opener.openPasted(said);
}

/** Handle keys, paste and drop; the result stops that. */
export function addInputListeners(app: App): () => void {
  const isTyping = (event: Event) =>
    event.target instanceof Element && event.target.closest(TYPING) && !isStep(event);
  const ends = new AbortController();
  const options = { signal: ends.signal };
  const onKey = (event: KeyboardEvent) => {
    const action = isTyping(event) ? undefined : actionFor(app, event);
    if (!action) return;
    event.preventDefault();
    action(app);
  };
  const onPaste = async (event: ClipboardEvent) => {
    if (isTyping(event)) return;
    const isFile = await openTransfer(app, event.clipboardData);
    const count = app.study.games.peek().length;
    if (isFile) app.toasts.addNote(text("pasted-games", { count }), text("pasted-games-shown"));
  };
  const onDrop = async (event: DragEvent) => {
    event.preventDefault();
    if (await openTransfer(app, event.dataTransfer)) app.openDialog("import");
  };
  document.addEventListener("keydown", onKey, options);
  document.addEventListener("paste", onPaste, options);
  document.addEventListener("dragover", (event) => event.preventDefault(), options);
  document.addEventListener("drop", onDrop, options);
  return () => ends.abort();
}

function focusTypedMove(): void {
  const field = document.getElementById(TYPED_MOVE);
  if (!(field instanceof HTMLInputElement)) return;
  field.focus();
  field.select();
}

/** A field for a typed move, for users without a pointer; visible while it has the focus. */
export function TypedMove({ app }: { app: App }) {
  const typed = useSignal("");
  const wrong = useSignal("");
  const submit = (event: Event) => {
    event.preventDefault();
    wrong.value = app.playTypedMove(typed.value) ?? "";
    if (!wrong.value) typed.value = "";
  };
  return (
    <form class="typed-move" onSubmit={submit}>
      <label class="field" for={TYPED_MOVE}>
        {text("typed-move")}
      </label>
      <input
        id={TYPED_MOVE}
        type="text"
        autoComplete="off"
        autoCapitalize="off"
        spellcheck={false}
        aria-invalid={wrong.value !== ""}
        value={typed.value}
        onInput={(event) => {
          typed.value = event.currentTarget.value;
          wrong.value = "";
        }}
        onKeyDown={(event) => event.key === "Escape" && event.currentTarget.blur()}
      />
      <Wrong text={wrong.value} />
    </form>
  );
}
