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
import { Button, Wrong } from "../controls";
import { Window, type WindowProps } from "../dialog";
import { RESULTS } from "../result";

type Field = readonly [tag: EditedTag, name: string, example: string, more?: string];

const FIELDS: readonly Field[] = [
  ["White", "White", ""],
  ["WhiteElo", "Rating", "1850", " of White"],
  ["Black", "Black", ""],
  ["BlackElo", "Rating", "1850", " of Black"],
  ["Event", "Event", "Club championship"],
  ["Round", "Round", "3"],
  ["Site", "Place", "Leipzig"],
  ["Date", "Date", "2026.11.26"],
  ["Annotator", "Comments by", ""],
  ["ECO", "ECO code", "B90"],
];
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
  const faults = useSignal<ReadonlyMap<EditedTag, string>>(new Map());
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
    <Window title="Game" close={close}>
      <form class="game-form" onSubmit={save}>
        {FIELDS.map((field) => (
          <TextField key={field[0]} app={app} field={field} fault={faults.value.get(field[0])} />
        ))}
        <label class="field">
          <span>Result</span>
          <select name="Result">
            {RESULTS.map(([result, name]) => (
              <option key={result} value={result} selected={result === resultOf(tree)}>
                {name}
              </option>
            ))}
          </select>
          <Wrong text={faults.value.get("Result") ?? ""} in="span" />
        </label>
        <div class="buttons">
          <Button onClick={close}>Cancel</Button>
          <button type="submit" class="button primary">
            Save
          </button>
        </div>
      </form>
    </Window>
  );
}

function TextField(props: { app: WindowProps["app"]; field: Field; fault: string | undefined }) {
  const [tag, name, example, more] = props.field;
  const { study } = props.app;
  const offered = OFFERED[tag];
  const values = useMemo(() => offered && knownValues(study.games.peek(), offered), [tag]);
  return (
    <label class="field">
      <span>
        {name}
        {more && <span class="unseen">{more}</span>}
      </span>
      <input
        type="text"
        name={tag}
        autoComplete="off"
        spellcheck={false}
        placeholder={example}
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
      <Wrong text={props.fault ?? ""} in="span" />
    </label>
  );
}
