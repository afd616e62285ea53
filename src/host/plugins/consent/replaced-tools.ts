import type { Json } from "../../../contract/common/json.ts";
import type { OwnedTool } from "../../../contract/services/plugin-service.ts";
import type { FoundPlugin } from "../discovery/discovery.ts";
import type { Registered } from "../registry/registered.ts";

interface Place {
  readonly bundled: readonly FoundPlugin[];
  /** The owner of the active tool of this name. */
  owner(tool: string): string | undefined;
  config(path: string): Json | undefined;
}

/** The built-in tools that a plugin would replace, by each of its tools' names, with the plugin that provides them. */
export function replacedTools(registered: Registered | undefined, place: Omit<Place, "config">): readonly OwnedTool[] {
  const names = new Set((registered?.tools ?? []).flatMap(({ name, aliases }) => [name, ...aliases]));
  return [...names].flatMap((tool) => {
    const owner = builtInOwner(tool, place);
    return owner === undefined ? [] : [{ tool, owner }];
  });
}

/** The bundled plugin that provides it, even if another plugin has replaced it. */
export function builtInOwner(tool: string, { bundled, owner }: Omit<Place, "config">): string | undefined {
  const inForce = owner(tool);
  return (
    bundled.find(({ registered }) =>
      registered?.tools.some(({ name, aliases }) => name === tool || aliases.includes(tool)),
    ) ?? bundled.find(({ key }) => key === inForce)
  )?.key;
}

/**
 * Whether the user agreed that this plugin replaces this built-in tool. A recorded consent names the tools and covers
 * only the content of that time. `true` was written by hand and covers any content.
 * @param changed The content is not what the user agreed to.
 */
export function mayReplace(
  { key, source }: Pick<FoundPlugin, "key" | "source">,
  tool: string,
  config: Place["config"],
  changed = false,
): boolean {
  const agreed = config(agreementPath(key));
  return source === "bundled" || agreed === true || (!changed && Array.isArray(agreed) && agreed.includes(tool));
}

/** The setting after consent to these tools, added to earlier consents. */
export function agreementTo(
  key: string,
  tools: readonly string[],
  config: Place["config"],
): { readonly kind: "set"; readonly path: string; readonly value: Json } {
  const before = config(agreementPath(key));
  return {
    kind: "set",
    path: agreementPath(key),
    value: [...new Set([...(Array.isArray(before) ? (before as readonly Json[]).map(String) : []), ...tools])].sort(),
  };
}

function agreementPath(key: string): string {
  return `plugins.entries.${key}.allow_tool_override`;
}
