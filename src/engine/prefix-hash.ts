import { hash } from "node:crypto";
import type { Json } from "../contract/json.ts";
import type { ToolOffer } from "../contract/model.ts";
import { canonicalText } from "./canonical-json.ts";

/** sha-256 over what every request of a session starts with. */
export function prefixHash(system: string, tools: readonly ToolOffer[]): string {
  return hash("sha256", canonicalText([system, tools as unknown as Json]));
}
