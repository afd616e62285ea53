import { USED_SLOTS, type SlotName } from "../../../../contract/plugins/slot-name.ts";

/**
 * What a plugin provides that is not in use by being there: a memory or a context engine that nothing chooses yet, and what nothing of this
 * version asks for. A sentence for each.
 * @param providers `slot/id`, as listings have them.
 */
export function providersThatWait(providers: readonly string[], setting: (path: string) => unknown): readonly string[] {
  return providers.flatMap((provider) => {
    const [slot, id = ""] = provider.split(/\/(.*)/s);
    if (slot === "memory" && setting("memory.provider") !== id)
      return [`hermes memory setup ${id} has it keep memories.`];
    if (slot === "context" && setting("context.engine") !== id)
      return [`hermes config set context.engine ${id} has it shorten conversations.`];
    if (slot === "browser" && setting("browser.cloud_provider") !== id)
      return [`hermes config set browser.cloud_provider ${id} has it run the agent's browsers.`];
    return USED_SLOTS.has(slot as SlotName)
      ? []
      : [`${provider} is registered and listed; nothing in this version asks for a provider of that kind yet.`];
  });
}
