/** The window with the names, the date and the result of the game. */

import { useSignal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import {
  EDITED,
  type EditedTag,
  editHeaders,
  knownValues,
  resultOf,
  shownTag,
} from "../../game/headers";
import type { Said } from "../../game/position";
import { text } from "../../language/catalogue";
import { Button, Wrong } from "../controls";
import { Window, type WindowProps } from "../dialog";
import { RESULTS } from "../result";

/** A field: the ids of its name and of its whole name, if others have the same one. */
type Field = readonly [tag: EditedTag, name: string, example: string, wholeName?: string];

const FIELDS: readonly Field[] = [
  ["White", "white", ""],
  ["WhiteElo", "rating", "1850", "headers-rating-of-white"],
  ["Black", "black", ""],
  ["BlackElo", "rating", "1850", "headers-rating-of-black"],
  ["Event", "event", ""],
  ["Round", "headers-round", "3"],
  ["Site", "headers-place", ""],
  ["Date", "headers-date", "2026.11.26"],
  ["Annotator", "headers-annotator", ""],
  ["ECO", "headers-eco", "B90"],
];
/** The examples that are texts. */
const EXAMPLES: Partial<Record<EditedTag, string>> = {
  Event: "headers-example-event",
  Site: "headers-example-place",
};
/** The tags from which the values for a field are offered. */
const OFFERED: Partial<Record<EditedTag, readonly EditedTag[]>> = {
  White: ["White", "Black"],
  Black: ["White", "Black"],
  Event: ["Event"],
  Site: ["Site"],
  Annotator: ["Annotator"],
};

export function HeadersWindow({ app, close }: WindowProps) {
  const tree = app.study.tree.value;
  const faults = useSignal<ReadonlyMap<EditedTag, Said>>(new Map());
  const save = (event: Event) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    const values = EDITED.map((tag) => [tag, String(form.get(tag) ?? "")] as const);
    const edit = editHeaders(tree, new Map(values));
    faults.value = edit.faults;
    if (edit.faults.size) return;
    app.study.setHeaders(edit.headers);
    close();
  };
  return (
    <Window title={text("game")} close={close}>
      <form class="game-form" onSubmit={save}>
        {FIELDS.map((field) => (
          <TextField key={field[0]} app={app} field={field} fault={faults.value.get(field[0])} />
        ))}
        <label class="field">
          <span>{text("result")}</span>
          <select name="Result">
            {RESULTS.map(([result, id]) => (
              <option key={result} value={result} selected={result === resultOf(tree)}>
                {text(id)}
              </option>
            ))}
          </select>
          <Wrong text={faultText(faults.value.get("Result"))} in="span" />
        </label>
        <div class="buttons">
          <Button onClick={close}>{text("cancel")}</Button>
          <button type="submit" class="button primary">
            {text("save")}
          </button>
        </div>
      </form>
    </Window>
  );
}

function TextField(props: { app: WindowProps["app"]; field: Field; fault: Said | undefined }) {
  const [tag, name, example, wholeName] = props.field;
  const exampleText = EXAMPLES[tag];
  const { study } = props.app;
  const offered = OFFERED[tag];
  const values = useMemo(() => offered && knownValues(study.games.peek(), offered), [tag]);
  return (
    <label class="field">
      <span>{text(name)}</span>
      <input
        type="text"
        name={tag}
        autoComplete="off"
        spellcheck={false}
        aria-label={wholeName && text(wholeName)}
        placeholder={exampleText ? text(exampleText) : example}
        list={values && `known-${tag}`}
        aria-invalid={props.fault !== undefined}
        defaultValue={shownTag(study.tree.peek().headers, tag)}
      />
      {values && (
        <datalist id={`known-${tag}`}>
          {values.map((value) => (
            <option key={value} value={value} />
          ))}
        </datalist>
      )}
      <Wrong text={faultText(props.fault)} in="span" />
    </label>
  );
}

function faultText(fault: Said | undefined): string {
  return fault ? text(fault.id, fault.variables) : "";
}
