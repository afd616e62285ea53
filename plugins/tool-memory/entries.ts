import { UserError, type PluginContext } from "hermes-agent/plugin";
import { LOG, parseChanges, type Change } from "./changes.ts";
import { parseNotes, storeOf, type Store, type Target } from "./notes.ts";

/** An entry with the change that made it; `undefined` for one that the user wrote into the file. */
export interface Entry {
  readonly target: Target;
  readonly text: string;
  readonly change: Change | undefined;
  /** The change's id, or `m1`, `u2` by its place in the file. */
  readonly id: string;
}

/** By the id of its change, by its place, or by a text that only it contains. */
export async function entryOf(which: string, ctx: PluginContext): Promise<Entry> {
  const all = [...(await entriesOf("user", ctx)), ...(await entriesOf("memory", ctx))];
  const named = all.filter(({ id }) => id === which);
  const found = named.length > 0 ? named : all.filter(({ text }) => text.includes(which));
  if (found.length === 1) return found[0]!;
  throw new UserError(
    found.length === 0 ? `No entry has the id or the text "${which}".` : `${found.length} entries contain "${which}".`,
    { hint: "/memory list shows the entries with their ids." },
  );
}

export async function entriesOf(target: Target, ctx: PluginContext): Promise<readonly Entry[]> {
  const all = (await changes(ctx)).filter((one) => one.target === target);
  return (await textsOf(target, ctx)).map((text, index) => {
    const made = all.findLast(({ after }) => after === text);
    return { target, text, change: made, id: made?.id ?? `${target[0]}${index + 1}` };
  });
}

export async function textsOf(target: Target, ctx: PluginContext): Promise<readonly string[]> {
  return parseNotes(await read(storeFor(target, ctx).path, ctx));
}

export async function changes(ctx: PluginContext): Promise<readonly Change[]> {
  return parseChanges(await read(LOG, ctx));
}

async function read(path: string, ctx: Pick<PluginContext, "changeFile">): Promise<string> {
  let found = "";
  await ctx.changeFile(path, (text) => {
    found = text ?? "";
    return undefined;
  });
  return found;
}

export function storeFor(target: Target, ctx: PluginContext): Store {
  return storeOf(target, (path) => ctx.setting(path));
}

/** Its text is gone, and no later change says why: the user edited the file, or a crash came before it was written. */
export function isLost(one: Change, all: readonly Change[], texts: readonly string[]): boolean {
  if (one.after === undefined || texts.includes(one.after)) return false;
  return !all.slice(all.indexOf(one) + 1).some(({ target, before }) => target === one.target && before === one.after);
}
