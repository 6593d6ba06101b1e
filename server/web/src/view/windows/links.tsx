/** The part of the window Share that makes links to the game, and lists those that there are. */

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { App } from "../../app";
import { titleOf } from "../../game/tree";
import { dateLanguage, text } from "../../language/catalogue";
import { ServiceError } from "../../service";
import {
  changeGame,
  linkTo,
  listGames,
  type OwnGame,
  type OwnGames,
  shareGame,
  withdrawGame,
} from "../../sharing/client";
import { frameCode, SIZES } from "../../sharing/frame";
import type { Problem } from "../../uci/notice";
import { Button, Select } from "../controls";
import { Copyable, type WindowProps } from "../dialog";
import { ProblemBox } from "../messages";

const LONGEST_TITLE = 200; // characters, as the server has it
const TIMES: readonly (readonly [value: string, id: string])[] = [
  ["7", "links-for-week"],
  ["30", "links-for-month"],
  ["365", "links-for-year"],
  ["never", "links-until-withdrawn"],
];

export function GameLinks({ app }: WindowProps) {
  const own = useSignal<OwnGames | null>(null);
  const problem = useSignal<Problem | null>(null);
  const time = useSignal("");
  /** Do something on the server, and show the list after it. */
  const run = async (action: () => Promise<unknown>) => {
    try {
      await action();
      own.value = await listGames(app.account.token.peek());
      problem.value = null;
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      problem.value = error.problem;
    }
  };
  useEffect(() => void run(async () => {}), []);
  if (problem.value?.code === "games-off") return null;
  const most = own.value?.most_days ?? Number.POSITIVE_INFINITY;
  const times = TIMES.filter(([days]) => (days === "never" ? Infinity : Number(days)) <= most);
  const longest = times.find(([days]) => days === "365") ?? times.at(-1);
  const chosen = time.value || (longest?.[0] ?? "");
  const days = chosen === "never" ? null : Number(chosen);
  const share = () =>
    run(() =>
      shareGame({ ...contentOf(app), ...(chosen ? { days } : {}) }, app.account.token.peek()),
    );
  return (
    <section class="stack" aria-labelledby="game-links">
      <h3 id="game-links">{text("links-title")}</h3>
      <p class="hint">{text("links-hint")}</p>
      {problem.value && <ProblemBox problem={problem.value} />}
      {own.value && (
        <div class="job-buttons">
          {times.length > 0 && (
            <Select
              label={text("links-time")}
              value={chosen}
              options={times.map(([days, id]) => [days, text(id)])}
              set={(value) => (time.value = value)}
            />
          )}
          <Button look="primary" onClick={share}>
            {text("links-make")}
          </Button>
        </div>
      )}
      <ul class="jobs" aria-label={text("links-list")}>
        {own.value?.games.map((game) => (
          <li key={game.id}>
            <LinkEntry app={app} game={game} mayFrame={own.value?.frames ?? false} run={run} />
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Return the game on the board as it is shared. */
function contentOf(app: App): { pgn: string; title: string } {
  const title = titleOf(app.study.tree.peek()) || text("links-nameless");
  const plain = title.replace(/\p{C}|\p{Zl}|\p{Zp}/gu, " ").slice(0, LONGEST_TITLE);
  return { pgn: app.study.pgn(), title: plain };
}

function LinkEntry(props: {
  app: App;
  game: OwnGame;
  mayFrame: boolean;
  run: (action: () => Promise<unknown>) => Promise<void>;
}) {
  const { app, game, mayFrame, run } = props;
  const asked = useSignal<"update" | "withdraw" | null>(null);
  const ask = (what: "update" | "withdraw") => () => {
    asked.value = asked.peek() === what ? null : what;
  };
  const confirm = () => {
    const isUpdate = asked.peek() === "update";
    asked.value = null;
    const token = app.account.token.peek();
    return run(() =>
      isUpdate ? changeGame(game.id, contentOf(app), token) : withdrawGame(game.id, token),
    );
  };
  const isUpdate = asked.value === "update";
  return (
    <>
      <div class="job-head">
        <bdi class="job-name">{game.title}</bdi>
        <span>
          {game.expires
            ? text("links-works-until", { date: dateText(game.expires) })
            : text("links-works-until-withdrawn")}
        </span>
      </div>
      <Copyable
        label={text("link")}
        text={linkTo(game.id)}
        copied={() => app.toasts.addNote(text("links-copied"))}
      />
      {mayFrame && <FrameCode app={app} game={game} />}
      <div class="job-buttons">
        <Button look="small" onClick={ask("update")}>
          {text("links-ask-update")}
        </Button>
        <Button look="small" onClick={ask("withdraw")}>
          {text("links-ask-withdraw")}
        </Button>
      </div>
      {asked.value && (
        <div
          class="job-buttons"
          role="group"
          aria-label={text("links-change", { title: game.title })}
        >
          <span>{text(isUpdate ? "links-update-question" : "links-withdraw-question")}</span>
          <Button look={isUpdate ? "small primary" : "small danger"} onClick={confirm}>
            {text(isUpdate ? "links-update" : "links-withdraw")}
          </Button>
          <Button look="small" onClick={() => (asked.value = null)}>
            {text("links-keep")}
          </Button>
        </div>
      )}
    </>
  );
}

/** The HTML that shows the game on another page. */
function FrameCode({ app, game }: { app: App; game: OwnGame }) {
  const size = useSignal("0");
  const chosen = SIZES[Number(size.value)] ?? SIZES[0];
  return (
    <details>
      <summary>{text("links-frame")}</summary>
      <div class="stack">
        <Copyable
          label={text("links-html")}
          text={frameCode(location.origin, game.id, game.title, chosen)}
          copied={() => app.toasts.addNote(text("links-html-copied"))}
        />
        <Select
          label={text("links-size")}
          value={size.value}
          options={SIZES.map(([width, height], at) => [String(at), `${width} × ${height}`])}
          set={(value) => (size.value = value)}
        />
        <p class="hint">{text("links-frame-hint")}</p>
      </div>
    </details>
  );
}

function dateText(date: string): string {
  return new Date(date).toLocaleDateString(dateLanguage(), { dateStyle: "medium" });
}
