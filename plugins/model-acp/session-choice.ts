import type { NewSessionResponse, SessionConfigOption } from "@agentclientprotocol/sdk";
import { isObject } from "hermes-agent/plugin";

/** A session option that an agent offers. */
export interface SessionChoice {
  readonly configId: string;
  readonly current: string;
  readonly values: readonly string[];
}

/** The option of a category: `model`, `thought_level`. `undefined`: the agent offers no choice. */
export function choiceOf({ configOptions }: NewSessionResponse, category: string): SessionChoice | undefined {
  for (const option of Array.isArray(configOptions) ? (configOptions as readonly SessionConfigOption[]) : []) {
    if (!isObject(option) || option.category !== category || option.type !== "select" || !Array.isArray(option.options))
      continue;
    const values = option.options.flatMap((one) => ("options" in one ? one.options : [one])).map(({ value }) => value);
    if (values.length > 0) return { configId: option.id, current: option.currentValue, values };
  }
  return undefined;
}
