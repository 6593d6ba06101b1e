/** The library in the window that opens games. */

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { FileEntry, Version } from "../../library/database";
import { byFolder, OWN_FILE } from "../../library/folders";
import type { Library } from "../../library/library";
import { asksSomething } from "../../library/query";
import { Button, IconButton } from "../controls";
import type { WindowProps } from "../dialog";
import { LibrarySearch } from "./library_search";

interface Props extends WindowProps {
  readonly library: Library;
}

export function LibraryView(props: WindowProps) {
  const { app } = props;
  useEffect(() => void app.opener.loadLibrary(), []);
  const library = app.opener.library.value;
  if (!library) return null;
  return (
    <div class="stack">
      <h3>Library</h3>
      <Reading library={library} />
      <Saving {...props} library={library} />
      <Files {...props} library={library} />
    </div>
  );
}

function Reading({ library }: { library: Library }) {
  const progress = library.progress.value;
  if (!progress) return null;
  const share = Math.round(100 * progress.share);
  return (
    <div class="buttons">
      <label class="reading">
        {`Reading: ${progress.count} games`}
        <progress max={100} value={share} />
      </label>
      <Button onClick={() => library.cancel()}>Cancel</Button>
    </div>
  );
}

/** Buttons that save the game on the board. */
function Saving({ app, library, close }: Props) {
  const versions = useSignal<readonly Version[]>([]);
  const place = library.place.value;
  useEffect(() => {
    void library.versions().then((found) => {
      versions.value = found;
    });
  }, [place]);
  if (!app.study.tree.value.root.children.length) return null;
  const own = library.files.value.find(({ path }) => path === OWN_FILE);
  const revert = (version: Version) => {
    library.revert(version);
    close();
  };
  return (
    <>
      <div class="buttons">
        {place && (
          <Button onClick={() => library.save()}>{`Save in ${library.nameOf(place.file)}`}</Button>
        )}
        {(!place || place.file !== own?.id) && (
          <Button onClick={() => library.saveNew(own?.id ?? null)}>Save in My games</Button>
        )}
      </div>
      <Unwritten library={library} />
      {versions.value.length > 0 && (
        <details>
          <summary>Earlier versions of this game</summary>
          <ul class="games" aria-label="Earlier versions">
            {versions.value.map((version) => (
              <li key={version.saved}>
                <button type="button" onClick={() => revert(version)}>
                  before {new Date(version.saved).toLocaleString()}
                </button>
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}

/** A question before a file gets another encoding. */
function Unwritten({ library }: { library: Library }) {
  const unwritten = library.unwritten.value;
  if (!unwritten) return null;
  const { path, coding } = unwritten;
  return (
    <div class="buttons" role="alert">
      <p>{`${path} is in ${coding}, which does not have all letters of this game.`}</p>
      <Button onClick={() => (library.unwritten.value = null)}>Do not save</Button>
      <Button look="primary" onClick={() => unwritten.save()}>
        Save, and make the file UTF-8
      </Button>
    </div>
  );
}

function Files({ app, library, close }: Props) {
  const files = library.files.value;
  const deleted = library.deleted.value;
  if (!files.length && !deleted) {
    return <p class="hint">Files with several games that you open are kept here.</p>;
  }
  return (
    <>
      {deleted && (
        <div class="buttons">
          <span>Deleted {deleted.entry.path}</span>
          <Button onClick={() => library.restore()}>Undo</Button>
        </div>
      )}
      <LibrarySearch app={app} library={library} close={close} />
      {!asksSomething(library.finder.query.value) &&
        [...byFolder(files)].map(([folder, inFolder]) => (
          <div key={folder}>
            {folder && <FolderHeading folder={folder} files={inFolder} library={library} />}
            <ul class="kept-files" aria-label={folder ? `Files in ${folder}` : "Files"}>
              {inFolder.map((file) => (
                <FileRow key={file.id} file={file} library={library} />
              ))}
            </ul>
          </div>
        ))}
    </>
  );
}

function FolderHeading(props: { folder: string; files: readonly FileEntry[]; library: Library }) {
  const { folder, files, library } = props;
  const downloadEach = async () => {
    for (const file of files) await library.download(file);
  };
  return (
    <div class="folder">
      <h4>{folder}</h4>
      <Button onClick={() => library.downloadFolder(folder)}>Download as one file</Button>
      <Button onClick={downloadEach}>Download each file</Button>
    </div>
  );
}

function FileRow({ file, library }: { file: FileEntry; library: Library }) {
  const name = useSignal<string | null>(null);
  const rename = (event: Event) => {
    event.preventDefault();
    const path = name.value?.trim().replace(/^\/+|\/+$/g, "");
    if (path && path !== file.path) void library.rename(file.id, path);
    name.value = null;
  };
  if (name.value !== null) {
    return (
      <li>
        <form onSubmit={rename}>
          <input
            aria-label="Name; a slash makes a folder"
            value={name.value}
            onInput={(event) => (name.value = event.currentTarget.value)}
          />
          <button type="submit" class="button">
            Rename
          </button>
        </form>
      </li>
    );
  }
  const title = file.path.split("/").at(-1);
  const count = file.titles.length;
  return (
    <li>
      <button type="button" class="file" onClick={() => library.openKept(file.id)}>
        {title} <span class="hint">{count === 1 ? "1 game" : `${count} games`}</span>
      </button>
      <IconButton
        icon="pen"
        label={`Rename or move ${title}`}
        onClick={() => (name.value = file.path)}
      />
      <IconButton icon="share" label={`Download ${title}`} onClick={() => library.download(file)} />
      <IconButton icon="trash" label={`Delete ${title}`} onClick={() => library.remove(file.id)} />
    </li>
  );
}
