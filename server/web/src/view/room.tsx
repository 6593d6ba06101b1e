/** The room: its panel beside the board, and the window in which it is opened. */

import { useSignal } from "@preact/signals";
import type { App } from "../app";
import { text } from "../language/catalogue";
import { nameOf, type Person, rightsOf, viewersOf } from "../room/people";
import { OWNER } from "../settings";
import { Button, IconButton } from "./controls";
import { Copyable, Window, type WindowProps } from "./dialog";

export function RoomPanel({ app }: { app: App }) {
  const { room } = app;
  return (
    <section class="room" aria-label={text("room")}>
      {room.isOwner.value ? <OwnerPart app={app} /> : <ViewerPart app={app} />}
    </section>
  );
}

function OwnerPart({ app }: { app: App }) {
  const { room } = app;
  return (
    <>
      <div class="room-head">
        <b>{text("room-live")}</b>
        <span data-testid="watching">
          {text("room-viewers", { count: room.viewerCount.value })}
        </span>
        <Button look="small" onClick={() => app.openDialog("room")}>
          {text("link")}
        </Button>
        {!room.hasControl.value && (
          <Button look="small primary" onClick={() => room.takeControl()}>
            {text("room-take-control")}
          </Button>
        )}
      </div>
      {app.engineToConfirm.value !== null && <EngineConfirmation app={app} />}
      <WayBack app={app} />
      <ul class="watchers">
        {viewersOf(room.viewers.value, room.board.members.value).map((person) => (
          <Viewer key={person.id} app={app} person={person} />
        ))}
      </ul>
      <Own app={app} />
    </>
  );
}

/** A viewer in the owner's list. */
function Viewer({ app, person }: { app: App; person: Person }) {
  const { room } = app;
  const { id, name, account, mayWrite, isMember } = person;
  const rights = rightsOf(id, room.control.value, mayWrite);
  return (
    <li>
      <span>
        {name} {account && <span class="hint">({account})</span>} {rights && <b>{rights}</b>}
      </span>
      <div class="room-head">
        {id === room.offered.value ? (
          <Button look="small" onClick={() => room.takeControl()}>
            {text("room-withdraw-offer")}
          </Button>
        ) : (
          id !== room.control.value && (
            <Button look="small" onClick={() => room.offerControl(id)}>
              {text("room-give-control")}
            </Button>
          )
        )}
        {isMember && id !== room.control.value && (
          <Button look="small" onClick={() => room.board.allow(id, !mayWrite)}>
            {text(mayWrite ? "room-stop-writing" : "room-let-write")}
          </Button>
        )}
        <IconButton
          icon="close"
          label={text("room-remove", { name })}
          onClick={() => room.board.remove(id)}
        />
      </div>
    </li>
  );
}

/** The way back to what the page with control shows, for a page that is elsewhere in the game. */
function WayBack({ app }: { app: App }) {
  const { board } = app.room;
  if (!board.isShared.value || board.isLive.value) return null;
  return (
    <div class="room-head">
      <span>{text("room-elsewhere")}</span>
      <Button
        look="small primary"
        title={text("room-back-to-live-title")}
        onClick={() => board.backToLive()}
      >
        {text("room-back-to-live")}
      </Button>
    </div>
  );
}

/** The name of this page's user, and the last change of another's. */
function Own({ app }: { app: App }) {
  const { board, self } = app.room;
  if (!board.isShared.value) return null;
  const writer = board.lastWriter.value;
  const isOther = writer !== null && writer !== self.value;
  const name = isOther ? nameOf(writer, board.members.value) : "";
  return (
    <>
      <NameField app={app} />
      {isOther && <p class="hint">{text("room-last-change", { name })}</p>}
    </>
  );
}

/** The name by which others see this page. */
function NameField({ app }: { app: App }) {
  const { board, self } = app.room;
  const isOpen = useSignal(false);
  const name = nameOf(self.value, board.members.value);
  if (!isOpen.value) {
    return (
      <div class="room-head">
        <span>{text("room-your-name-here", { name })}</span>
        <Button look="small" onClick={() => (isOpen.value = true)}>
          {text("room-change-name")}
        </Button>
      </div>
    );
  }
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const field = new FormData(event.currentTarget as HTMLFormElement).get("name");
    app.setRoomName(String(field ?? "").trim());
    isOpen.value = false;
  };
  return (
    <form class="room-head" onSubmit={submit}>
      <label>
        {text("room-your-name")}{" "}
        <input name="name" type="text" maxLength={40} value={app.settings.value.roomName} />
      </label>
      <button type="submit" class="button small">
        {text("room-save-name")}
      </button>
    </form>
  );
}

