/** A QR code that signs a phone in, here and on the operator's page. */

import { useEffect, useMemo, useRef } from "preact/hooks";
import { type CodeAccount, CodeClient } from "../codes/client";
import { ShownCode } from "../codes/shown_code";
import { text } from "../language/catalogue";
import { wordsOf } from "../language/problems";
import style from "../style/phone.css?inline";
import { Button, Wrong } from "./controls";
import { addStyles } from "./late_style";

const LOCAL_NAMES = ["localhost", "127.0.0.1", "[::1]"];

export function PhoneCode(props: { token: () => string | null; account?: CodeAccount }) {
  const shown = useMemo(
    () => new ShownCode(new CodeClient(props.token), props.account ?? null),
    [],
  );
  useEffect(() => {
    addStyles(style);
    void shown.open();
    const close = () => shown.close();
    addEventListener("pagehide", close);
    return () => {
      removeEventListener("pagehide", close);
      close();
    };
  }, [shown]);
  const code = shown.code.value;
  const element = useRef<HTMLDivElement>(null);
  // The button may have been at the end of a window.
  useEffect(() => element.current?.scrollIntoView({ block: "nearest" }), [code]);
  return (
    <div ref={element} class="stack phone-code" data-testid="phone-code">
      {code && (
        <>
          <p>{text("code-scan", { account: code.account })}</p>
          <img
            src={`data:image/svg+xml,${encodeURIComponent(code.qr)}`}
            alt={text("code-picture")}
            width="280"
            height="280"
          />
          <p role="timer">{text("code-left", { time: minutesText(shown.left.value) })}</p>
          <Warnings />
        </>
      )}
      <Outcome shown={shown} />
    </div>
  );
}

/** What keeps a phone away, or others from keeping a secret. */
function Warnings() {
  const isLocal = LOCAL_NAMES.includes(location.hostname);
  return (
    <>
      {isLocal && <p class="hint">{text("code-local", { host: location.host })}</p>}
      {!isSecureContext && <p class="hint">{text("code-plain")}</p>}
    </>
  );
}

function Outcome({ shown }: { shown: ShownCode }) {
  const device = shown.device.value;
  const problem = shown.problem.value;
  return (
    <>
      <p role="status">
        {device !== null && text("code-used", { device })}
        {shown.isExpired.value && text("code-expired")}
      </p>
      <Wrong text={problem ? wordsOf(problem).text : ""} />
      {(shown.isExpired.value || problem) && (
        <Button onClick={() => void shown.open()}>{text("code-again")}</Button>
      )}
    </>
  );
}

function minutesText(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
