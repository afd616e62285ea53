/**
 * The allowed imports of each layer, and what to do instead of others. The longest matching folder wins. `npm run
 * generate` makes the table of
 * docs/architecture.md from it.
 */
export interface Layer {
  readonly folder: string;
  readonly holds: string;
  /** Folders or package specifiers that it may import, besides its own folder. */
  readonly may: readonly string[];
  readonly instead: string;
}

const MOVE_DOWN = "move the type down to src/contract, or pass the function or object in as a port";

export const LAYERS: readonly Layer[] = [
  {
    folder: "src/contract",
    holds: "types, facts and errors that all layers share",
    may: [],
    instead: "the contract imports nothing; describe the shape here",
  },
  {
    folder: "src/safety",
    holds: "pure analysis of what a command, path or URL would do",
    may: ["src/contract", "unbash"],
    instead: MOVE_DOWN,
  },
  {
    folder: "src/engine",
    holds: "how a turn runs; it does no I/O",
    may: ["src/contract", "src/safety", "ajv"],
    instead: MOVE_DOWN,
  },
  {
    folder: "src/host",
    holds: "what one process owns: configuration, store, plugins, models",
    may: ["src/contract", "src/safety", "src/engine", "croner", "yaml", "yauzl", "yazl", "node:"],
    instead: MOVE_DOWN,
  },
  {
    folder: "src/plugin-runtimes",
    holds: "plugins that run in separate processes",
    may: [
      "src/contract",
      "src/safety",
      "src/engine",
      "src/host/compat",
      "src/host/environment",
      "src/host/plugins",
      "src/terminal/program/marked-processes.ts",
      "yaml",
      "node:",
    ],
    instead: MOVE_DOWN,
  },
  {
    folder: "src/host/app",
    holds: "starts the agent in stages; the only part of the host that knows the plugin runtimes",
    may: ["src/contract", "src/safety", "src/engine", "src/host", "src/plugin-runtimes", "yaml", "node:"],
    instead: "compose it in src/host/app from parts of src/host",
  },
  {
    folder: "src/surfaces",
    holds: "CLI, gateway, API, dashboard, ACP and batch; no surface imports another",
    may: [
      "src/contract",
      "src/host/app/open-app.ts",
      "src/platform/webhook-listener.ts",
      "src/safety/answers/machine-form.ts",
      "src/terminal/program/pseudo-terminal.ts",
      "node:",
      "@agentclientprotocol/sdk",
      "@xterm/xterm",
      "@earendil-works/pi-tui",
      "beautiful-mermaid",
      "commander",
      "highlight.js",
      "marked",
      "marked-cjk-friendly",
    ],
    instead: "use the App (src/contract/services/app.ts), and extend it if it lacks the function",
  },
  {
    folder: "src/edit",
    holds: "finds the text that an edit refers to",
    may: [],
    instead: "it only computes on texts; describe the shape here",
  },
  {
    folder: "src/terminal",
    holds: "the kit for terminal backends",
    may: ["src/contract", "src/safety", "node:"],
    instead: MOVE_DOWN,
  },
  {
    folder: "src/browser",
    holds: "Chromium behind the guarded proxy",
    may: ["src/contract", "src/safety", "node:"],
    instead: MOVE_DOWN,
  },
  {
    folder: "src/platform",
    holds: "the kit for chat platforms",
    may: ["src/contract", "src/safety", "node:"],
    instead: MOVE_DOWN,
  },
  {
    folder: "src/testing",
    holds: "scripted model, fake clock, contract suites",
    may: ["src/contract", "src/safety", "src/engine", "src/platform", "node:"],
    instead: MOVE_DOWN,
  },
  {
    folder: "src/plugin.ts",
    holds: "entry point `hermes-agent/plugin`",
    may: ["src/contract", "src/safety"],
    instead: "the entry point re-exports the contract and safety's questions, nothing else",
  },
  {
    folder: "src/registry.ts",
    holds: "entry point `hermes-agent/registry`",
    may: ["src/host/compat/compat-registry.ts", "src/host/compat/compat-runtime.ts"],
    instead: "this entry point re-exports the original's registry, nothing else",
  },
  {
    folder: "src/cli.ts",
    holds: "entry point `hermes-agent/cli`",
    may: ["src/surfaces/run.ts", "src/surfaces/cli/interactive/screen-layout.ts"],
    instead: "the entry point for wrapping programs re-exports the command line, nothing else",
  },
  {
    folder: "src/main.ts",
    holds: "the program `hermes`",
    may: ["src/surfaces", "node:"],
    instead: "main only selects a surface",
  },
  {
    folder: "src/run-piece.ts",
    holds: "runs a compiled piece of the build",
    may: ["node:"],
    instead: "it runs before any code of the agent is loaded",
  },
  {
    folder: "plugins",
    holds: "every capability that ships with Hermes",
    may: [
      "hermes-agent/plugin",
      "hermes-agent/edit",
      "hermes-agent/terminal",
      "hermes-agent/browser",
      "hermes-agent/platform",
      "node:",
    ],
    instead: "extend the public entry point (src/plugin.ts) instead of bypassing it",
  },
  {
    folder: "tools",
    holds: "tool modules in the original's form",
    may: ["hermes-agent/registry", "node:"],
    instead: "a tool module registers its tools through hermes-agent/registry; make it a plugin if it needs more",
  },
  {
    folder: "examples",
    holds: "plugins and wrappers to copy",
    may: [
      "hermes-agent/plugin",
      "hermes-agent/edit",
      "hermes-agent/terminal",
      "hermes-agent/browser",
      "hermes-agent/platform",
      "hermes-agent/cli",
      "node:",
    ],
    instead: "examples use the public entry points only",
  },
];

/** The engine does no I/O: of Node's modules it may use only those that compute. */
export const PURE_NODE = ["node:crypto", "node:util", "node:buffer", "node:path", "node:url"];
