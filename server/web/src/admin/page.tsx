/** The operator's page: the state of the server, its engines and sessions, and its end. */

import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { wordsOf } from "../language/problems";
import rook from "../rook.svg";
import { Button, Wrong } from "../view/controls";
import { Window } from "../view/dialog";
import { PhoneCode } from "../view/phone_code";
import { TokenForm } from "../view/windows/signin";
import type {
  AccountStatus,
  EngineStatus,
  JobStatus,
  Operator,
  SessionStatus,
  Share,
  Status,
} from "./operator";

export function AdminPage({ operator }: { operator: Operator }) {
  const status = operator.status.value;
  return (
    <>
      <header class="page-head">
        <h1>
          <img src={rook} alt="" width="24" height="24" /> <span>Rookery</span>
        </h1>
        <p class="game-title">
          Server admin{status && <span class="version">, version {status.version}</span>}
        </p>
        <a href="/">Analysis board</a>
      </header>
      <main class="admin">
        <OperatorProblem operator={operator} />
        {status && (
          <>
            <Overview status={status} sessions={operator.sessions.value} />
            <Engines engines={status.engines} />
            <Sessions operator={operator} />
            <Accounts operator={operator} />
            <Jobs operator={operator} />
            <Games operator={operator} />
            <Drain operator={operator} isDraining={status.draining} />
          </>
        )}
      </main>
    </>
  );
}

function OperatorProblem({ operator }: { operator: Operator }) {
  const problem = operator.problem.value;
  return (
    <>
      {problem && (
        <section class="trouble" role="alert">
          <b>{operator.wantsToken.value ? "This page is for admins" : wordsOf(problem).title}</b>
          <p>{wordsOf(problem).text}</p>
        </section>
      )}
      {operator.wantsToken.value && (
        <section class="card">
          <TokenForm
            hint="Sign in with an admin token: the operator creates one with rookery-server token add NAME --role admin. It is kept for this tab only."
            submit={async (token) => {
              operator.signIn(token);
              return null;
            }}
          />
        </section>
      )}
      <Wrong text={operator.error.value} />
    </>
  );
}

function Overview({ status, sessions }: { status: Status; sessions: readonly SessionStatus[] }) {
  const searching = sessions.filter((each) => each.state === "searching").length;
  return (
    <dl class="facts" aria-label="Server status">
      <Fact name="sessions" value={String(sessions.length)} more={`${searching} searching`} />
      <Fact name="waiting" value={String(status.queue)} more="for an engine" />
      <Fact name="threads" value={shareText(status.threads)} more={percentText(status.threads)} />
      <Fact
        name="hash (MiB)"
        value={shareText(status.hash_mb)}
        more={percentText(status.hash_mb)}
      />
      <Fact
        name="connections"
        value={shareText(status.connections)}
        more={percentText(status.connections)}
      />
      <Fact name="load" value={status.load.toFixed(2)} more={`${status.cpus} processors`} />
    </dl>
  );
}

function Fact({ name, value, more }: { name: string; value: string; more: string }) {
  return (
    <div class="card">
      <dt>{name}</dt>
      <dd>
        <b>{value}</b> <span class="hint">{more}</span>
      </dd>
    </div>
  );
}

function Engines({ engines }: { engines: readonly EngineStatus[] }) {
  const rows = engines.map(({ name, sessions, spare, trouble }) => ({
    key: name,
    cells: [name, sessions, spare, trouble ? <span class="wrong">{trouble}</span> : "OK"],
  }));
  return <Table title="Engines" heads={["Engine", "Sessions", "Ready", "State"]} rows={rows} />;
}

const SESSION_HEADS = [
  "No.",
  "Account",
  "Engine",
  "State",
  "Address",
  "Open for",
  "Searches",
  "Viewers",
];

function Sessions({ operator }: { operator: Operator }) {
  const rows = operator.sessions.value.map((each) => ({
    key: each.session,
    cells: [
      each.session,
      each.account,
      each.engine,
      each.state,
      each.address ?? "offline",
      duration(each.seconds),
      each.searches,
      each.watching ?? "–",
    ],
    action: <End operator={operator} session={each} />,
  }));
  return <Table title="Sessions" heads={SESSION_HEADS} rows={rows} />;
}

function End({ operator, session }: { operator: Operator; session: SessionStatus }) {
  return (
    <ConfirmButton
      label="End"
      name={`End session ${session.session}`}
      confirm="Yes, end it"
      act={() => operator.endSession(session.session)}
    />
  );
}

const ACCOUNT_HEADS = ["Account", "Role", "Tokens", "Signed in by code"];

function Accounts({ operator }: { operator: Operator }) {
  const shown = useSignal<AccountStatus | null>(null);
  const found = operator.accounts.value;
  if (!found) return null;
  const rows = found.map((each) => ({
    key: `${each.account} ${each.role}`,
    cells: [each.account, each.role, each.tokens, each.devices.join(", ") || "–"],
    // A machine that joins has no browser.
    action: each.role !== "host" && (
      <Button
        look="small"
        label={`Sign a phone in as ${each.account}`}
        onClick={() => (shown.value = each)}
      >
        Sign a phone in
      </Button>
    ),
  }));
  const close = () => {
    shown.value = null;
    operator.refreshNow();
  };
  return (
    <>
      <Table title="Accounts" heads={ACCOUNT_HEADS} rows={rows} />
      {shown.value && (
        <Window title={`Sign a phone in as ${shown.value.account}`} close={close}>
          <PhoneCode
            token={() => operator.token}
            account={{ account: shown.value.account, role: shown.value.role }}
          />
        </Window>
      )}
    </>
  );
}

