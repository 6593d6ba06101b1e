/** Windows over the page: dialogs of the browser, which keep the focus inside and close by Esc. */

import { type ComponentChildren, createContext } from "preact";
import { useContext, useLayoutEffect, useRef } from "preact/hooks";
import type { App } from "../app";
import { text } from "../language/catalogue";
import { Button, IconButton } from "./controls";

/** The properties of every window. */
export interface WindowProps {
  readonly app: App;
  readonly close: () => void;
}

const FIELD = "textarea:not([readonly]), input[type=password]";

/** Content to show in the window, because below it nothing can be read or pressed. */
export const WindowExtra = createContext<ComponentChildren>(null);

export function Window(props: {
  title: string;
  close: () => void;
  wide?: boolean;
  children: ComponentChildren;
}) {
  const element = useRef<HTMLDialogElement>(null);
  const isGone = useRef(false);
  // The browser reports the end of a window after it is gone: its text must not be stored again,
  // over changes that were undone meanwhile.
  const close = () => {
    if (!isGone.current) props.close();
  };
  // Before the next frame, so that a key pressed at once is the window's.
  useLayoutEffect(() => {
    const dialog = element.current;
    if (dialog && !dialog.open) dialog.showModal();
    // Writing can begin at once.  On touch screens a keyboard would cover the rest.
    if (matchMedia("(pointer: fine)").matches) dialog?.querySelector<HTMLElement>(FIELD)?.focus();
    return () => {
      isGone.current = true;
      dialog?.close();
    };
  }, []);
  return (
    <dialog
      ref={element}
      class={props.wide ? "wide" : ""}
      aria-label={props.title}
      onClose={close}
      onCancel={close}
      onKeyDown={(event) => event.stopPropagation()}
      onPointerDown={(event) => event.target === element.current && close()}
    >
      <div class="window">
        <header>
          <h2>{props.title}</h2>
          <IconButton icon="close" label={text("close")} onClick={close} />
        </header>
        {props.children}
      </div>
      {useContext(WindowExtra)}
    </dialog>
  );
}

/** Text to copy: a click selects it, a button copies it. */
export function Copyable(props: {
  label: string;
  text: string;
  rows?: number;
  copied: () => void;
}) {
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(props.text);
      props.copied();
    } catch {
      // Without a secure context there is no clipboard: the text can still be selected.
      field.current?.select();
      if (document.execCommand("copy")) props.copied();
    }
  };
  const field = useRef<HTMLTextAreaElement>(null);
  return (
    <label class="copyable">
      <span>{props.label}</span>
      <textarea
        ref={field}
        readOnly
        rows={props.rows ?? 1}
        value={props.text}
        onFocus={(event) => event.currentTarget.select()}
      />
      <Button onClick={copy}>{text("copy")}</Button>
    </label>
  );
}
