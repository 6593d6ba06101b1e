/** Windows whose code is loaded when they are first opened. */

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { WindowProps } from "./dialog";

type WindowView = (props: WindowProps) => preact.JSX.Element | null;

/** Return a window that loads its content. */
export function later(load: () => Promise<WindowView>): WindowView {
  let loaded: WindowView | null = null;
  return function Later(props: WindowProps) {
    const isLoaded = useSignal(loaded !== null);
    useEffect(() => {
      if (loaded) return;
      load().then(
        (view) => {
          loaded = view;
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
