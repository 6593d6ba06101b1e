/** The search of the library: by words, by the tags of games, by opening, by position. */

import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { text } from "../../language/catalogue";
import { byFolder } from "../../library/folders";
import type { Library } from "../../library/library";
import { asksSomething, NO_QUERY, needsIndex, type Query } from "../../library/query";
import { Button, Select } from "../controls";
import type { WindowProps } from "../dialog";

const MOST_FOUND = 100; // games that are shown

interface Props extends WindowProps {
  readonly library: Library;
}

type TextField = Exclude<keyof Query, "words" | "folder" | "result" | "rating" | "position">;

const FIELDS: readonly (readonly [field: TextField, label: string, example: string | null])[] = [
  ["white", "white", null],
  ["black", "black", null],
  ["either", "library-either-player", null],
  ["event", "event", null],
  ["opening", "library-opening", "library-example-opening"],
  ["from", "library-from", "library-example-from"],
  ["to", "library-to", "library-example-to"],
];
// The values of what is chosen, and the ids of their texts.
const RESULTS = [
  ["", "library-any-result"],
  ["1-0", "library-white-won"],
  ["0-1", "library-black-won"],
  ["1/2-1/2", "library-draw"],
] as const;

export function LibrarySearch(props: Props) {
  const { finder } = props.library;
  const query = finder.query.value;
  const isOpen = useSignal(false);
  const top = useRef<HTMLInputElement>(null);
  const isFolded = !isOpen.value && needsIndex(query);
  const isFound = finder.found.value !== null;
  // The games of a file may be above: what was found would be below the end of the window.
  useEffect(() => {
    if (isFolded) top.current?.scrollIntoView();
  }, [isFolded, isFound, query.position]);
  return (
    <>
      <input
        ref={top}
        type="search"
        aria-label={text("library-search")}
        placeholder={text("library-search-hint")}
        value={query.words}
        onInput={(event) => finder.change({ words: event.currentTarget.value })}
      />
      <details open={isOpen.value} onToggle={(event) => (isOpen.value = event.currentTarget.open)}>
        <summary>{text("library-search-by")}</summary>
        <Conditions {...props} fold={() => (isOpen.value = false)} />
      </details>
      {isFolded && (
        <div class="buttons">
          <span class="hint">{conditionsText(query, props.app.study.node.value.fen)}</span>
          <Button onClick={() => finder.change(NO_QUERY)}>{text("library-clear")}</Button>
        </div>
      )}
      <Indexing library={props.library} />
      {asksSomething(query) && <Results {...props} />}
    </>
  );
}

/** What is searched, while the form is folded away. */
function conditionsText(query: Query, here: string): string {
  const result = RESULTS.find(([value]) => value && value === query.result);
  const parts = [
    query.position &&
      (query.position.fen === here
        ? text("library-with-position")
        : text("library-with-other-position")),
    ...FIELDS.map(
      ([field, label]) =>
        query[field] && text("library-condition", { name: text(label), value: query[field] }),
    ),
    query.rating > 0 &&
      text("library-condition", { name: text("library-rated"), value: String(query.rating) }),
    result && text("library-condition", { name: text("result"), value: text(result[1]) }),
  ];
  return parts.filter(Boolean).join(", ");
}

/** The form; `fold` shows what was found in its place. */
function Conditions({ app, library, fold }: Props & { fold: () => void }) {
  const { finder } = library;
  const query = finder.query.value;
  const here = app.study.node.value;
  const isHere = query.position?.fen === here.fen;
  const folders = [...byFolder(library.files.value).keys()].filter(Boolean);
  return (
    <form
      class="library-search"
      onSubmit={(event) => {
        event.preventDefault();
        fold();
      }}
    >
      <div class="wide">
        {query.position && (
          <Button onClick={() => finder.change({ position: null })}>
            {text("library-in-any-position")}
          </Button>
        )}
        {!isHere && (
          <Button
            onClick={() => {
              library.wantPosition(here);
              fold();
            }}
          >
            {text("library-search-position")}
          </Button>
        )}
        {query.position && (
          <p class="hint">
            {isHere
              ? text("library-with-position-explained")
              : text("library-with-other-position-explained")}
          </p>
        )}
      </div>
      {FIELDS.map(([field, label, example]) => (
        <label key={field}>
          {text(label)}
          <input
            type="text"
            value={query[field]}
            placeholder={example ? text(example) : ""}
            onInput={(event) => finder.change({ [field]: event.currentTarget.value })}
          />
        </label>
      ))}
      <label>
        {text("library-rated")}
        <input
          type="number"
          min={0}
          max={4000}
          value={query.rating || ""}
          onInput={(event) => finder.change({ rating: Number(event.currentTarget.value) })}
        />
      </label>
      <div>
        {text("result")}
        <Select
          label={text("result")}
          value={query.result}
          options={RESULTS.map(([value, id]): [string, string] => [value, text(id)])}
          set={(result) => finder.change({ result })}
        />
      </div>
      {folders.length > 0 && (
        <div>
          {text("library-folder")}
          <Select
            label={text("library-folder")}
            value={query.folder}
            options={[
              ["", text("library-all-folders")],
              ...folders.map((each): [string, string] => [each, each]),
            ]}
            set={(folder) => finder.change({ folder })}
          />
        </div>
      )}
      <div class="wide buttons">
        <button type="submit" class="button primary" disabled={!asksSomething(query)}>
          {finder.found.value
            ? text("library-show-games", { count: finder.found.value.length })
            : text("library-show")}
        </button>
        <Button onClick={() => finder.change(NO_QUERY)}>{text("library-clear")}</Button>
      </div>
    </form>
  );
}

/** How many games can be searched, until all can. */
function Indexing({ library }: { library: Library }) {
  const { done, total, isRunning } = library.indexer.progress.value;
  if (done >= total) return null;
  return (
    <div class="buttons">
      <label class="reading">
        {text("library-indexed", { done, total })}
        <progress max={total} value={done} />
      </label>
      {isRunning ? (
        <Button onClick={() => library.indexer.cancel()}>{text("library-pause")}</Button>
      ) : (
        <Button onClick={() => library.buildIndex()}>{text("library-continue")}</Button>
      )}
    </div>
  );
}

function Results({ library, close }: Props) {
  const found = library.finder.found.value;
  if (!found) return <p class="hint">{text("library-searching")}</p>;
  return (
    <>
      {found.length > 0 && (
        <div class="buttons">
          <span class="hint">{shownText(found.length)}</span>
          <Button onClick={() => library.downloadFound()}>{text("library-download-found")}</Button>
        </div>
      )}
      <ul class="games" aria-label={text("library-found")}>
        {found.slice(0, MOST_FOUND).map((each) => (
          <li key={`${each.file.id} ${each.at}`}>
            <button
              type="button"
              onClick={async () => {
                await library.openFound(each);
                close();
              }}
            >
              {each.title || text("game-number", { number: each.at + 1 })}{" "}
              <span class="hint">{each.file.path}</span>
            </button>
          </li>
        ))}
        {!found.length && <li class="hint">{text("library-no-matching")}</li>}
      </ul>
    </>
  );
}

function shownText(count: number): string {
  return count > MOST_FOUND
    ? text("library-games-first", { count, shown: MOST_FOUND })
    : text("library-games", { count });
}
