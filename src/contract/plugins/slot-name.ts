/**
 * Slots whose providers are identified by the names of their methods. A slot that gets a contract moves into `Slots`.
 */
export type MethodSlot = "secrets" | "auxiliary" | "dashboard_auth" | "slack_action";

/** Names of everything that can be swapped. */
export type SlotName =
  | "model"
  | "model_profile"
  | "terminal"
  | "memory"
  | "context"
  | "platform"
  | "image_gen"
  | "video_gen"
  | "web"
  | "browser"
  | "tts"
  | "stt"
  | MethodSlot;

/** `one`: configuration picks the provider in use. `many`: all enabled ones run. */
export const SLOT_POLICY: { readonly [S in SlotName]: "one" | "many" } = {
  model: "one",
  model_profile: "many",
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
  auxiliary: "many",
  dashboard_auth: "many",
  slack_action: "many",
};

/** Slots that this version uses. A provider for another slot is registered and listed, but not called. */
export const USED_SLOTS: ReadonlySet<SlotName> = new Set([
  "model",
  "model_profile",
  "terminal",
  "memory",
  "context",
  "platform",
  "image_gen",
  "video_gen",
  "web",
  "browser",
  "tts",
  "stt",
]);

/** Slots whose providers send requests that may cost money: each of these is in the ledger of requests. */
export const IS_PAID: { readonly [S in SlotName]: boolean } = {
  model: true,
  model_profile: false,
  terminal: false,
  memory: false,
  context: false,
  platform: false,
  image_gen: true,
  video_gen: true,
  web: true,
  browser: true,
  tts: true,
  stt: true,
  secrets: false,
  auxiliary: false,
  dashboard_auth: false,
  slack_action: false,
};
