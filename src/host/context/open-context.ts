import type { Json } from "../../contract/common/json.ts";
import type { ContextManager, ManagedContext } from "../../engine/ports.ts";
import type { SlotEntry } from "../tools/slots.ts";
import type { ContextManagerPorts, EngineContextManager } from "./engine-context-manager.ts";

/** Used when the one that is chosen does not exist or fails. */
const BUILT_IN = "compressor";

/**
 * The context engine in use, at hand without its code: while a conversation is far from its limit nothing is loaded.
 * An engine that does not exist, or that fails, is replaced by the built-in one, with a warning.
 */
export function openContext(ports: ContextManagerPorts): ContextManager {
  let warned: string | undefined;
  /** A reloaded plugin has another entry, which gets another try. */
  const failed = new WeakSet<SlotEntry<"context">>();
  const opening = new WeakMap<SlotEntry<"context">, Promise<EngineContextManager>>();

  function chosen(): SlotEntry<"context"> | undefined {
    const id = ports.slots.chosen("context") ?? BUILT_IN;
    const entry = ports.slots.get("context", id);
    if (entry !== undefined) return failed.has(entry) ? builtIn() : entry;
    if (warned !== id)
      ports.log.warning(`There is no context engine "${id}" (context.engine); the built-in one is used.`);
    warned = id;
    return builtIn();
  }

  function builtIn(): SlotEntry<"context"> | undefined {
    return ports.slots.get("context", BUILT_IN);
  }

  function managerOf(entry: SlotEntry<"context">): Promise<EngineContextManager> {
    let manager = opening.get(entry);
    if (manager === undefined) {
      manager = import("./engine-context-manager.ts").then((module) => new module.EngineContextManager(ports, entry));
      opening.set(entry, manager);
    }
    return manager;
  }

  /** Whether the built-in engine takes over from this one, which just failed. Reports it once. */
  function takesOver(entry: SlotEntry<"context">, failure: string | undefined): boolean {
    if (failure === undefined || entry.id === BUILT_IN || builtIn() === undefined) return false;
    if (!failed.has(entry)) {
      const text = `The context engine "${entry.id}" failed (${failure}); the built-in one is used until its plugin is reloaded.`;
      ports.log.error(text);
      ports.report?.(text, "`hermes logs` shows the error; /reload tries the engine again.");
    }
    failed.add(entry);
    return true;
  }

  async function due(state: ManagedContext): Promise<boolean> {
    const entry = ports.config("compression.enabled") === false ? undefined : chosen();
    if (entry === undefined || state.tokens < share(entry.data["asked_from"]) * state.model.contextTokens) return false;
    const manager = await managerOf(entry);
    const answer = await manager.due(state);
    return takesOver(entry, manager.failure) ? due(state) : answer;
  }

  return {
    due,
    async compress(state, wanted) {
      const entry = chosen();
      if (entry === undefined) throw new Error("There is no context engine.");
      const manager = await managerOf(entry);
      try {
        return await manager.compress(state, wanted);
      } catch (cause) {
        if (!takesOver(entry, manager.failure)) throw cause;
        return (await managerOf(builtIn()!)).compress(state, wanted);
      }
    },
    async answered(sessionId, model, usage) {
      const entry = chosen();
      if (
        entry === undefined ||
        !Array.isArray(entry.data["methods"]) ||
        !entry.data["methods"].includes("update_from_response")
      )
        return;
      const manager = await managerOf(entry);
      await manager.answered(sessionId, model, usage);
      takesOver(entry, manager.failure);
    },
  };
}

function share(value: Json | undefined): number {
  return typeof value === "number" && value > 0 ? value : 0;
}