/** A question: another engine means another session, and the room ends with this one. */
function EngineConfirmation({ app }: { app: App }) {
  return (
    <div class="room-head" role="alert">
      <span>{text("room-engine-closes", { count: app.room.viewerCount.value })}</span>
      <Button look="small danger" onClick={() => app.confirmEngine(true)}>
        {text("room-yes-change")}
      </Button>
      <Button look="small" onClick={() => app.confirmEngine(false)}>
        {text("room-keep-engine")}
      </Button>
    </div>
  );
}

function ViewerPart({ app }: { app: App }) {
  const { room } = app;
  const hasControl = room.hasControl.value;
  const isOffered = room.offered.value !== null && room.offered.value === room.self.value;
  return (
    <>
      <div class="room-head">
        <b>{text("room-live")}</b>
        <span data-testid="watching">
          {text(hasControl ? "room-you-have-control" : "room-watching", {
            count: Math.max(0, room.viewerCount.value - 1),
          })}
        </span>
        {hasControl && (
          <Button look="small" onClick={() => room.returnControl()}>
            {text("room-give-back")}
          </Button>
        )}
        {room.board.isShared.value && (
          <Button
            look="small"
            title={text("room-save-copy-title")}
            onClick={() => room.stopWatching(true)}
          >
            {text("room-save-copy")}
          </Button>
        )}
        <Button look="small" onClick={() => room.stopWatching()}>
          {text("room-leave")}
        </Button>
      </div>
      {isOffered && (
        <div class="room-head" role="alert">
          <span>{text("room-offered")}</span>
          <Button look="small primary" onClick={() => room.acceptControl()}>
            {text("room-accept")}
          </Button>
          <Button look="small" onClick={() => room.declineControl()}>
            {text("room-decline")}
          </Button>
        </div>
      )}
      <WayBack app={app} />
      <Members app={app} />
      <Own app={app} />
    </>
  );
}

/** The others in the room, as a viewer sees them. */
function Members({ app }: { app: App }) {
  const { board, control, self } = app.room;
  const members = board.members.value;
  const others = members.filter(({ id }) => id !== self.value);
  return (
    <ul class="watchers">
      {others.map(({ id, mayWrite }) => (
        <li key={id}>
          <span>
            {nameOf(id, members)} {id === OWNER && <span class="hint">{text("room-owner")}</span>}
          </span>
          <b>{rightsOf(id, control.value, mayWrite)}</b>
        </li>
      ))}
    </ul>
  );
}

export function RoomWindow({ app, close }: WindowProps) {
  const isOpen = app.room.name.value !== null;
  return (
    <Window title={text("room-together")} close={close}>
      <div class="stack">
        {isOpen ? <OpenRoom app={app} close={close} /> : <NoRoom app={app} />}
      </div>
    </Window>
  );
}

function NoRoom({ app }: { app: App }) {
  const isConnected = app.analysis.main.connection.value.type === "open";
  return (
    <>
      <p>{text("room-explained")}</p>
      <div class="buttons">
        <Button look="primary" disabled={!isConnected} onClick={() => app.room.open()}>
          {text("room-open")}
        </Button>
      </div>
      {!isConnected && <p class="hint">{text("room-not-connected")}</p>}
    </>
  );
}

function OpenRoom({ app, close }: WindowProps) {
  const copied = () => app.toasts.addNote(text("copied"), text("room-anyone"));
  const closeRoom = () => {
    app.room.close();
    close();
  };
  return (
    <>
      <Copyable label={text("room-viewers-link")} text={app.room.link} copied={copied} />
      <p class="hint">{text("room-lasts")}</p>
      <div class="buttons">
        <Button onClick={closeRoom}>{text("room-close")}</Button>
        <Button look="primary" onClick={close}>
          {text("room-done")}
        </Button>
      </div>
    </>
  );
}
