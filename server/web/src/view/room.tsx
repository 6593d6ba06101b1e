/** The room: its panel beside the board, and the window in which it is opened. */

import { useSignal } from "@preact/signals";
import type { App } from "../app";
import { nameOf, type Person, rightsOf, viewersOf } from "../room/people";
import { OWNER } from "../settings";
import { Button, IconButton } from "./controls";
import { Copyable, Window, type WindowProps } from "./dialog";

export function RoomPanel({ app }: { app: App }) {
  const { room } = app;
  return (
    <section class="room" aria-label="Room">
      {room.isOwner.value ? <OwnerPart app={app} /> : <ViewerPart app={app} />}
    </section>
  );
}

function OwnerPart({ app }: { app: App }) {
  const { room } = app;
  return (
    <>
      <div class="room-head">
        <b>Live</b>
        <span data-testid="watching">{countText(room.viewerCount.value)}</span>
        <Button look="small" onClick={() => app.openDialog("room")}>
          Link
        </Button>
        {!room.hasControl.value && (
          <Button look="small primary" onClick={() => room.takeControl()}>
            Take back control
          </Button>
        )}
      </div>
      {app.engineToConfirm.value !== null && <EngineConfirmation app={app} />}
      <SharedState app={app} />
      <ul class="watchers">
        {viewersOf(room.viewers.value, room.board.members.value).map((person) => (
          <Viewer key={person.id} app={app} person={person} />
        ))}
      </ul>
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
      {id === room.offered.value ? (
        <Button look="small" onClick={() => room.takeControl()}>
          Withdraw offer
        </Button>
      ) : (
        id !== room.control.value && (
          <Button look="small" onClick={() => room.offerControl(id)}>
            Give control
          </Button>
        )
      )}
      {isMember && (
        <Button look="small" onClick={() => room.board.allow(id, !mayWrite)}>
          {mayWrite ? "Stop writing" : "Let write"}
        </Button>
      )}
      <IconButton icon="close" label={`Remove ${name}`} onClick={() => room.board.remove(id)} />
    </li>
  );
}

/** Where this page is in the shared game, and the last change of it. */
function SharedState({ app }: { app: App }) {
  const { board } = app.room;
  const members = board.members.value;
  if (!board.isShared.value) return null;
  const writer = board.lastWriter.value;
  const isOther = writer !== null && writer !== app.room.self.value;
  return (
    <>
      {!board.isLive.value && (
        <div class="room-head">
          <span>You look at another position.</span>
          <Button look="small primary" title="Back to live (v)" onClick={() => board.backToLive()}>
            Back to live
          </Button>
        </div>
      )}
      {isOther && <p class="hint">Last change: {nameOf(writer, members)}</p>}
      <NameField app={app} />
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
        <span>Your name here: {name}</span>
        <Button look="small" onClick={() => (isOpen.value = true)}>
          Change name
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
        Your name{" "}
        <input name="name" type="text" maxLength={40} value={app.settings.value.roomName} />
      </label>
      <button type="submit" class="button small">
        Save name
      </button>
    </form>
  );
}

/** A question: another engine means another session, and the room ends with this one. */
function EngineConfirmation({ app }: { app: App }) {
  return (
    <div class="room-head" role="alert">
      <span>Another engine closes the room for {countText(app.room.viewerCount.value)}.</span>
      <Button look="small danger" onClick={() => app.confirmEngine(true)}>
        Yes, change
      </Button>
      <Button look="small" onClick={() => app.confirmEngine(false)}>
        Keep the engine
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
        <b>Live</b>
        <span data-testid="watching">
          {hasControl ? "you have control" : "watching"}, {othersText(room.viewerCount.value)}
        </span>
        {hasControl && (
          <Button look="small" onClick={() => room.returnControl()}>
            Give back control
          </Button>
        )}
        {room.board.isShared.value && (
          <Button
            look="small"
            title="Leave with a copy of the game; undo brings your own back"
            onClick={() => room.stopWatching(true)}
          >
            Save a copy
          </Button>
        )}
        <Button look="small" onClick={() => room.stopWatching()}>
          Leave
        </Button>
      </div>
      <SharedState app={app} />
      <Members app={app} />
      {isOffered && (
        <div class="room-head" role="alert">
          <span>You are offered control.</span>
          <Button look="small primary" onClick={() => room.acceptControl()}>
            Accept
          </Button>
          <Button look="small" onClick={() => room.declineControl()}>
            Decline
          </Button>
        </div>
      )}
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
            {nameOf(id, members)} {id === OWNER && <span class="hint">(owner)</span>}
          </span>
          <b>{rightsOf(id, control.value, mayWrite)}</b>
        </li>
      ))}
    </ul>
  );
}

function countText(number: number): string {
  if (number === 0) return "no viewers yet";
  return number === 1 ? "1 viewer" : `${number} viewers`;
}

/** Return the count for a viewer, who is one of them. */
function othersText(number: number): string {
  if (number <= 1) return "no other viewers";
  return number === 2 ? "1 other viewer" : `${number - 1} other viewers`;
}

export function RoomWindow({ app, close }: WindowProps) {
  const isOpen = app.room.name.value !== null;
  return (
    <Window title="Analyse together" close={close}>
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
      <p>
        Let others watch this game and the engine's analysis live. You stay in control, can give
        control to one of them, and let others write. Anyone with the link can watch.
      </p>
      <div class="buttons">
        <Button look="primary" disabled={!isConnected} onClick={() => app.room.open()}>
          Open a room
        </Button>
      </div>
      {!isConnected && <p class="hint">The engine is not connected right now.</p>}
    </>
  );
}

function OpenRoom({ app, close }: WindowProps) {
  const copied = () => app.toasts.addNote("Copied", "Anyone with the link can watch.");
  const closeRoom = () => {
    app.room.close();
    close();
  };
  return (
    <>
      <Copyable label="Link for viewers" text={app.room.link} copied={copied} />
      <p class="hint">The room lasts as long as your session, or until you close it.</p>
      <div class="buttons">
        <Button onClick={closeRoom}>Close the room</Button>
        <Button look="primary" onClick={close}>
          Done
        </Button>
      </div>
    </>
  );
}
