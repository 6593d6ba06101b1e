/** Windows whose code is loaded when the page is idle, or when they are opened before that. */

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { WindowProps } from "./dialog";

type WindowView = (props: WindowProps) => preact.JSX.Element | null;

const loads: (() => Promise<WindowView>)[] = [];

/** Load all windows: the server may be away when one is opened. */
export async function loadWindows(): Promise<void> {
  await Promise.allSettled(loads.map((load) => load()));
}

/** Return a window that loads its content. */
export function later(find: () => Promise<WindowView>): WindowView {
  let loaded: WindowView | null = null;
  const load = async () => {
    loaded ??= await find();
    return loaded;
  };
  loads.push(load);
  return function Later(props: WindowProps) {
    const isLoaded = useSignal(loaded !== null);
    useEffect(() => {
      if (loaded) return;
      load().then(
        () => {
          isLoaded.value = true;
        },
        () => {
          props.close();
          props.app.toasts.addNote("The window could not be loaded", "Try again.");
        },
      );
    }, []);
    const Loaded = isLoaded.value ? loaded : null;
    return Loaded ? <Loaded {...props} /> : null;
  };
}
