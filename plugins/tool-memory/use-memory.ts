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

/** Changes one of the two stores and tells how full it is. */
export async function useMemory(
  input: MemoryInput,
  call: Pick<ToolContext, "config">,
  ctx: Pick<PluginContext, "changeFile" | "redact">,
): Promise<MemoryOutput> {
  const store = storeOf(targetOf(input), (path) => call.config(path));
  if (!store.enabled)
    throw new ToolFailure(
      "unavailable",
      `${store.path} is switched off (memory.${store.target === "memory" ? "memory_enabled" : "user_profile_enabled"}).`,
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
    note: "Saved; new sessions begin with it.",
  };
}

/** @throws {ToolFailure} for what later sessions would take for an order, and for secrets. */
async function mayStay({ action, content }: Operation, { redact }: Pick<PluginContext, "redact">): Promise<void> {
  if (action === "remove") return;
  const planted = await plantedWords(content);
  if (planted !== undefined)
    throw new ToolFailure("blocked", `This is not kept: every later session would read it. ${planted}`, {
      data: { success: false },
      hint: "Write down the fact or the person's wish in plain words, if there is one.",
    });
  if (redact(content) !== content)
    throw new ToolFailure("blocked", "This is not kept: it holds a secret.", {
      data: { success: false },
      hint: "Write down where the secret lies instead.",
    });
}

/** A person wrote a text of their own into the file: one that would be changed as a single entry, and is longer than all entries may be. */
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
    `${path} was written by hand: one entry of it is longer than the ${limit} characters that the whole file may have. Nothing was changed.`,
    {
      data: {
        success: false,
        drift_backup: backup,
        remediation: "A person divides it into entries, with a line that holds only § between them.",
      },
    },
  );
}
