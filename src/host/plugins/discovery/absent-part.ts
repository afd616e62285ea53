import { missingModule } from "../registry/describe-failure.ts";

/** What a Python plugin failed for, in a sentence, where the original has it and nothing here does. */
export function absentPart(cause: unknown): string | undefined {
  const module = missingModule(cause);
  if (module !== undefined) return isOriginal(module) ? sentence(module) : undefined;
  for (let one = cause; one instanceof Error; one = one.cause) {
    const name = /^(?:ImportError: )?cannot import name '(\w+)' from '([\w.]+)'/.exec(one.message);
    if (name !== null && isOriginal(name[2]!)) return sentence(`${name[2]}.${name[1]}`);
    const member = /'PluginContext' (?:object )?has no attribute '(\w+)'/.exec(one.message);
    if (member !== null) return `"ctx.${member[1]}" is nothing that the context of a plugin has here.`;
  }
  return undefined;
}

function sentence(part: string): string {
  return `"${part}" is a part of the Python original that has no counterpart here.`;
}

/** Packages of the original, of which plugins import the parts that are here too. */
const ORIGINAL: ReadonlySet<string> = new Set([
  "agent",
  "tools",
  "gateway",
  "hermes_cli",
  "hermes_state",
  "providers",
  "cron",
  "run_agent",
  "toolsets",
  "plugins",
  "acp_adapter",
  "cli",
  "batch_runner",
  "tui_gateway",
  "hermes_constants",
  "hermes_logging",
  "hermes_time",
  "model_tools",
  "utils",
]);

function isOriginal(module: string): boolean {
  return ORIGINAL.has(module.split(".")[0]!);
}
