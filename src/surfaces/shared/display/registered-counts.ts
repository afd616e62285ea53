import type { PluginListing } from "../../../contract/services/plugin-service.ts";

/** As the original prints it: `2 tools, 1 hooks`. Lists other kinds only if there are any. */
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
