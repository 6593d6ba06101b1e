import type { App } from "../../app";

/** What every window is given. */
export interface Props {
  readonly app: App;
  readonly close: () => void;
}
