import { builtInOwner, mayReplace } from "../consent/replaced-tools.ts";
import { recordPlugin } from "../registry/record-plugin.ts";
import type { CheckPorts } from "./check-plugin.ts";
import { lackOf, refusedMembers } from "./describe-plugin.ts";
import { allPlugins, builtInTools, recordPorts, type OperationPorts } from "./operation-ports.ts";
import { withheldSecrets } from "./withheld-secrets.ts";

/** What `hermes plugins check` needs to know of the other plugins, the settings and the agent. */
export function createCheckPorts(ports: OperationPorts): CheckPorts {
  const { settings, hosts, reserved } = ports;
  const { pins, path } = ports.installed;
  return {
    lack: (plugin) => lackOf(plugin, path) ?? hosts?.lack(plugin),
    refusal: (plugin) => pins.refusal(plugin),
    refused: (plugin) => refusedMembers(plugin, ports),
    record: (plugin, log) => recordPlugin(plugin, recordPorts(ports, log)),
    env: (name) => settings.environment.get(name),
    withheld: (plugin, registered) => withheldSecrets(plugin, registered, settings),
    holder: (kind, name, key) => holderOf(kind, name, key, ports),
    isBuiltIn: (kind, name) =>
      kind === "tool"
        ? builtInOwner(name, builtInTools(ports)) !== undefined
        : kind === "command"
          ? reserved?.command?.(name) === true
          : reserved?.word?.(name) === true,
    mayReplace: (plugin, tool) => mayReplace(plugin, tool, (setting) => settings.config.get(setting)),
  };
}

/** The owner of the tool or command of that name apart from the plugin of that key, if any. */
function holderOf(
  kind: "tool" | "command" | "cli",
  name: string,
  key: string,
  ports: OperationPorts,
): string | undefined {
  const { tools, commands, cli } = ports.host;
  const owner = { tool: tools, command: commands, cli }[kind].owner(name);
  if (owner !== key) return owner;
  // It is active, and has the same key as another that waits.
  return allPlugins(ports)
    .filter((plugin) => plugin.key !== key && plugin.source !== "bundled")
    .map((plugin) => ports.host.listing(plugin))
    .find(
      ({ state, registered }) =>
        state === "enabled" &&
        (kind === "tool" ? registered.tools : kind === "command" ? registered.commands : registered.cli).includes(name),
    )?.key;
}
