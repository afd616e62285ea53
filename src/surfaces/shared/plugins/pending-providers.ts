import { USED_SLOTS, type SlotName } from "../../../contract/plugins/slot-name.ts";

/**
 * A sentence for each provider that is registered but not used: a memory, context engine or browser that no setting
 * chooses, and a kind that this version does not use.
 * @param providers `slot/id`, as listings have them.
 */
export function unusedProviders(providers: readonly string[], setting: (path: string) => unknown): readonly string[] {
  return providers.flatMap((provider) => {
    const [slot, id = ""] = provider.split(/\/(.*)/s);
    if (slot === "memory" && setting("memory.provider") !== id)
      return [`To store memories with it: hermes memory setup ${id}`];
    if (slot === "context" && setting("context.engine") !== id)
      return [`To shorten conversations with it: hermes config set context.engine ${id}`];
    if (slot === "browser" && setting("browser.cloud_provider") !== id)
      return [`To run the agent's browsers with it: hermes config set browser.cloud_provider ${id}`];
    return USED_SLOTS.has(slot as SlotName)
      ? []
      : [`${provider} is registered, but this version does not use providers of that kind.`];
  });
}
