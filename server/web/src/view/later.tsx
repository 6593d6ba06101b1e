/** Views whose code is loaded when the page is idle, or when they are shown before that. */

import { useEffect, useState } from "preact/hooks";
import type { App } from "../app";
import { loadLater, text } from "../language/catalogue";

/** The properties of a view that is loaded later; `close` ends what it shows. */
interface LaterProps {
  readonly app: App;
  readonly close?: () => void;
}

type View<P> = (props: P) => preact.JSX.Element | null;

const loads: (() => Promise<unknown>)[] = [];

/** Load all views: the server may be away when one is shown. */
export async function loadViews(): Promise<void> {
  await Promise.allSettled(loads.map((load) => load()));
}

/** Return a view that loads its content. */
export function later<P extends LaterProps>(find: () => Promise<View<P>>): View<P> {
  let loaded: View<P> | null = null;
  const load = async () => {
    if (!loaded) [loaded] = await Promise.all([find(), loadLater()]);
    return loaded;
  };
  loads.push(load);
  return function Later(props: P) {
    // No signal: a view that reads one is not drawn again when what is around it is.
    const [isLoaded, setLoaded] = useState(loaded !== null);
    useEffect(() => {
      if (isLoaded) return; // Not `loaded`: it may have come since the view was drawn.
      load().then(
        () => setLoaded(true),
        () => {
          props.close?.();
          props.app.toasts.addNote(text("view-not-loaded"), text("try-again"));
        },
      );
    }, []);
    const Loaded = isLoaded ? loaded : null;
    return Loaded ? <Loaded {...props} /> : null;
  };
}
