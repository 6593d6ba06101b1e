/** The part of the settings that lets apps in which cannot sign in, where the account has a port. */

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { App } from "../../app";
import {
  type Device,
  type DeviceList,
  listDevices,
  pairAddress,
  unpairAddresses,
} from "../../devices";
import { saveFile } from "../../download";
import { dateLanguage, text } from "../../language/catalogue";
import { problemIn } from "../../service";
import type { Problem } from "../../uci/notice";
import { Button } from "../controls";
import { Copyable } from "../dialog";
import { ProblemBox } from "../messages";

type Run = (action: () => Promise<unknown>) => Promise<void>;

export function Devices({ app }: { app: App }) {
  const found = useSignal<DeviceList | null>(null);
  const problem = useSignal<Problem | null>(null);
  /** Do something on the server, and show the ports after it. */
  const run: Run = async (action) => {
    try {
      await action();
      found.value = await listDevices(app.account.token.peek());
      problem.value = null;
    } catch (error) {
      problem.value = problemIn(error);
    }
  };
  useEffect(() => void run(async () => {}), []);
  if (!found.value?.devices.length) return null;
  const { address, devices } = found.value;
  return (
    <section class="stack" aria-labelledby="devices">
      <h3 id="devices">{text("devices-title")}</h3>
      <p class="hint">{text(address ? "devices-hint" : "devices-hidden")}</p>
      {problem.value && <ProblemBox problem={problem.value} />}
      {devices.map((device) => (
        <Port key={device.name} app={app} device={device} address={address} run={run} />
      ))}
    </section>
  );
}

function Port(props: { app: App; device: Device; address: string | undefined; run: Run }) {
  const { app, device, address, run } = props;
  const { name, engine, host, port } = device;
  const own = device.addresses.find((each) => each.yours);
  const token = () => app.account.token.peek();
  const save = () => saveFile(`${name}.nete`, new Blob([device.file], { type: "text/plain" }));
  return (
    <>
      <Copyable
        label={text("devices-place", { name, engine })}
        text={`${host} ${port}`}
        copied={() => app.toasts.addNote(text("copied"))}
      />
      {own && <p>{text("devices-until", { address: own.address, date: dateText(own.expires) })}</p>}
      <div class="job-buttons">
        {address && (
          <Button look="primary" onClick={() => run(() => pairAddress(name, token()))}>
            {text("devices-pair", { address })}
          </Button>
        )}
        <Button onClick={save}>{text("devices-file")}</Button>
        {device.addresses.length > 0 && (
          <Button look="danger" onClick={() => run(() => unpairAddresses(name, token()))}>
            {text("devices-unpair")}
          </Button>
        )}
      </div>
    </>
  );
}

function dateText(date: string): string {
  return new Date(date).toLocaleDateString(dateLanguage(), { dateStyle: "medium" });
}
