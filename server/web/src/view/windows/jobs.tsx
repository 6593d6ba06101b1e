/** The window with the user's analyses on the server. */

import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { App } from "../../app";
import { saveFile } from "../../download";
import { describeJob, isActive, type Job, type LostJob, resultCount } from "../../jobs/job";
import { NO_CONTROL } from "../../room/people";
import { Button } from "../controls";
import { Window, type WindowProps } from "../dialog";
import { ProblemBox } from "../messages";

const LOST = "The server does not have it any more. It keeps results for a limited time.";

export function JobsWindow({ app, close }: WindowProps) {
  useEffect(() => {
    app.jobs.show();
    return () => app.jobs.hide();
  }, [app]);
  const jobs = app.jobs.jobs.value;
  return (
    <Window title="My analyses" close={close} wide>
      <div class="stack">
        <JobsProblem app={app} />
        {jobs?.length === 0 && <NoJobs />}
        {!jobs && !app.jobs.problem.value && <p class="hint">Asking the server…</p>}
        <ul class="jobs" aria-label="Analyses">
          {jobs?.map((job) => (
            <li key={job.id}>
              {job.state === "lost" ? (
                <LostEntry app={app} job={job} />
              ) : (
                <JobEntry app={app} job={job} />
              )}
            </li>
          ))}
        </ul>
        {jobs && jobs.length > 0 && (
          <p class="hint">The server goes on with them when this page is closed.</p>
        )}
      </div>
    </Window>
  );
}

function NoJobs() {
  return (
    <p class="hint">
      There are none yet. Open a game, choose “on the server” below its moves, and press “Analyse
      the game”. The server goes on with it when this page is closed.
    </p>
  );
}

function JobsProblem({ app }: { app: App }) {
  const problem = app.jobs.problem.value;
  if (!problem) return null;
  return (
    <ProblemBox problem={problem}>
      {problem.code === "unauthorized" ? (
        <Button look="primary" onClick={() => app.openDialog("signin")}>
          Sign in
        </Button>
      ) : (
        <Button onClick={() => app.jobs.show()}>Try again</Button>
      )}
    </ProblemBox>
  );
}

/** A job that is gone: there is nothing to do but to forget it. */
function LostEntry({ app, job }: { app: App; job: LostJob }) {
  return (
    <>
      <JobHead name={job.name} />
      <p>{LOST}</p>
      <div class="job-buttons">
        <Button look="small" onClick={() => app.jobs.remove(job.id)}>
          Remove from the list
        </Button>
      </div>
    </>
  );
}

function JobEntry({ app, job }: { app: App; job: Job }) {
  const isSearching = job.state === "running" && job.done === 0;
  return (
    <>
      <JobHead name={job.name || "Without a name"} created={job.created} />
      {job.state !== "finished" && (
        <progress
          max={job.total}
          value={isSearching ? undefined : job.done}
          aria-label={`Progress of ${job.name}`}
        />
      )}
      <p class={job.state === "failed" ? "wrong" : ""}>{describeJob(job)}</p>
      {job.expires && <p class="hint">Kept until {dateText(job.expires)}</p>}
      <JobButtons app={app} job={job} />
    </>
  );
}

function JobHead({ name, created }: { name: string; created?: string }) {
  return (
    <div class="job-head">
      <bdi class="job-name">{name}</bdi>
      {created && <time dateTime={created}>{dateText(created)}</time>}
    </div>
  );
}

function dateText(date: string): string {
  return new Date(date).toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "short" });
}

function JobButtons({ app, job }: { app: App; job: Job }) {
  const isAsking = useSignal(false);
  const keeper = useRef<HTMLSpanElement>(null);
  const keep = () => {
    isAsking.value = false;
    keeper.current?.querySelector("button")?.focus();
  };
  return (
    <>
      <div class="job-buttons">
        {resultCount(job) > 0 && <ResultButtons app={app} job={job} />}
        {isActive(job) && (
          <Button look="small" onClick={() => app.jobs.pause(job.id)}>
            Pause
          </Button>
        )}
        {(job.state === "paused" || job.state === "failed") && (
          <Button look="small" onClick={() => app.jobs.resume(job.id)}>
            {job.state === "paused" ? "Resume" : "Try again"}
          </Button>
        )}
        <span ref={keeper}>
          <Button look="small" onClick={() => (isAsking.value = !isAsking.peek())}>
            Delete…
          </Button>
        </span>
      </div>
      {isAsking.value && (
        <div class="job-buttons" role="group" aria-label={`Delete ${job.name}`}>
          <span>Delete it, with its results?</span>
          <Button look="small danger" onClick={() => app.jobs.remove(job.id)}>
            Delete
          </Button>
          <Button look="small" onClick={keep}>
            Keep
          </Button>
        </div>
      )}
    </>
  );
}

/** The buttons for what is analysed by now. */
function ResultButtons({ app, job }: { app: App; job: Job }) {
  const isPlaying = app.isPlaying.value && app.play.outcome.value === null;
  const isGame = isPlaying || app.editor.position.value !== null;
  const mayOpen = !isGame && app.room.hasControl.value;
  const isPart = job.state !== "finished" && job.total > 1;
  const save = async () => {
    const text = await app.jobs.results(job);
    if (text === null) return;
    const [name, type] =
      job.kind === "games"
        ? ["annotated.pgn", "application/x-chess-pgn"]
        : ["results.ndjson", "application/x-ndjson"];
    saveFile(name, new Blob([text], { type }));
  };
  return (
    <>
      {job.kind === "games" && (
        <Button
          look="small primary"
          disabled={!mayOpen}
          title={mayOpen ? undefined : isGame ? "Finish the game on the board first" : NO_CONTROL}
          onClick={() => app.reviewer.openJob(job)}
        >
          {isPart ? "Open those done" : job.total > 1 ? "Open the games" : "Open"}
        </Button>
      )}
      <Button look="small" onClick={save}>
        {job.kind === "games" ? "Download PGN" : "Download results"}
      </Button>
    </>
  );
}
