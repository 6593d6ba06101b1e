/** The panel of a project: its tree at the position on the board. */

import type { App } from "../app";

export function ProjectPanel({ app }: { app: App }) {
  return <p hidden>{app.project.value}</p>;
}
