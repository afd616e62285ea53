import { plantedWords, ToolFailure, type PluginContext, type ToolContext } from "hermes-agent/plugin";
import { changeNotes, type Changed, type Operation } from "./change-notes.ts";
import { fullUsageOf, parseNotes, printNotes, sizeOf, storeOf, type Store } from "./notes.ts";
import { operationsOf, targetOf, type MemoryInput } from "./operations.ts";

export interface MemoryOutput {
  readonly success: true;
  readonly done: true;
  readonly target: string;
  readonly usage: string;
  readonly entry_count: number;
  readonly message: string;
  readonly note: string;
}

/** Changes one of the two stores and reports how full it is. */
export async function useMemory(
  input: MemoryInput,
  call: Pick<ToolContext, "config">,
  ctx: Pick<PluginContext, "changeFile" | "redact">,
): Promise<MemoryOutput> {
  const store = storeOf(targetOf(input), (path) => call.config(path));
  if (!store.enabled)
    throw new ToolFailure(
      "unavailable",
      `${store.path} is disabled (memory.${store.target === "memory" ? "memory_enabled" : "user_profile_enabled"}).`,
      { data: { success: false } },
    );
  const operations = operationsOf(input);
  for (const operation of operations) await mayStay(operation, ctx);
  let changed!: Changed;
  let guarded: string | undefined;
  await ctx.changeFile(store.path, (text = "") => {
    const before = parseNotes(text);
    guarded = overlong(before, operations, store) ? text : undefined;
    if (guarded !== undefined) return undefined;
    changed = changeNotes(before, operations, store);
    return changed.entries === before ? undefined : printNotes(changed.entries);
  });
  if (guarded !== undefined) throw await leftAlone(guarded, store, ctx);
  const { entries, message } = changed;
  return {
    success: true,
    done: true,
    target: store.target,
    usage: fullUsageOf(entries, store.limit),
    entry_count: entries.length,
    message,
    note: "Saved; new sessions read it.",
  };
}

/** @throws {ToolFailure} for text that looks like an injected instruction, and for secrets. */
async function mayStay({ action, content }: Operation, { redact }: Pick<PluginContext, "redact">): Promise<void> {
  if (action === "remove") return;
  const planted = await plantedWords(content);
  if (planted !== undefined)
    throw new ToolFailure("blocked", `Not saved, because every later session would read it. ${planted}`, {
      data: { success: false },
      hint: "If it contains a fact or a preference of the user, save that in plain words.",
    });
  if (redact(content) !== content)
    throw new ToolFailure("blocked", "Not saved, because it contains a secret.", {
      data: { success: false },
      hint: "Save where the secret is stored instead.",
    });
}

/**
 * The user wrote text into the file without separators, so that it would be one entry that exceeds the limit of the
 * whole file.
 */
function overlong(entries: readonly string[], operations: readonly Operation[], { limit }: Store): boolean {
  return operations.some(
    ({ action, oldText }) =>
      action !== "add" &&
      oldText.trim() !== "" &&
      entries.some((entry) => sizeOf(entry) > limit && entry.includes(oldText.trim())),
  );
}

async function leftAlone(
  text: string,
  { path, limit }: Store,
  ctx: Pick<PluginContext, "changeFile">,
): Promise<ToolFailure> {
  const backup = `${path}.bak.${Date.now()}`;
  await ctx.changeFile(backup, () => text);
  return new ToolFailure(
    "conflict",
    `${path} was edited by hand: one entry is longer than the limit of the whole file (${limit} characters). Nothing was changed.`,
    {
      data: {
        success: false,
        drift_backup: backup,
        remediation: "Ask the user to split it into entries, separated by lines with only §.",
      },
    },
  );
}
