import type { PluginListing } from "../../../contract/services/plugin-service.ts";

/** As the seeds print it: `2 tools, 1 hooks`. Of the other kinds, and of these beside others, only what there is. */
export function registeredCounts({
  tools,
  hooks,
  commands,
  cli,
  skills,
  providers,
  toolsets,
  middleware,
}: PluginListing["registered"]): string {
  const kinds = [
    [commands, "slash command"],
    [cli, "command"],
    [skills, "skill"],
    [providers, "provider"],
    [toolsets, "toolset"],
    [middleware, "middleware"],
  ] as const;
  const others = kinds.flatMap(([list, word]) =>
    list.length === 0 ? [] : [`${list.length} ${word}${list.length === 1 || word === "middleware" ? "" : "s"}`],
  );
  if (tools.length + hooks.length > 0) return [`${tools.length} tools`, `${hooks.length} hooks`, ...others].join(", ");
  return others.length > 0 ? others.join(", ") : "registers nothing";
}
