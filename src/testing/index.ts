/** The second door, for tests of plugins and of ours: `import { scriptedModel, terminalContract } from "hermes-agent/testing"`. */
export * from "./model-contract.ts";
export * from "./terminal-contract.ts";
