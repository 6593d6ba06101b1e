/** The search of the library: by words, by the tags of games, by opening, by position. */

import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
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

const FIELDS: readonly (readonly [field: TextField, label: string, example: string])[] = [
  ["white", "White", ""],
  ["black", "Black", ""],
  ["either", "Either player", ""],
  ["event", "Event", ""],
  ["opening", "Opening", "B90 or Najdorf"],
  ["from", "From", "2024 or 2024.05.31"],
  ["to", "To", "2026"],
];
const RESULTS: [string, string][] = [
  ["", "Any result"],
  ["1-0", "White won"],
  ["0-1", "Black won"],
  ["1/2-1/2", "Draw"],
];

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
        aria-label="Search the library"
        placeholder="Search the library: players, event, date, result"
        value={query.words}
        onInput={(event) => finder.change({ words: event.currentTarget.value })}
      />
      <details open={isOpen.value} onToggle={(event) => (isOpen.value = event.currentTarget.open)}>
        <summary>Search by position, opening, players, date</summary>
        <Conditions {...props} fold={() => (isOpen.value = false)} />
      </details>
      {isFolded && (
        <div class="buttons">
          <span class="hint">{conditionsText(query, props.app.study.node.value.fen)}</span>
          <Button onClick={() => finder.change(NO_QUERY)}>Clear</Button>
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
        ? "Games with the position on the board"
        : "Games with another position"),
    ...FIELDS.map(([field, label]) => query[field] && `${label}: ${query[field]}`),
    query.rating > 0 && `Both rated at least: ${query.rating}`,
    result && `Result: ${result[1]}`,
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
          <Button onClick={() => finder.change({ position: null })}>In any position</Button>
        )}
        {!isHere && (
          <Button
            onClick={() => {
              library.wantPosition(here);
              fold();
            }}
          >
            With the position on the board
          </Button>
        )}
        {query.position && (
          <p class="hint">
            {isHere ? "Games with the position on the board" : "Games with another position"}, in
            their main line, by any order of moves.
          </p>
        )}
      </div>
      {FIELDS.map(([field, label, example]) => (
        <label key={field}>
          {label}
          <input
            type="text"
            value={query[field]}
            placeholder={example}
            onInput={(event) => finder.change({ [field]: event.currentTarget.value })}
          />
        </label>
      ))}
      <label>
        Both rated at least
        <input
          type="number"
          min={0}
          max={4000}
          value={query.rating || ""}
          onInput={(event) => finder.change({ rating: Number(event.currentTarget.value) })}
        />
      </label>
      <div>
        Result
        <Select
          label="Result"
          value={query.result}
          options={RESULTS}
          set={(result) => finder.change({ result })}
        />
      </div>
      {folders.length > 0 && (
        <div>
          Folder
          <Select
            label="Folder"
            value={query.folder}
            options={[["", "All"], ...folders.map((each): [string, string] => [each, each])]}
            set={(folder) => finder.change({ folder })}
          />
        </div>
      )}
      <div class="wide buttons">
        <button type="submit" class="button primary" disabled={!asksSomething(query)}>
          {finder.found.value ? `Show ${countText(finder.found.value.length)}` : "Show games"}
        </button>
        <Button onClick={() => finder.change(NO_QUERY)}>Clear</Button>
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
        {`${done} of ${total} games can be searched by position and opening so far`}
        <progress max={total} value={done} />
      </label>
      {isRunning ? (
        <Button onClick={() => library.indexer.cancel()}>Pause</Button>
      ) : (
        <Button onClick={() => library.buildIndex()}>Continue</Button>
      )}
    </div>
  );
}

function Results({ library, close }: Props) {
  const found = library.finder.found.value;
  if (!found) return <p class="hint">Searching…</p>;
  return (
    <>
      {found.length > 0 && (
        <div class="buttons">
          <span class="hint">{shownText(found.length)}</span>
          <Button onClick={() => library.downloadFound()}>Download all that were found</Button>
        </div>
      )}
      <ul class="games" aria-label="Games found">
        {found.slice(0, MOST_FOUND).map((each) => (
          <li key={`${each.file.id} ${each.at}`}>
            <button
              type="button"
              onClick={async () => {
                await library.openFound(each);
                close();
              }}
            >
              {each.title || `Game ${each.at + 1}`} <span class="hint">{each.file.path}</span>
            </button>
          </li>
        ))}
        {!found.length && <li class="hint">No matching games.</li>}
      </ul>
    </>
  );
}

function shownText(count: number): string {
  if (count > MOST_FOUND) return `${count} games, of which the first ${MOST_FOUND} are shown`;
  return countText(count);
}

function countText(count: number): string {
  return count === 1 ? "1 game" : `${count} games`;
}
