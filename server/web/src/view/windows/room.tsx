/** Share the analysis while it runs: others watch by a link, and may be handed control. */

import { Copyable, Window } from "../dialog";
import type { Props } from "./props";

export function RoomWindow({ app, close }: Props) {
  const { room } = app.gathering;
  const name = room.name.value;
  const copied = () => app.notes.say("Copied", "Anyone with the link can watch.");
  const isConnected = app.analysis.link.value.kind === "open";
  return (
    <Window title="Analyse together" close={close}>
      <div class="stack">
        {name === null ? (
          <>
            <p>
              Let others watch this board and the engine's analysis live. You stay in control, and
              can give control to one of them. Anyone with the link can watch.
            </p>
            <div class="buttons">
              <button
                type="button"
                class="button primary"
                disabled={!isConnected}
                onClick={() => room.open()}
              >
                Open a room
              </button>
            </div>
            {!isConnected && <p class="hint">The engine is not connected right now.</p>}
          </>
        ) : (
          <>
            <Copyable label="Link for viewers" text={app.gathering.link} copied={copied} />
            <p class="hint">The room lasts as long as your session, or until you close it.</p>
            <div class="buttons">
              <button
                type="button"
                class="button"
                onClick={() => {
                  room.close();
                  close();
                }}
              >
                Close the room
              </button>
              <button type="button" class="button primary" onClick={close}>
                Done
              </button>
            </div>
          </>
        )}
      </div>
    </Window>
  );
}
