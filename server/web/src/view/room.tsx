/** The room: its panel beside the board, and the window in which it is opened. */

import type { App } from "../app";
import { Button } from "./controls";
import { Copyable, Window, type WindowProps } from "./dialog";

/** The reason why a control is disabled. */
export const NO_CONTROL = "Someone else has control";

export function RoomPanel({ app }: { app: App }) {
  const { room } = app;
  if (room.name.value === null) return null;
  return (
    <section class="room" aria-label="Room">
      {room.isOwner.value ? <OwnerPart app={app} /> : <ViewerPart app={app} />}
    </section>
  );
}

function OwnerPart({ app }: { app: App }) {
  const { room } = app;
  const control = room.control.value;
  const offered = room.offered.value;
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
      <ul class="watchers">
        {room.viewers.value.map(({ id, account }) => (
          <li key={id}>
            <span>
              {account} <span class="hint">({id})</span>
            </span>
            {id === control ? (
              <b>has control</b>
            ) : id === offered ? (
              <Button look="small" onClick={() => room.takeControl()}>
                Withdraw offer
              </Button>
            ) : (
              <Button look="small" onClick={() => room.offerControl(id)}>
                Give control
              </Button>
            )}
          </li>
        ))}
      </ul>
    </>
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
        <Button look="small" onClick={() => room.stopWatching()}>
          Leave
        </Button>
      </div>
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
        Let others watch this board and the engine's analysis live. You stay in control, and can
        give control to one of them. Anyone with the link can watch.
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
