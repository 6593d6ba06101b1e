/** The problem of a list of what the server keeps, with the button that helps. */

import type { App } from "../../app";
import { text } from "../../language/catalogue";
import type { Problem } from "../../uci/notice";
import { Button } from "../controls";
import { ProblemBox } from "../messages";

interface Properties {
  readonly app: App;
  readonly problem: Problem | null;
  readonly retry: () => void;
}

export function ListProblem({ app, problem, retry }: Properties) {
  if (!problem) return null;
  return (
    <ProblemBox problem={problem}>
      {problem.code === "unauthorized" ? (
        <Button look="primary" onClick={() => app.openDialog("signin")}>
          {text("sign-in")}
        </Button>
      ) : (
        <Button onClick={retry}>{text("retry")}</Button>
      )}
    </ProblemBox>
  );
}
