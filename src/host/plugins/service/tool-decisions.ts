import { UserError } from "../../../contract/common/failure.ts";
import type { ToolCalls } from "../../../contract/services/plugin-service.ts";
import { decisionEdits, toolGrantsOf, type CallingPlugin } from "../consent/tool-grants.ts";
import type { FoundPlugin } from "../discovery/discovery.ts";
import { toolsCalled } from "../discovery/tools-called.ts";
import type { OperationPorts } from "./operation-ports.ts";

/** `hermes plugins grant` and `revoke`. */
export async function decideTools(
  plugin: FoundPlugin,
  tools: readonly string[],
  decision: "allow" | "never" | "ask",
  ports: OperationPorts,
): Promise<{ readonly key: string; readonly calls: ToolCalls }> {
  if (plugin.foreign !== true)
    throw new UserError(`"${plugin.key}" is your own plugin, so it may call every tool and needs no grant.`, {
      hint: `To stop it from running: hermes plugins disable ${plugin.key}`,
    });
  await ports.settings.config.edit(decisionEdits(calling(plugin), tools, decision));
  return { key: plugin.key, calls: toolCallsOf(plugin, ports) };
}

/** The tools that a plugin from elsewhere calls, with the user's decisions. */
export function toolCallsOf(plugin: FoundPlugin, { settings }: OperationPorts): ToolCalls {
  const { allowed, never } = toolGrantsOf(calling(plugin), (path) => settings.config.get(path));
  const { tools, others } = toolsCalled(plugin);
  return { allowed, never, asks: tools.filter((tool) => ![...allowed, ...never].includes(tool)), others };
}

function calling({ key, manifest }: FoundPlugin): CallingPlugin {
  return { key, declared: manifest.grants?.tools ?? [] };
}
