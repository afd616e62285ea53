/** What each layer may import, and what to do instead. Longest matching folder wins. */
export interface Layer {
  readonly folder: string;
  /** Folders or package specifiers it may import, besides its own. */
  readonly may: readonly string[];
  readonly instead: string;
}

const MOVE_DOWN = "move the type down to src/contract, or pass the thing in as a port";

export const LAYERS: readonly Layer[] = [
  { folder: "src/contract", may: [], instead: "the contract imports nothing; describe the shape here" },
  { folder: "src/safety", may: ["src/contract", "unbash"], instead: MOVE_DOWN },
  { folder: "src/engine", may: ["src/contract", "src/safety", "ajv"], instead: MOVE_DOWN },
  {
    folder: "src/host",
    may: ["src/contract", "src/safety", "src/engine", "src/plugin-runtimes", "croner", "yaml", "node:"],
    instead: MOVE_DOWN,
  },
  {
    folder: "src/plugin-runtimes",
    may: ["src/contract", "src/safety", "src/engine", "src/host", "yaml", "node:"],
    instead: MOVE_DOWN,
  },
  {
    folder: "src/surfaces",
    may: [
      "src/contract",
      "src/host/app/open-app.ts",
      "src/safety/answers/machine-form.ts",
      "src/terminal/program/pseudo-terminal.ts",
      "node:",
      "@agentclientprotocol/sdk",
      "@xterm/xterm",
      "@earendil-works/pi-tui",
      "commander",
      "highlight.js",
    ],
    instead: "ask the App (src/contract/services/app.ts) for it; widen the App if it lacks it",
  },
  { folder: "src/edit", may: [], instead: "it computes on texts alone; describe the shape here" },
  { folder: "src/terminal", may: ["src/contract", "src/safety", "node:"], instead: MOVE_DOWN },
  { folder: "src/browser", may: ["src/contract", "src/safety", "node:"], instead: MOVE_DOWN },
  { folder: "src/testing", may: ["src/contract", "src/safety", "src/engine", "node:"], instead: MOVE_DOWN },
  {
    folder: "src/plugin.ts",
    may: ["src/contract", "src/safety"],
    instead: "the door re-exports the contract and safety's questions, nothing else",
  },
  {
    folder: "src/registry.ts",
    may: ["src/host/compat/compat-runtime.ts"],
    instead: "this door re-exports the seeds' registry, nothing else",
  },
  {
    folder: "src/cli.ts",
    may: ["src/surfaces/run.ts", "src/surfaces/cli/interactive/screen-layout.ts"],
    instead: "the door of wrapping programs re-exports the command line, nothing else",
  },
  { folder: "src/main.ts", may: ["src/surfaces", "node:"], instead: "main only picks a surface" },
  { folder: "src/run-piece.ts", may: ["node:"], instead: "it runs before anything of the agent is there" },
  {
    folder: "plugins",
    may: ["hermes-agent/plugin", "hermes-agent/edit", "hermes-agent/terminal", "hermes-agent/browser", "node:"],
    instead: "widen the public door (src/plugin.ts) instead of reaching past it",
  },
  {
    folder: "tools",
    may: ["hermes-agent/registry", "node:"],
    instead: "a tool module registers itself through hermes-agent/registry; for more make it a plugin",
  },
  {
    folder: "examples",
    may: [
      "hermes-agent/plugin",
      "hermes-agent/edit",
      "hermes-agent/terminal",
      "hermes-agent/browser",
      "hermes-agent/cli",
      "node:",
    ],
    instead: "examples use the public door only",
  },
];

/** The engine does no I/O of its own: of Node it may use only what computes. */
export const PURE_NODE = ["node:crypto", "node:util", "node:buffer", "node:path", "node:url"];
