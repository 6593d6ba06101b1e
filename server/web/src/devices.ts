/** The device ports of the server over HTTP (`/v1/devices`): for apps that cannot sign in. */

import { requestService, type ServiceWords } from "./service";

/** An address that a port lets in. */
export interface PairedAddress {
  readonly address: string;
  readonly expires: string;
  /** Whether it is the one that this page is at. */
  readonly yours: boolean;
}

/** A port of this account. */
export interface Device {
  readonly name: string;
  readonly engine: string;
  readonly host: string;
  readonly port: number;
  /** The file by which DroidFish finds it. */
  readonly file: string;
  readonly addresses: readonly PairedAddress[];
}

export interface DeviceList {
  readonly devices: readonly Device[];
  /** That of this page; absent where a proxy hides it. */
  readonly address?: string;
}

const DEVICES = "/v1/devices";
const WORDS: ServiceWords = {
  titles: { 429: ["too-many-requests", "too-many-requests-hint"] },
  other: ["devices-not-now", "try-again-later"],
};

export async function listDevices(token: string | null): Promise<DeviceList> {
  return (await (await requestService(WORDS, DEVICES, token)).json()) as DeviceList;
}

/** Let the address of this page in. */
export async function pairAddress(name: string, token: string | null): Promise<void> {
  await requestService(WORDS, pathOf(name), token, { method: "POST" });
}

/** Let no address in any more. */
export async function unpairAddresses(name: string, token: string | null): Promise<void> {
  await requestService(WORDS, pathOf(name), token, { method: "DELETE" });
}

function pathOf(name: string): string {
  return `${DEVICES}/${encodeURIComponent(name)}`;
}
