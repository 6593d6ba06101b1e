/** The library in the window that opens games. */

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { dateLanguage, text } from "../../language/catalogue";
import type { FileEntry, Version } from "../../library/database";
import { byFolder, OWN_FILE } from "../../library/folders";
import type { Library } from "../../library/library";
import { asksSomething } from "../../library/query";
import { Button, IconButton } from "../controls";
import type { WindowProps } from "../dialog";
import { LibrarySearch } from "./library_search";
import { FolderOnServer, OnServer, ServerProblem } from "./library_server";

interface Props extends WindowProps {
  readonly library: Library;
}

export function LibraryView(props: WindowProps) {
  const { app } = props;
  useEffect(() => void app.opener.loadLibrary(), []);
  const library = app.opener.library.value;
  useEffect(() => library?.runSync(), [library]);
  if (!library) return null;
  return (
    <div class="stack">
      <h3>{text("library")}</h3>
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
        {text("library-reading", { count: progress.count })}
        <progress max={100} value={share} />
      </label>
      <Button onClick={() => library.cancel()}>{text("cancel")}</Button>
    </div>
  );
}

/** Buttons that save the game on the board. */
function Saving({ app, library, close }: Props) {
  const versions = useSignal<readonly Version[]>([]);
  const place = library.game.place.value;
  useEffect(() => {
    void library.game.versions().then((found) => {
      versions.value = found;
    });
  }, [place]);
  if (!app.study.tree.value.root.children.length) return null;
  const own = library.files.value.find(({ path }) => path === OWN_FILE);
  const revert = (version: Version) => {
    void library.game.revert(version);
    close();
  };
  return (
    <>
      <div class="buttons">
        {place && (
          <Button onClick={() => library.game.save()}>
            {text("library-save-in", { file: library.nameOf(place.file) })}
          </Button>
        )}
        {(!place || place.file !== own?.id) && (
          <Button onClick={() => library.game.saveNew(own?.id ?? null)}>
            {text("library-save-in-own")}
          </Button>
        )}
      </div>
      <Unwritten library={library} />
      {versions.value.length > 0 && (
        <details>
          <summary>{text("library-earlier-of-game")}</summary>
          <ul class="games" aria-label={text("library-earlier")}>
            {versions.value.map((version) => (
              <li key={version.saved}>
                <button type="button" onClick={() => revert(version)}>
                  {text("library-before", {
                    time: new Date(version.saved).toLocaleString(dateLanguage()),
                  })}
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
  const unwritten = library.game.unwritten.value;
  if (!unwritten) return null;
  const { path, coding } = unwritten;
  return (
    <div class="buttons" role="alert">
      <p>{text("library-lacks-letters", { path, coding })}</p>
      <Button onClick={() => (library.game.unwritten.value = null)}>
        {text("library-do-not-save")}
      </Button>
      <Button look="primary" onClick={() => unwritten.save()}>
        {text("library-save-utf8")}
      </Button>
    </div>
  );
}

function Files({ app, library, close }: Props) {
  const files = library.files.value;
  const deleted = library.deleted.value;
  if (!files.length && !deleted) {
    return <p class="hint">{text("library-empty")}</p>;
  }
  return (
    <>
      {deleted && (
        <div class="buttons">
          <span>{text("library-deleted", { path: deleted.entry.path })}</span>
          <Button onClick={() => library.restore()}>{text("library-undo")}</Button>
        </div>
      )}
      <ServerProblem library={library} />
      <LibrarySearch app={app} library={library} close={close} />
      {!asksSomething(library.finder.query.value) &&
        [...byFolder(files)].map(([folder, inFolder]) => (
          <div key={folder}>
            {folder && <FolderHeading folder={folder} files={inFolder} library={library} />}
            <ul
              class="kept-files"
              aria-label={folder ? text("library-files-in", { folder }) : text("library-files")}
            >
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
      <Button onClick={() => library.downloadFolder(folder)}>
        {text("library-download-as-one")}
      </Button>
      <Button onClick={downloadEach}>{text("library-download-each")}</Button>
      <FolderOnServer folder={folder} files={files} library={library} />
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
            aria-label={text("library-name")}
            value={name.value}
            onInput={(event) => (name.value = event.currentTarget.value)}
          />
          <button type="submit" class="button">
            {text("library-rename")}
          </button>
        </form>
      </li>
    );
  }
  const title = file.path.split("/").at(-1) ?? "";
  const count = file.titles.length;
  return (
    <li>
      <button type="button" class="file" onClick={() => library.openKept(file.id)}>
        {title} <span class="hint">{text("library-games", { count })}</span>
      </button>
      <IconButton
        icon="pen"
        label={text("library-rename-file", { file: title })}
        onClick={() => (name.value = file.path)}
      />
      <IconButton
        icon="share"
        label={text("library-download-file", { file: title })}
        onClick={() => library.download(file)}
      />
      <IconButton
        icon="trash"
        label={text("library-delete-file", { file: title })}
        onClick={() => library.remove(file.id)}
      />
      <OnServer file={file} library={library} />
    </li>
  );
}
