import type { PluginListing } from "../contract/plugin-desk.ts";

/** As the seeds print it: `2 tools, 1 hooks`; the other kinds only where there is one. */
export function registeredCounts({ tools, hooks, commands, cli, skills, providers }: PluginListing["registered"]): string {
  const others = ([[commands, "slash commands"], [cli, "commands"], [skills, "skills"], [providers, "providers"]] as const).flatMap(([list, word]) => (list.length === 0 ? [] : [`${list.length} ${word}`]));
  return [`${tools.length} tools`, `${hooks.length} hooks`, ...others].join(", ");
}
