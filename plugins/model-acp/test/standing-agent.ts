import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ModelProvider, PluginContext } from "hermes-agent/plugin";
import { quietLog } from "hermes-agent/testing";
import type { AgentScene } from "../../../test/servers/acp-agent.ts";
import register from "../index.ts";

const PROGRAM = join(import.meta.dirname, "../../../test/servers/acp-agent.ts");

export interface StandingAgent extends AsyncDisposable {
  readonly provider: ModelProvider;
  readonly folder: string;
  readonly warnings: readonly string[];
  /** The texts of the prompts it received, and the options chosen by then. */
  prompts(): readonly { readonly text: string; readonly chosen: { readonly [category: string]: string } }[];
  /** The processes started for it. */
  starts(): readonly {
    readonly pids: readonly number[];
    readonly env: { readonly [name: string]: string };
    readonly args: readonly string[];
    readonly cwd: string;
  }[];
}

/**
 * The provider with a scripted agent as its program.
 * @param variables Additional variables, or replacements of those that name the program.
 */
export function standingAgent(
  scenes: readonly AgentScene[],
  options: {
    readonly choices?: { readonly [category: string]: readonly string[] };
    readonly variables?: { readonly [name: string]: string };
  } = {},
): StandingAgent {
  const folder = mkdtempSync(join(tmpdir(), "acp-agent-"));
  writeFileSync(join(folder, "scenes.json"), JSON.stringify(scenes));
  if (options.choices !== undefined) writeFileSync(join(folder, "choices.json"), JSON.stringify(options.choices));
  const variables: { readonly [name: string]: string } = {
    HERMES_COPILOT_ACP_COMMAND: process.execPath,
    HERMES_COPILOT_ACP_ARGS: `--conditions=hermes-source '${PROGRAM}' '${folder}'`,
    ...options.variables,
  };
  const warnings: string[] = [];
  const unload: (() => void | Promise<void>)[] = [];
  let provider: ModelProvider | undefined;
  // Only the members that this plugin uses.
  const ctx = {
    env: (name: string) => variables[name],
    home: join(folder, "home"),
    log: { ...quietLog(), warning: (text: string) => void warnings.push(text) },
    provide: (_slot: string, made: ModelProvider) => (provider = made),
    onUnload: (cleanup: () => void) => void unload.push(cleanup),
  };
  void register(ctx as unknown as PluginContext);
  const lines = <T>(name: string): readonly T[] =>
    read(join(folder, name)).flatMap((line) => (line === "" ? [] : [JSON.parse(line) as T]));
  return {
    provider: provider!,
    folder,
    warnings,
    prompts: () =>
      lines<{
        readonly prompt: readonly { readonly text?: string }[];
        readonly chosen: { readonly [category: string]: string };
      }>("prompts.jsonl").map(({ prompt, chosen }) => ({ text: prompt.map(({ text = "" }) => text).join(""), chosen })),
    starts: () => lines("starts.jsonl"),
    async [Symbol.asyncDispose]() {
      for (const cleanup of unload) await cleanup();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function read(file: string): readonly string[] {
  try {
    return readFileSync(file, "utf8").split("\n");
  } catch {
    return []; // Nothing received yet.
  }
}
