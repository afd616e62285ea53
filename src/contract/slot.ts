import type { Availability, Probe } from "./availability.ts";
import type { ModelProvider } from "./model.ts";
import type { TerminalBackend } from "./terminal.ts";

/** Anything that can be swapped. */
export interface Provider {
  /** What configuration and people call it: `local`, `docker`, `anthropic`. */
  readonly id: string;
  readonly label?: string;
  available?(probe: Probe): Availability | Promise<Availability>;
}

/** Every swappable thing and its contract. A new kind of plugin starts with a line here and a contract suite in `hermes-agent/testing`. */
export interface Slots {
  model: ModelProvider;
  terminal: TerminalBackend;
}

export type SlotName = keyof Slots;

/** `one`: configuration picks the provider in use. `many`: all enabled ones run. */
export const SLOT_POLICY: { readonly [S in SlotName]: "one" | "many" } = { model: "one", terminal: "one" };
