/** The entry point for chat platforms, `hermes-agent/platform`: what most adapters need. */
export * from "./http-refusal.ts";
export * from "./mention-rules.ts";
export * from "./multipart.ts";
export * from "./paced-http.ts";
export * from "./plain-text.ts";
export * from "./platform-settings.ts";
export * from "./received-files.ts";
export * from "./retry-after.ts";
export * from "./signature.ts";
export * from "./steady-socket.ts";
