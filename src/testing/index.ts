/**
 * The second door, for tests of plugins and of ours:
 * `import { scriptedModel, terminalContract } from "hermes-agent/testing"`.
 */
export * from "./browser-contract.ts";
export * from "./context-contract.ts";
export * from "./fake-clock.ts";
export * from "./terminal/fake-terminal.ts";
export * from "./image-contract.ts";
export * from "./lacks-program.ts";
export * from "./memory-contract.ts";
export * from "./memory-store.ts";
export * from "./model-contract.ts";
export * from "./platform-contract.ts";
export * from "./platform/plugin-doubles.ts";
export * from "./profile-contract.ts";
export * from "./quiet-log.ts";
export * from "./real-clock.ts";
export * from "./scenario.ts";
export * from "./scripted-model.ts";
export * from "./sequential-ids.ts";
export * from "./store-contract.ts";
export * from "./terminal-contract.ts";
export * from "./speech-contract.ts";
export * from "./test-session.ts";
export * from "./model/provider-schema-rules.ts";
export * from "./video-contract.ts";
export * from "./wait-for.ts";
export * from "./web-contract.ts";
export * from "./without-undefined.ts";
