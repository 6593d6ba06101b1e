/** What a position has besides its pieces, and what becomes of it. */

import { useSignal } from "@preact/signals";
import type { Color } from "chessops/types";
import { makeSquare } from "chessops/util";
import type { App } from "../../app";
import { passable, rookOf, WINGS, type Wing } from "../../editor/draft";
import type { Editor } from "../../editor/editor";
import { STARTS } from "../../editor/scharnagl";
import { Icon } from "../icons";

const WING_NAMES: Readonly<Record<Wing, string>> = {
  K: "White short",
  Q: "White long",
  k: "Black short",
  q: "Black long",
};

export function SetupPanel({ app }: { app: App }) {
  const { editor } = app;
  const draft = editor.position.value;
  if (!draft) return null;
  const fault = editor.fault.value;
  return (
    <section class="engine setup" aria-label="Set up a position">
      <div class="stack">
        <h2>Set up a position</h2>
        <label class="row">
          <span>To move</span>
          <select
            value={draft.turn}
            onChange={(event) => editor.change({ turn: event.currentTarget.value as Color })}
          >
            <option value="white">White</option>
            <option value="black">Black</option>
          </select>
        </label>
        <CastlingRow editor={editor} />
        <PassedRow editor={editor} />
        <StartRow editor={editor} />
        <FenRow app={app} />
        <p class={fault ? "wrong" : "hint"} role="status" data-testid="legality">
          {fault ? `Not legal: ${fault}.` : editor.oddity.value || "The position is legal."}
        </p>
        <div class="buttons">
          <button
            type="button"
            class="button"
            disabled={!editor.undoable.value}
            onClick={() => editor.undo()}
          >
            <Icon name="undo" /> Undo
          </button>
          <button type="button" class="button" onClick={() => editor.clear()}>
            Clear
          </button>
          <button type="button" class="button" onClick={() => editor.cancel()}>
            Cancel
          </button>
          <button
            type="button"
            class="button primary"
            disabled={fault !== ""}
            onClick={() => editor.finish()}
          >
            Analyse
          </button>
        </div>
      </div>
    </section>
  );
}

function CastlingRow({ editor }: { editor: Editor }) {
  const draft = editor.position.value;
  if (!draft) return null;
  return (
    <fieldset class="castling">
      <legend>Castling</legend>
      {WINGS.map((wing) => {
        const rook = rookOf(draft, wing);
        return (
          <label class="check" key={wing}>
            <input
              type="checkbox"
              disabled={rook === null}
              checked={rook !== null && draft.castling.has(wing)}
              onChange={(event) => {
                const castling = new Set(draft.castling);
                if (event.currentTarget.checked) castling.add(wing);
                else castling.delete(wing);
                editor.change({ castling });
              }}
            />
            <span>{WING_NAMES[wing]}</span>
          </label>
        );
      })}
    </fieldset>
  );
}

function PassedRow({ editor }: { editor: Editor }) {
  const draft = editor.position.value;
  if (!draft) return null;
  const squares = passable(draft);
  return (
    <label class="row">
      <span>En passant</span>
      <select
        disabled={!squares.length}
        value={draft.passed !== null && squares.includes(draft.passed) ? draft.passed : ""}
        onChange={(event) => {
          const { value } = event.currentTarget;
          editor.change({ passed: value === "" ? null : Number(value) });
        }}
      >
        <option value="">None</option>
        {squares.map((square) => (
          <option key={square} value={square}>
            {makeSquare(square)}
          </option>
        ))}
      </select>
    </label>
  );
}

function StartRow({ editor }: { editor: Editor }) {
  const number = useSignal(518);
  const draft = editor.position.value;
  return (
    <>
      <label class="row">
        <span>Chess960</span>
        <input
          type="checkbox"
          checked={draft?.chess960 ?? false}
          onChange={(event) => editor.change({ chess960: event.currentTarget.checked })}
        />
      </label>
      <div class="buttons starts">
        <button type="button" class="button small" onClick={() => editor.setStart(null)}>
          Start position
        </button>
        {draft?.chess960 && (
          <>
            <input
              type="number"
              min="0"
              max={STARTS - 1}
              aria-label="Start position number"
              value={number.value}
              onChange={(event) => {
                const value = event.currentTarget.valueAsNumber;
                if (value >= 0 && value < STARTS) {
                  number.value = Math.floor(value);
                  editor.setStart(number.value);
                }
              }}
            />
            <button
              type="button"
              class="button small"
              onClick={() => {
                number.value = Math.floor(Math.random() * STARTS);
                editor.setStart(number.value);
              }}
            >
              Random position
            </button>
          </>
        )}
      </div>
    </>
  );
}

function FenRow({ app }: { app: App }) {
  const wrong = useSignal("");
  return (
    <label class="field">
      <span>FEN</span>
      <input
        type="text"
        spellcheck={false}
        autoComplete="off"
        value={app.editor.fen.value}
        onChange={(event) => {
          try {
            app.editor.take(event.currentTarget.value);
            wrong.value = "";
          } catch (error) {
            wrong.value = (error as Error).message;
          }
        }}
      />
      {wrong.value && (
        <span class="wrong" role="alert">
          {wrong.value}
        </span>
      )}
    </label>
  );
}
