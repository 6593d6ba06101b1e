/** Whether a project grows, and if not, why, as the panel and the list of projects show it. */

import { text } from "../language/catalogue";
import { isGrowing, type Project } from "../projects/project";
import { describeGrowth, detailOf, nameOf } from "../projects/words";

export function ProjectState({ project, id }: { project: Project; id: string }) {
  const detail = detailOf(project);
  const { building } = project;
  return (
    <>
      <p class={project.stage === "failed" ? "wrong" : ""} data-testid={id}>
        {isGrowing(project) && <i class="project-pulse" />}
        {describeGrowth(project)}
      </p>
      {detail !== null && (
        <p class="hint" lang="en">
          {detail}
        </p>
      )}
      {building && (
        <progress
          max={Math.max(1, building.total)}
          value={building.done}
          aria-label={text("jobs-progress", { name: nameOf(project) })}
        />
      )}
    </>
  );
}
