/** The engines of the server as `GET /v1/engines` has them, with the options that may be set. */

import { HIDDEN_OPTIONS } from "../analysis/options";
import type { Option } from "../uci/option";

export interface OfferedOption {
  readonly name: string;
  readonly type: Option["type"];
  readonly default?: string;
  readonly min?: number;
  readonly max?: number;
  readonly values?: readonly string[];
}

export interface EngineOffer {
  readonly name: string;
  readonly options: readonly OfferedOption[];
}

/** Return the options that a project may set for an engine. */
export function settableOptions({ options }: EngineOffer): readonly Option[] {
  return options.flatMap((option): Option[] => {
    const { name, type, default: initial = "", min, max, values = [] } = option;
    if (HIDDEN_OPTIONS.has(name) || type === "button") return [];
    if (type === "spin") {
      const isBounded = min !== undefined && max !== undefined;
      return isBounded ? [{ type, name, initial, min, max }] : [];
    }
    if (type === "combo") return [{ type, name, initial, vars: values }];
    return [{ type, name, initial }];
  });
}
