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

const MOVE_DOWN = "move the type down to src/contract, or pass the thing in as a port";

export const LAYERS: readonly Layer[] = [
  {
    folder: "src/contract",
    holds: "types, facts and errors that all layers share",
    may: [],
    instead: "the contract imports nothing; describe the shape here",
  },
  {
    folder: "src/safety",
    holds: "pure analysis: what would this command, path or URL do?",
    may: ["src/contract", "unbash"],
    instead: MOVE_DOWN,
  },
  {
    folder: "src/engine",
    holds: "how a turn runs; no I/O of its own",
    may: ["src/contract", "src/safety", "ajv"],
    instead: MOVE_DOWN,
  },
  {
    folder: "src/host",
    holds: "what one process owns: configuration, store, plugins, models",
    may: ["src/contract", "src/safety", "src/engine", "croner", "yaml", "node:"],
    instead: MOVE_DOWN,
  },
  {
    folder: "src/plugin-runtimes",
    holds: "plugins that run in processes of their own",
    may: [
      "src/contract",
      "src/safety",
      "src/engine",
      "src/host/compat",
      "src/host/environment",
      "src/host/plugins",
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
    holds: "ways in and out; no surface imports another",
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
  {
    folder: "src/edit",
    holds: "find the text that an edit means",
    may: [],
    instead: "it computes on texts alone; describe the shape here",
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
    folder: "src/testing",
    holds: "scripted model, fake clock, contract suites",
    may: ["src/contract", "src/safety", "src/engine", "node:"],
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
    may: ["src/host/compat/compat-runtime.ts"],
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
    instead: "main only picks a surface",
  },
  {
    folder: "src/run-piece.ts",
    holds: "runs a compiled piece of the build",
    may: ["node:"],
    instead: "it runs before anything of the agent is there",
  },
  {
    folder: "plugins",
    holds: "every capability that ships with Hermes",
    may: ["hermes-agent/plugin", "hermes-agent/edit", "hermes-agent/terminal", "hermes-agent/browser", "node:"],
    instead: "widen the public entry point (src/plugin.ts) instead of importing past it",
  },
  {
    folder: "tools",
    holds: "tool modules in the original's form",
    may: ["hermes-agent/registry", "node:"],
    instead: "a tool module registers itself through hermes-agent/registry; for more make it a plugin",
  },
  {
    folder: "examples",
    holds: "plugins and wrappers to copy",
    may: [
      "hermes-agent/plugin",
      "hermes-agent/edit",
      "hermes-agent/terminal",
      "hermes-agent/browser",
      "hermes-agent/cli",
      "node:",
    ],
    instead: "examples use the public entry points only",
  },
];

/** The engine does no I/O: of Node's modules it may use only those that compute. */
export const PURE_NODE = ["node:crypto", "node:util", "node:buffer", "node:path", "node:url"];
