import { toolWithRole } from "../../engine/tools/tool-role.ts";
import type { ToolService } from "../../contract/services/tool-service.ts";
import type { Availability } from "../../contract/common/availability.ts";
import { DEFAULT_SURFACE } from "../../contract/conversation/surfaces.ts";
import type { Notice } from "../../contract/common/notice.ts";
import { availabilityOf } from "../../engine/tools/definitions.ts";
import { isBridge } from "../../engine/tools/deferred-tools.ts";
import type { ToolEntry } from "../../engine/ports.ts";
import type { Registered } from "../../engine/tools/registry.ts";
import { customToolsets } from "../../engine/tools/toolsets.ts";
import { textList, ToolSelector, type RunToolsets, type ToolServicePorts } from "./tool-selector.ts";

export interface SelectingToolService extends ToolService {
  /**
   * Names of the tools that a session of this surface is offered, before availability. Unknown names of the run are an
   * error, of the settings a warning.
   */
  select(surface: string, run?: RunToolsets): readonly string[];
}

/**
 * Tools as people list and switch them. Per platform: `platform_toolsets.<platform>`, else `toolsets` (cli), else the
 * platform's preset.
 */
export function createToolService(ports: ToolServicePorts): SelectingToolService {
  const selector = new ToolSelector(ports);
  return {
    select: (surface, run) => selector.select(surface, run),
    async list({ surface, prompter }) {
      const enabled = new Set(selector.select(surface));
      return Promise.all(
        ports.tools.list().map(async (entry) => ({
          declaration: entry.value.declaration,
          owner: entry.owner,
          enabled: isBridge(entry.name) || enabled.has(entry.name),
          availability: await listedAvailability(entry, { surface, prompter }, ports),
        })),
      );
    },
    get: (name) => ports.tools.get(name)?.declaration,
    withRole: (role) => toolWithRole(ports.tools, role)?.name,
    misnamed: (surface) => misnamedToolsets(surface, selector, ports),
    toolsets() {
      const enabled = new Set(selector.select(DEFAULT_SURFACE));
      return ports.toolsets.list().map((toolset) => {
        const resolved = ports.toolsets.resolveToolset(toolset.name);
        const present = resolved.filter((name) => ports.tools.get(name) !== undefined);
        return { ...toolset, resolved, enabled: present.length > 0 && present.every((name) => enabled.has(name)) };
      });
    },
    async enable(names, surface) {
      await (await import("./switch-tools.ts")).enableTools(names, surface, selector, ports);
    },
    async disable(names, surface) {
      await (await import("./switch-tools.ts")).disableTools(names, surface, selector, ports);
    },
  };
}

/** Why a list shows a tool as unavailable, if it does. */
async function listedAvailability(
  entry: Registered<ToolEntry>,
  { surface, prompter }: { readonly surface: string; readonly prompter: boolean },
  ports: ToolServicePorts,
): Promise<Availability> {
  if (isBridge(entry.name))
    return {
      ok: false,
      reason: "Available only when requests defer other tools because there are too many (tools.tool_search).",
    };
  if (entry.value.declaration.interactive && !prompter)
    return { ok: false, reason: "It needs a user to answer, but no one can be asked here." };
  return availabilityOf(ports, entry, { name: surface, prompter });
}

/** Names in the settings that are no toolset and no tool. */
function misnamedToolsets(surface: string, selector: ToolSelector, ports: ToolServicePorts): readonly Notice[] {
  const known = new Set(textList(ports.config.get(`known_plugin_toolsets.${surface}`)));
  const named = [
    `platform_toolsets.${surface}`,
    ...(surface === DEFAULT_SURFACE ? ["toolsets"] : []),
    "agent.disabled_toolsets",
  ].map((path) => ({ path, names: textList(ports.config.get(path)) }));
  const custom = customToolsets(ports.config.get("custom_toolsets")).flatMap(({ name, tools, includes }) => [
    { path: `custom_toolsets.${name}.tools`, names: tools },
    { path: `custom_toolsets.${name}.includes`, names: includes },
  ]);
  return [...named, ...custom].flatMap(({ path, names }) =>
    // The toolset of a plugin that is not there now is no mistake.
    ports.toolsets.selectTools({ enabled: names.filter((name) => !known.has(name)) }).unknown.map((name): Notice => ({
      level: "warning",
      text: `${path} names "${name}", which is not a toolset or tool here.`,
      hint: selector.hintFor([name]),
    })),
  );
}
