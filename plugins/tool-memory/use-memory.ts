import { plantedWords, ToolFailure, type Json, type PluginContext, type ToolContext } from "hermes-agent/plugin";
import { changeNotes, type Changed, type Operation } from "./change-notes.ts";
import { applyPlan, pairsOf, type Authorship, type Plan } from "./changes.ts";
import { fullUsageOf, sizeOf, storeOf, type Store } from "./notes.ts";
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

/** A change that waits for the user's approval, in the original's form. */
export interface StagedOutput {
  readonly success: true;
  readonly staged: true;
  readonly pending_id: string;
  readonly message: string;
}

/** Changes one of the two stores and reports how full it is; where no user can approve, the change waits. */
export async function useMemory(
  input: MemoryInput,
  call: Pick<ToolContext, "config" | "by" | "callId" | "sessionId" | "turnId" | "interactive">,
  ctx: Pick<PluginContext, "changeFile" | "redact">,
): Promise<MemoryOutput | StagedOutput> {
  const { by = "model", sessionId: session, turnId: turn, callId } = call;
  const about = { by, session, turn: turn === "" ? undefined : turn, call: callId };
  if (call.config("memory.write_approval") !== true || call.interactive !== false)
    return writeNotes(input, about, (path) => call.config(path), ctx);
  for (const operation of operationsOf(input)) await mayStay(operation, ctx);
  const { stage } = await import("./pending.ts");
  return {
    success: true,
    staged: true,
    pending_id: await stage(input, about, ctx),
    message: "Not saved yet: the user has to approve it (/memory pending).",
  };
}

/** @throws {ToolFailure} as the tool reports it. */
export async function writeNotes(
  input: MemoryInput,
  about: Authorship,
  config: (path: string) => Json | undefined,
  ctx: Pick<PluginContext, "changeFile" | "redact">,
): Promise<MemoryOutput> {
  const store = storeOf(targetOf(input), config);
  if (!store.enabled)
    throw new ToolFailure(
      "unavailable",
      `${store.path} is disabled (memory.${store.target === "memory" ? "memory_enabled" : "user_profile_enabled"}).`,
      { data: { success: false } },
    );
  const operations = operationsOf(input);
  for (const operation of operations) await mayStay(operation, ctx);
  let guarded: string | undefined;
  const { entries, message } = await applyPlan(store, about, ctx, (before, text): Plan & Changed => {
    guarded = overlong(before, operations, store) ? text : undefined;
    if (guarded !== undefined) return { entries: before, pairs: [], message: "" };
    return { ...changeNotes(before, operations, store), pairs: pairsOf(before, operations, store) };
  });
  if (guarded !== undefined) throw await leftAlone(guarded, store, ctx);
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
