import type { NewSessionResponse, SessionConfigOption } from "@agentclientprotocol/sdk";
import { isObject } from "hermes-agent/plugin";

/** What an agent lets its client choose for a session. */
export interface SessionChoice {
  readonly configId: string;
  readonly current: string;
  readonly values: readonly string[];
}

/** By what it is about: `model`, `thought_level`. `undefined` where the agent offers no choice. */
export function choiceOf({ configOptions }: NewSessionResponse, category: string): SessionChoice | undefined {
  for (const option of Array.isArray(configOptions) ? (configOptions as readonly SessionConfigOption[]) : []) {
    if (!isObject(option) || option.category !== category || option.type !== "select" || !Array.isArray(option.options))
      continue;
    const values = option.options.flatMap((one) => ("options" in one ? one.options : [one])).map(({ value }) => value);
    if (values.length > 0) return { configId: option.id, current: option.currentValue, values };
  }
  return undefined;
}
