/** Keys, and what is pasted or dropped on the page. */

import type { App } from "../app";
import { textOf } from "../game/file";
import { typeMove } from "./typed";

const PRESSED = "button, summary, a, [role=button]"; // what Space is for already
const TYPED = "input, textarea, select, dialog";

type Act = (app: App) => void;

const LOOKING: Readonly<Record<string, Act>> = {
  ArrowLeft: (app) => app.study.back(),
  ArrowRight: (app) => app.study.forward(),
  ArrowUp: (app) => app.study.sideways(-1),
  ArrowDown: (app) => app.study.sideways(1),
  Home: (app) => app.study.first(),
  End: (app) => app.study.last(),
  f: (app) => app.study.flip(),
  b: (app) => app.book.toggle(),
  m: () => typeMove(),
  "?": (app) => {
    app.dialog.value = "help";
  },
};

/** What changes the game or the search: not while one is played or another has control. */
const CHANGING: Readonly<Record<string, Act>> = {
  Delete: (app) => app.study.remove(app.study.node.peek()),
  " ": (app) => app.playBest(),
  c: (app) => {
    app.dialog.value = "comment";
  },
  a: (app) => app.change({ arrows: !app.settings.peek().arrows }),
  l: (app) => app.analysis.toggle(),
  x: (app) => app.toggleThreat(),
};

function actFor(app: App, event: KeyboardEvent): Act | undefined {
  const isSettingUp = app.editor.position.peek() !== null;
  const isAsked = app.practice.mistake.peek() !== null;
  const mayChange = app.mayChange.peek();
  const isCommand = event.ctrlKey || event.metaKey;
  const isUndo = isCommand && event.key === "z";
  const isRedo = isCommand && (event.key === "y" || (event.shiftKey && /^z$/i.test(event.key)));
  if (isRedo && mayChange) return () => app.study.redo();
  if (isUndo && isSettingUp) return () => app.editor.undo();
  if (isUndo && mayChange) return () => app.study.undo();
  if (isCommand || event.altKey) return undefined;
  if (isSettingUp) return "f?".includes(event.key) ? LOOKING[event.key] : undefined;
  if (isAsked) return "fm?".includes(event.key) ? LOOKING[event.key] : undefined;
  const isPressing =
    event.key === " " && event.target instanceof Element && event.target.closest(PRESSED);
  return LOOKING[event.key] ?? (mayChange && !isPressing ? CHANGING[event.key] : undefined);
}

/** A step through the game: a list of the page has the keys for up and down, and no need of these. */
function isStep(event: Event): boolean {
  const isOnList = event.target instanceof HTMLSelectElement && !event.target.closest("dialog");
  return isOnList && event instanceof KeyboardEvent && /^Arrow(Left|Right)$/.test(event.key);
}

/** Listen; the result ends it. */
export function listen(app: App): () => void {
  const isTyping = (event: Event) =>
    event.target instanceof Element && event.target.closest(TYPED) && !isStep(event);
  const ends = new AbortController();
  const options = { signal: ends.signal };
  const onKey = (event: KeyboardEvent) => {
    const act = isTyping(event) ? undefined : actFor(app, event);
    if (!act) return;
    event.preventDefault();
    act(app);
  };
  const onPaste = (event: ClipboardEvent) => {
    if (isTyping(event)) return;
    const isFile = app.take(event.clipboardData?.getData("text/plain") ?? "");
    const count = app.study.games.peek().length;
    if (isFile) app.notes.say(`${count} games`, "Showing the first; “Open” lists the others.");
  };
  const onDrop = async (event: DragEvent) => {
    event.preventDefault();
    const [file] = event.dataTransfer?.files ?? [];
    const isFile = app.take(
      file ? textOf(await file.arrayBuffer()) : (event.dataTransfer?.getData("text/plain") ?? ""),
    );
    if (isFile) app.dialog.value = "import";
  };
  document.addEventListener("keydown", onKey, options);
  document.addEventListener("paste", onPaste, options);
  document.addEventListener("dragover", (event) => event.preventDefault(), options);
  document.addEventListener("drop", onDrop, options);
  return () => ends.abort();
}
