import type { Json } from "../../contract/common/json.ts";
import type { ContextManager, ManagedContext } from "../../engine/ports.ts";
import type { SlotEntry } from "../tools/slots.ts";
import type { ContextManagerPorts } from "./engine-context-manager.ts";

/** Used when the one that is chosen cannot be. */
const BUILT_IN = "compressor";

/**
 * The context engine in use, at hand without its code: while a conversation is far from its limit nothing is loaded.
 * An engine that does not exist is replaced by the built-in one, with a warning.
 */
export function openContext(ports: ContextManagerPorts): ContextManager {
  let warned: string | undefined;
  let opening: { readonly entry: SlotEntry<"context">; readonly contextManager: Promise<ContextManager> } | undefined;

  function chosen(): SlotEntry<"context"> | undefined {
    const id = ports.slots.chosen("context") ?? BUILT_IN;
    const entry = ports.slots.get("context", id);
    if (entry !== undefined) return entry;
    if (warned !== id)
      ports.log.warning(`There is no context engine "${id}" (context.engine); the built-in one is used.`);
    warned = id;
    return ports.slots.get("context", BUILT_IN);
  }

  function contextManager(entry: SlotEntry<"context">): Promise<ContextManager> {
    // A reloaded plugin has another entry.
    if (opening?.entry !== entry)
      opening = {
        entry,
        contextManager: import("./engine-context-manager.ts").then(
          ({ EngineContextManager }) => new EngineContextManager(ports, entry),
        ),
      };
    return opening.contextManager;
  }

  return {
    async due(state: ManagedContext) {
      const entry = ports.config("compression.enabled") === false ? undefined : chosen();
      if (entry === undefined || state.tokens < share(entry.data["asked_from"]) * state.model.contextTokens)
        return false;
      return (await contextManager(entry)).due(state);
    },
    async compress(state, wanted) {
      const entry = chosen();
      if (entry === undefined) throw new Error("There is no context engine.");
      return (await contextManager(entry)).compress(state, wanted);
    },
    async answered(sessionId, model, usage) {
      const entry = chosen();
      if (
        entry === undefined ||
        !Array.isArray(entry.data["methods"]) ||
        !entry.data["methods"].includes("update_from_response")
      )
        return;
      await (await contextManager(entry)).answered(sessionId, model, usage);
    },
  };
}

function share(value: Json | undefined): number {
  return typeof value === "number" && value > 0 ? value : 0;
}
