/** The room beside the board: who watches, who has control, and who may have it. */

import type { App } from "../app";

/** Why something is not for this page to do. */
export const NO_CONTROL = "Someone else has control";

export function RoomPanel({ app }: { app: App }) {
  const { gathering } = app;
  const { room } = gathering;
  if (room.name.value === null) return null;
  return (
    <section class="room" aria-label="Room">
      {room.isOwner.value ? <OwnersPart app={app} /> : <WatchersPart app={app} />}
    </section>
  );
}

function OwnersPart({ app }: { app: App }) {
  const { room } = app.gathering;
  const control = room.control.value;
  const offered = room.offered.value;
  return (
    <>
      <div class="room-head">
        <b>Live</b>
        <span data-testid="watching">{countText(room.watching.value)}</span>
        <button
          type="button"
          class="button small"
          onClick={() => {
            app.dialog.value = "room";
          }}
        >
          Link
        </button>
        {!room.hasControl.value && (
          <button type="button" class="button small primary" onClick={() => room.take()}>
            Take back control
          </button>
        )}
      </div>
      {app.asked.value !== null && <MayClose app={app} />}
      <ul class="watchers">
        {room.watchers.value.map(({ id, account }) => (
          <li key={id}>
            <span>
              {account} <span class="hint">({id})</span>
            </span>
            {id === control ? (
              <b>has control</b>
            ) : id === offered ? (
              <button type="button" class="button small" onClick={() => room.take()}>
                Withdraw offer
              </button>
            ) : (
              <button type="button" class="button small" onClick={() => room.hand(id)}>
                Give control
              </button>
            )}
          </li>
        ))}
      </ul>
    </>
  );
}

/** Another engine is another session, and the room ends with this one. */
function MayClose({ app }: { app: App }) {
  return (
    <div class="room-head" role="alert">
      <span>
        Another engine closes the room for {countText(app.gathering.room.watching.value)}.
      </span>
      <button type="button" class="button small danger" onClick={() => app.answer(true)}>
        Yes, change
      </button>
      <button type="button" class="button small" onClick={() => app.answer(false)}>
        Keep the engine
      </button>
    </div>
  );
}

function WatchersPart({ app }: { app: App }) {
  const { gathering } = app;
  const { room } = gathering;
  const has = room.hasControl.value;
  const isOffered = room.offered.value !== null && room.offered.value === room.self.value;
  return (
    <>
      <div class="room-head">
        <b>Live</b>
        <span data-testid="watching">
          {has ? "you have control" : "watching"}, {countText(room.watching.value)}
        </span>
        {has && (
          <button type="button" class="button small" onClick={() => room.giveBack()}>
            Give back control
          </button>
        )}
        <button type="button" class="button small" onClick={() => gathering.leave()}>
          Leave
        </button>
      </div>
      {isOffered && (
        <div class="room-head" role="alert">
          <span>You are offered control.</span>
          <button type="button" class="button small primary" onClick={() => room.accept()}>
            Accept
          </button>
          <button type="button" class="button small" onClick={() => room.decline()}>
            Decline
          </button>
        </div>
      )}
    </>
  );
}

function countText(number: number): string {
  if (number === 0) return "no viewers yet";
  return number === 1 ? "1 viewer" : `${number} viewers`;
}