const JOB_HEADS = ["Account", "Name", "Kind", "State", "Done", "Positions/s", "Age"];

function Jobs({ operator }: { operator: Operator }) {
  const found = operator.jobs.value;
  if (!found) return null;
  const rows = found.jobs.map((each) => ({
    key: each.id,
    cells: [
      each.account,
      each.name || each.id.slice(0, 8),
      each.kind,
      each.state,
      `${each.done} of ${each.total}`,
      each.rate?.toFixed(1) ?? "–",
      duration(each.age),
    ],
    action: <JobActions operator={operator} job={each} />,
  }));
  const isCut = found.total > rows.length;
  const title = isCut ? `Jobs (${rows.length} of ${found.total})` : "Jobs";
  return <Table title={title} heads={JOB_HEADS} rows={rows} />;
}

function JobActions({ operator, job }: { operator: Operator; job: JobStatus }) {
  const name = job.name || job.id.slice(0, 8);
  const isActive = job.state === "queued" || job.state === "running";
  const change = isActive ? "pause" : "resume";
  const label = isActive ? "Pause" : "Resume";
  return (
    <span class="job-actions">
      {job.state !== "finished" && (
        <Button
          look="small"
          label={`${label} job ${name}`}
          onClick={() => operator.changeJob(job.id, change)}
        >
          {label}
        </Button>
      )}
      <ConfirmButton
        label="End"
        name={`End job ${name}`}
        confirm="Yes, delete it"
        act={() => operator.changeJob(job.id, "end")}
      />
    </span>
  );
}

const GAME_HEADS = ["Account", "Title", "Size", "Age", "Ends in"];

/** The shared games: operators are asked to take some down. */
function Games({ operator }: { operator: Operator }) {
  const found = operator.games.value;
  if (!found) return null;
  const rows = found.games.map((each) => {
    const title = each.title || each.id.slice(0, 8);
    return {
      key: each.id,
      cells: [
        each.account,
        <a key="link" href={`/#game=${each.id}`} target="_blank" rel="noopener">
          <bdi>{title}</bdi>
        </a>,
        `${(each.size / 1024).toFixed(1)} KiB`,
        duration(each.age),
        each.left === null ? "never" : duration(each.left),
      ],
      action: (
        <ConfirmButton
          label="End"
          name={`End the link to ${title}`}
          confirm="Yes, the link ends"
          act={() => operator.endGame(each.id)}
        />
      ),
    };
  });
  const isCut = found.total > rows.length;
  const title = isCut
    ? `Shared games (${rows.length} of ${found.total})`
    : `Shared games (${found.total})`;
  return <Table title={title} heads={GAME_HEADS} rows={rows} />;
}

function Drain({ operator, isDraining }: { operator: Operator; isDraining: boolean }) {
  return (
    <section class="card drain" aria-label="Shut the server down">
      <p>
        {isDraining
          ? "Draining: no new sessions start, and the server stops when all searches are done."
          : "Drain: no new sessions start, searches may finish, then the server stops. Its operator has to start it again."}
      </p>
      {!isDraining && (
        <ConfirmButton
          label="Drain"
          name="Drain the server"
          confirm="Yes, drain it"
          act={() => operator.drainServer()}
        />
      )}
    </section>
  );
}

/** A button for an action that cannot be undone: it asks for confirmation. */
function ConfirmButton(props: { label: string; name: string; confirm: string; act: () => void }) {
  const isAsking = useSignal(false);
  const confirm = () => {
    isAsking.value = false;
    props.act();
  };
  if (!isAsking.value) {
    return (
      <Button look="small" label={props.name} onClick={() => (isAsking.value = true)}>
        {props.label}
      </Button>
    );
  }
  return (
    <span class="job-actions">
      <Button look="small danger" onClick={confirm}>
        {props.confirm}
      </Button>
      <Button look="small" onClick={() => (isAsking.value = false)}>
        No
      </Button>
    </span>
  );
}

interface Row {
  key: string | number;
  cells: readonly ComponentChildren[];
  action?: ComponentChildren;
}

/** A table; on a phone each row is a list, whose cells have the names of their columns. */
function Table({ title, heads, rows }: { title: string; heads: readonly string[]; rows: Row[] }) {
  const acts = rows.some((row) => row.action);
  return (
    <section class="card">
      <h2>{title}</h2>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keys */}
      <div class="scrolls" tabIndex={0} role="region" aria-label={title}>
        <table>
          <thead>
            <tr>
              {heads.map((head) => (
                <th key={head} scope="col">
                  {head}
                </th>
              ))}
              {acts && <td class="actions" />}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.key}>
                {row.cells.map((cell, index) => (
                  <td key={heads[index]} data-head={heads[index]}>
                    {cell}
                  </td>
                ))}
                {acts && <td class="actions">{row.action}</td>}
              </tr>
            ))}
          </tbody>
        </table>
        {!rows.length && <p class="hint">None.</p>}
      </div>
    </section>
  );
}

const shareText = ({ used, total }: Share) => `${used} of ${total}`;
const percentText = ({ used, total }: Share) => `${total ? Math.round((100 * used) / total) : 0} %`;

function duration(seconds: number): string {
  if (seconds < 90) return `${Math.round(seconds)} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 90) return `${minutes} min`;
  const hours = minutes / 60;
  return hours < 48 ? `${hours.toFixed(1)} h` : `${Math.round(hours / 24)} days`;
}
