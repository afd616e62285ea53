import type { PluginContext } from "hermes-agent/plugin";
import { changes, entriesOf, isLost, storeFor, textsOf } from "./entries.ts";
import { printNotes, sizeOf, type Target } from "./notes.ts";
import { operationsOf, targetOf } from "./operations.ts";
import { readPending } from "./pending.ts";

const TARGETS: readonly Target[] = ["user", "memory"];

/** `list --json`: both files, with the author and the time of each entry. Sizes in characters. */
export async function listJson(ctx: PluginContext): Promise<string> {
  const files = await Promise.all(
    TARGETS.map(async (target) => {
      const { path, limit, enabled } = storeFor(target, ctx);
      const entries = await entriesOf(target, ctx);
      return {
        target,
        path,
        enabled,
        limit,
        size: sizeOf(printNotes(entries.map(({ text }) => text))),
        entries: entries.map(({ id, text, change }) => ({
          id,
          text,
          at: change?.at,
          by: change?.by,
          session: change?.session,
        })),
      };
    }),
  );
  return print({ files, pending: (await readPending(ctx)).length });
}

/** `log --json`: the changes, newest first. */
export async function logJson(ctx: PluginContext): Promise<string> {
  const all = await changes(ctx);
  const texts = new Map(
    await Promise.all(TARGETS.map(async (target) => [target, await textsOf(target, ctx)] as const)),
  );
  const reverted = new Set(all.flatMap(({ reverts }) => reverts ?? []));
  return print({
    changes: all.toReversed().map(({ id, at, by, session, target, before, after, reverts }, index) => ({
      id,
      at,
      by,
      session,
      target,
      before,
      after,
      reverts,
      reverted: reverted.has(id),
      lost: isLost(all[all.length - 1 - index]!, all, texts.get(target) ?? []),
    })),
  });
}

/** `pending --json`: the changes that wait for approval. */
export async function pendingJson(ctx: PluginContext): Promise<string> {
  return print({
    pending: (await readPending(ctx)).map(({ id, at, by, session, input }) => ({
      id,
      at,
      by,
      session,
      target: targetOf(input),
      operations: operationsOf(input).map(({ action, content, oldText }) => ({ action, content, oldText })),
    })),
  });
}

function print(value: object): string {
  return JSON.stringify(value, null, 2);
}
