import { fingerprint } from "../contract/fingerprint.ts";
import type { Json } from "../contract/json.ts";
import type { ToolOffer } from "../contract/model.ts";
import { canonicalText } from "./canonical-json.ts";

/** Fingerprint of what every request of a session starts with. */
export function prefixHash(system: string, tools: readonly ToolOffer[]): string {
  return fingerprint(canonicalText([system, tools as unknown as Json]));
}
