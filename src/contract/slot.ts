import type { ModelProvider } from "./model.ts";
import type { TerminalBackend } from "./terminal.ts";

/** Every swappable thing and its contract. A new kind of plugin starts with a line here and a contract suite in `hermes-agent/testing`. */
export interface Slots {
  model: ModelProvider;
  terminal: TerminalBackend;
}

export type SlotName = keyof Slots;

/** `one`: configuration picks the provider in use. `many`: all enabled ones run. */
export const SLOT_POLICY: { readonly [S in SlotName]: "one" | "many" } = { model: "one", terminal: "one" };
