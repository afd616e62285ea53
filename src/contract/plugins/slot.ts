import type { BrowserProvider } from "../providers/browser-provider.ts";
import type { ContextEngine } from "../providers/context-engine.ts";
import type { ImageGenProvider, SpeechProvider, TranscriptionProvider, VideoGenProvider } from "../providers/media.ts";
import type { MemoryProvider } from "../providers/memory.ts";
import type { ModelProvider } from "../providers/model.ts";
import type { ProviderProfile } from "../providers/model-profile.ts";
import type { Platform } from "../providers/platform.ts";
import type { MethodProvider } from "./provider.ts";
import type { MethodSlot } from "./slot-name.ts";
import type { TerminalBackend } from "../providers/terminal.ts";
import type { WebProvider } from "../providers/web-provider.ts";

/**
 * Every swappable thing and its contract. A new kind of plugin starts with a line here, its name in {@link SlotName}
 * and a contract suite in `hermes-agent/testing`.
 */
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
