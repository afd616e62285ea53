import type { Json } from "../../contract/common/json.ts";
import type { ContextKeeper, KeeperState } from "../../engine/ports.ts";
import type { SlotEntry } from "../tools/slots.ts";
import type { KeeperPorts } from "./engine-context-manager.ts";

/** Used when the one that is chosen cannot be. */
const BUILT_IN = "compressor";

/**
 * The context engine in use, at hand without its code: while a conversation is far from its limit nothing is loaded.
 * An engine that does not exist is replaced by the built-in one, with a warning.
 */
export function openContext(ports: KeeperPorts): ContextKeeper {
  let warned: string | undefined;
  let opening: { readonly entry: SlotEntry<"context">; readonly keeper: Promise<ContextKeeper> } | undefined;

  function chosen(): SlotEntry<"context"> | undefined {
    const id = ports.slots.chosen("context") ?? BUILT_IN;
    const entry = ports.slots.get("context", id);
    if (entry !== undefined) return entry;
    if (warned !== id)
      ports.log.warning(
        `There is no context engine "${id}" (context.engine); the built-in one looks after long conversations.`,
      );
    warned = id;
    return ports.slots.get("context", BUILT_IN);
  }

  function keeper(entry: SlotEntry<"context">): Promise<ContextKeeper> {
    // A plugin that was loaded anew has another entry.
    if (opening?.entry !== entry)
      opening = {
        entry,
        keeper: import("./engine-context-manager.ts").then(({ EngineKeeper }) => new EngineKeeper(ports, entry)),
      };
    return opening.keeper;
  }

  return {
    async due(state: KeeperState) {
      const entry = ports.config("compression.enabled") === false ? undefined : chosen();
      if (entry === undefined || state.tokens < share(entry.data["asked_from"]) * state.model.contextTokens)
        return false;
      return (await keeper(entry)).due(state);
    },
    async compress(state, wanted) {
      const entry = chosen();
      if (entry === undefined) throw new Error("There is no context engine.");
      return (await keeper(entry)).compress(state, wanted);
    },
    async answered(sessionId, model, usage) {
      const entry = chosen();
      if (
        entry === undefined ||
        !Array.isArray(entry.data["methods"]) ||
        !entry.data["methods"].includes("update_from_response")
      )
        return;
      await (await keeper(entry)).answered(sessionId, model, usage);
    },
  };
}

function share(value: Json | undefined): number {
  return typeof value === "number" && value > 0 ? value : 0;
}
