/**
 * Modules that load together share a file: each file costs most of a millisecond whatever its size. This names the
 * entry modules, including those that the source imports lazily; their imports come along.
 */
export const PIECES: { readonly [name: string]: readonly string[] } = {
  /**
   * The code of every one-shot up to its first request, and the code of calls. In a separate file, calls cost the first
   * one 3 ms more and save nothing at the start.
   */
  core: [
    "src/plugin.ts",
    "src/surfaces/run.ts",
    "src/surfaces/cli/cli.ts",
    "src/surfaces/cli/commands/chat.ts",
    "src/surfaces/cli/input/piped-input.ts",
    "src/surfaces/cli/conversation/one-shot.ts",
    "src/host/app/open-app.ts",
    "src/host/models/model-service.ts",
    "src/host/models/model-profiles.ts",
    "src/host/models/key-history.ts",
    "src/host/costs/open-costs.ts",
    "src/host/costs/request-costs.ts",
    "src/host/costs/billed-provider.ts",
    "src/host/services/gateway-service.ts",
    "src/host/store/service/request-ledger.ts",
    "src/host/store/facts/open-store.ts",
    "src/engine/dispatch/dispatch.ts",
    "src/engine/dispatch/run-calls.ts",
    "src/engine/approval/judge-effect.ts",
    "plugins/model-http/index.ts",
    "plugins/model-http/chat-completions/client.ts",
    "plugins/tool-send-message/index.ts",
  ],
  /** The code that the first shell command needs. */
  judge: ["src/safety/commands/evaluate/all-parts.ts"],
  /** The code for programs in other languages, and for statements. */
  code: ["src/safety/commands/code/code.ts", "src/safety/commands/sql/sql.ts"],
  terminal: ["plugins/tool-terminal/run/terminal-service.ts", "plugins/terminal-local/local-backend.ts"],
};
