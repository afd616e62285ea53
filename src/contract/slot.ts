import type { ModelProvider } from "./model.ts";
import type { MethodProvider } from "./provider.ts";
import type { TerminalBackend } from "./terminal.ts";

/** Slots whose providers are known by the names of their methods. One that gets a contract of its own moves into {@link Slots}. */
export type MethodSlot =
  | "memory"
  | "context"
  | "platform"
  | "image_gen"
  | "video_gen"
  | "web"
  | "browser"
  | "tts"
  | "stt"
  | "secrets"
  | "model_profile"
  | "auxiliary"
  | "dashboard_auth"
  | "slack_action";

/** Every swappable thing and its contract. A new kind of plugin starts with a line here and a contract suite in `hermes-agent/testing`. */
export interface Slots extends Readonly<Record<MethodSlot, MethodProvider>> {
  model: ModelProvider;
  terminal: TerminalBackend;
}

export type SlotName = keyof Slots;

/** `one`: configuration picks the provider in use. `many`: all enabled ones run. */
export const SLOT_POLICY: { readonly [S in SlotName]: "one" | "many" } = {
  model: "one",
  terminal: "one",
  memory: "one",
  context: "one",
  platform: "many",
  image_gen: "one",
  video_gen: "one",
  web: "one",
  browser: "one",
  tts: "one",
  stt: "one",
  secrets: "many",
  model_profile: "many",
  auxiliary: "many",
  dashboard_auth: "many",
  slack_action: "many",
};

/** Slots that something of this version asks for a provider. What fills another one is registered, listed, and waits. */
export const USED_SLOTS: ReadonlySet<SlotName> = new Set(["model", "terminal"]);
