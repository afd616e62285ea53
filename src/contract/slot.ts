import type { BrowserProvider } from "./browser-provider.ts";
import type { ContextEngine } from "./context-engine.ts";
import type { ImageGenProvider, SpeechProvider, TranscriptionProvider, VideoGenProvider } from "./media.ts";
import type { MemoryProvider } from "./memory.ts";
import type { ModelProvider } from "./model.ts";
import type { ProviderProfile } from "./model-profile.ts";
import type { Platform } from "./platform.ts";
import type { MethodProvider } from "./provider.ts";
import type { MethodSlot } from "./slot-name.ts";
import type { TerminalBackend } from "./terminal.ts";
import type { WebProvider } from "./web-provider.ts";

/** Every swappable thing and its contract. A new kind of plugin starts with a line here, its name in {@link SlotName} and a contract suite in `hermes-agent/testing`. */
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
