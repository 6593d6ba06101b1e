/** A window over the page: the browser's own, which keeps the focus inside and ends by Esc. */

import { type ComponentChildren, createContext } from "preact";
import { useContext, useEffect, useRef } from "preact/hooks";
import { IconButton } from "./icons";

const FIELD = "textarea:not([readonly]), input[type=password]";

/** What else is to be seen: below a window it would be neither lit nor read nor pressed. */
export const Over = createContext<ComponentChildren>(null);

export function Window(props: {
  title: string;
  close: () => void;
  wide?: boolean;
  children: ComponentChildren;
}) {
  const element = useRef<HTMLDialogElement>(null);
  const isGone = useRef(false);
  // The browser says that it is closed when it is gone already, and that is no news: what was
  // written in it would be kept again, over what has been undone meanwhile.
  const close = () => {
    if (!isGone.current) props.close();
  };
  useEffect(() => {
    const dialog = element.current;
    if (dialog && !dialog.open) dialog.showModal();
    // Who has opened it to write writes at once.  With a finger, a keyboard would cover the rest.
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
          <IconButton icon="close" label="Close" onClick={close} />
        </header>
        {props.children}
      </div>
      {useContext(Over)}
    </dialog>
  );
}

/** Text to take away: chosen by a click, copied by a button. */
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
      // Without a secure context there is no clipboard: the text can still be chosen.
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
      <button type="button" class="button" onClick={copy}>
        Copy
      </button>
    </label>
  );
}
