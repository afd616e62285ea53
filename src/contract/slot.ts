import type { BrowserProvider } from "./browser-provider.ts";
import type { ContextEngine } from "./context-engine.ts";
import type { ImageGenProvider, SpeechProvider, TranscriptionProvider, VideoGenProvider } from "./media.ts";
import type { MemoryProvider } from "./memory.ts";
import type { ModelProvider } from "./model.ts";
import type { ProviderProfile } from "./model-profile.ts";
import type { Platform } from "./platform.ts";
import type { MethodProvider } from "./provider.ts";
import type { TerminalBackend } from "./terminal.ts";
import type { WebProvider } from "./web-provider.ts";

/** Slots whose providers are known by the names of their methods. One that gets a contract of its own moves into {@link Slots}. */
export type MethodSlot = "secrets" | "auxiliary" | "dashboard_auth" | "slack_action";

/** Every swappable thing and its contract. A new kind of plugin starts with a line here and a contract suite in `hermes-agent/testing`. */
export interface Slots extends Readonly<Record<MethodSlot, MethodProvider>> {
  model: ModelProvider;
  model_profile: ProviderProfile;
  terminal: TerminalBackend;
  memory: MemoryProvider;
  context: ContextEngine;
  platform: Platform;
  image_gen: ImageGenProvider;
  video_gen: VideoGenProvider;
  web: WebProvider;
  browser: BrowserProvider;
  tts: SpeechProvider;
  stt: TranscriptionProvider;
}

export type SlotName = keyof Slots;

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

/** Slots that something of this version asks for a provider. What fills another one is registered, listed, and waits. */
export const USED_SLOTS: ReadonlySet<SlotName> = new Set(["model", "model_profile", "terminal", "memory", "context", "platform", "image_gen", "video_gen", "web", "browser", "tts", "stt"]);
