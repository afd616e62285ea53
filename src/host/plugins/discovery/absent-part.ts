import { missingModule } from "../registry/describe-failure.ts";

/** If a Python plugin failed because it used a part of the original that does not exist here, says so in a sentence. */
export function absentPart(cause: unknown): string | undefined {
  const module = missingModule(cause);
  if (module !== undefined) return isOriginal(module) ? sentence(module) : undefined;
  for (let one = cause; one instanceof Error; one = one.cause) {
    const name = /^(?:ImportError: )?cannot import name '(\w+)' from '([\w.]+)'/.exec(one.message);
    if (name !== null && isOriginal(name[2]!)) return sentence(`${name[2]}.${name[1]}`);
    const member = /'PluginContext' (?:object )?has no attribute '(\w+)'/.exec(one.message);
    if (member !== null) return `"ctx.${member[1]}" does not exist in this version's plugin context.`;
  }
  return undefined;
}

function sentence(part: string): string {
  return `"${part}" is a part of the Python original that does not exist here.`;
}

/** Packages of the original from which plugins import parts that also exist here. */
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
