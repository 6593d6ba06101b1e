/** The window with the user's analyses on the server. */

import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { App } from "../../app";
import { saveFile } from "../../download";
import { describeJob, isActive, type Job, type LostJob, resultCount } from "../../jobs/job";
import { dateLanguage, text } from "../../language/catalogue";
import { Button } from "../controls";
import { Window, type WindowProps } from "../dialog";
import { ListProblem } from "./list_problem";

export function JobsWindow({ app, close }: WindowProps) {
  useEffect(() => {
    app.jobs.show();
    return () => app.jobs.hide();
  }, [app]);
  const jobs = app.jobs.jobs.value;
  return (
    <Window title={text("jobs-title")} close={close} wide>
      <div class="stack">
        <ListProblem app={app} problem={app.jobs.problem.value} retry={() => app.jobs.show()} />
        {jobs?.length === 0 && <NoJobs />}
        {!jobs && !app.jobs.problem.value && <p class="hint">{text("jobs-asking")}</p>}
        <ul class="jobs" aria-label={text("analyses")}>
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
        {jobs && jobs.length > 0 && <p class="hint">{text("jobs-go-on")}</p>}
      </div>
    </Window>
  );
}

function NoJobs() {
  return <p class="hint">{text("jobs-none")}</p>;
}

/** A job that is gone: there is nothing to do but to forget it. */
function LostEntry({ app, job }: { app: App; job: LostJob }) {
  return (
    <>
      <JobHead name={job.name} />
      <p>{text("jobs-lost")}</p>
      <div class="job-buttons">
        <Button look="small" onClick={() => app.jobs.remove(job.id)}>
          {text("jobs-remove")}
        </Button>
      </div>
    </>
  );
}

function JobEntry({ app, job }: { app: App; job: Job }) {
  const isSearching = job.state === "running" && job.done === 0;
  return (
    <>
      <JobHead name={job.name || text("jobs-nameless")} created={job.created} />
      {job.state !== "finished" && (
        <progress
          max={job.total}
          value={isSearching ? undefined : job.done}
          aria-label={text("jobs-progress", { name: job.name })}
        />
      )}
      <p class={job.state === "failed" ? "wrong" : ""}>{describeJob(job)}</p>
      {job.expires && (
        <p class="hint">{text("jobs-kept-until", { date: dateText(job.expires) })}</p>
      )}
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
  return new Date(date).toLocaleString(dateLanguage(), { dateStyle: "medium", timeStyle: "short" });
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
            {text("jobs-pause")}
          </Button>
        )}
        {(job.state === "paused" || job.state === "failed") && (
          <Button look="small" onClick={() => app.jobs.resume(job.id)}>
            {text(job.state === "paused" ? "jobs-resume" : "retry")}
          </Button>
        )}
        <span ref={keeper}>
          <Button look="small" onClick={() => (isAsking.value = !isAsking.peek())}>
            {text("jobs-ask-delete")}
          </Button>
        </span>
      </div>
      {isAsking.value && (
        <div
          class="job-buttons"
          role="group"
          aria-label={text("jobs-delete-name", { name: job.name })}
        >
          <span>{text("jobs-delete-question")}</span>
          <Button look="small danger" onClick={() => app.jobs.remove(job.id)}>
            {text("jobs-delete")}
          </Button>
          <Button look="small" onClick={keep}>
            {text("jobs-keep")}
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
    const results = await app.jobs.results(job);
    if (results === null) return;
    const [name, type] =
      job.kind === "games"
        ? ["annotated.pgn", "application/x-chess-pgn"]
        : ["results.ndjson", "application/x-ndjson"];
    saveFile(name, new Blob([results], { type }));
  };
  return (
    <>
      {job.kind === "games" && (
        <Button
          look="small primary"
          disabled={!mayOpen}
          title={mayOpen ? undefined : isGame ? text("jobs-finish-game") : text("room-no-control")}
          onClick={() => app.reviewer.openJob(job)}
        >
          {text(isPart ? "jobs-open-done" : job.total > 1 ? "jobs-open-games" : "open")}
        </Button>
      )}
      <Button look="small" onClick={save}>
        {text(job.kind === "games" ? "jobs-download-pgn" : "jobs-download-results")}
      </Button>
    </>
  );
}
