import { UserError, type CommandContext, type PickItem, type PluginContext } from "hermes-agent/plugin";
import type { McpService } from "./mcp-service.ts";
import { shownPlace, type ReadEntry } from "./server/server-entry.ts";

/** `/mcp`: lists the servers with their tools and lets the user switch them. @returns the list, or what changed. */
export async function browseServers(service: McpService, ctx: PluginContext, call: CommandContext): Promise<string> {
  await service.read();
  const { entries } = service;
  if (entries.length === 0)
    return "No MCP server is configured. Add one with: hermes mcp add NAME --command PROGRAM (or --url ADDRESS)";
  const items = entries.map((read) => itemOf(read, service));
  if (call.browse === undefined) return items.map(({ label, detail }) => `${label}  ${detail}`).join("\n");
  const changed = new Map<string, boolean>();
  await call.browse({
    title: "MCP servers; changes apply from the next session on",
    items,
    preview: (name) => previewOf(find(service, name), service, ctx),
    async toggle(name) {
      if (name.includes(".")) throw new UserError(`Edit mcp_servers in config.yaml: "${name}" contains a dot.`);
      const on = find(service, name).kind === "off";
      await ctx.saveConfig(`${name}.enabled`, on ? undefined : false);
      await service.read();
      changed.set(name, on);
      return itemOf(find(service, name), service);
    },
  });
  if (changed.size === 0) return "";
  const states = [...changed].map(([name, on]) => `${name} is ${on ? "on" : "off"}`);
  return `${states.join(", ")}. /reload-mcp connects now, and /new offers the tools.`;
}

function nameOf(read: ReadEntry): string {
  return read.kind === "server" ? read.entry.name : read.name;
}

function find(service: McpService, name: string): ReadEntry {
  return service.entries.find((read) => nameOf(read) === name)!;
}

function itemOf(read: ReadEntry, service: McpService): PickItem {
  const name = nameOf(read);
  if (read.kind === "off") return { value: name, label: `○ ${name}`, detail: "off" };
  if (read.kind === "wrong") return { value: name, label: `✗ ${name}`, detail: "not usable" };
  const known = service.get(name)!;
  return known.pin === undefined
    ? { value: name, label: `! ${name}`, detail: "never connected" }
    : {
        value: name,
        label: `✓ ${name}`,
        detail: `${service.visible(known).length} of ${known.pin.tools.length} tools`,
      };
}

function previewOf(read: ReadEntry, service: McpService, ctx: PluginContext): string {
  if (read.kind === "off") return "Off: mcp_servers in config.yaml has enabled: false.";
  if (read.kind === "wrong") return `Not usable: ${read.reason}`;
  const known = service.get(read.entry.name)!;
  const offered = new Set(service.visible(known));
  return [
    ctx.redact(shownPlace(read.entry)),
    "",
    ...(known.pin === undefined
      ? [`Never connected. \`hermes mcp test ${read.entry.name}\` connects and lists the tools.`]
      : known.pin.tools.map(({ name, description }) => `${offered.has(name) ? "✓" : "○"} ${name}  ${description}`)),
  ].join("\n");
}
