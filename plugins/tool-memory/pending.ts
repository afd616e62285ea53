import { randomBytes } from "node:crypto";
import { isObject, type PluginContext } from "hermes-agent/plugin";
import type { Authorship } from "./changes.ts";
import type { MemoryInput } from "./operations.ts";

/** A change that waits for the user's approval. */
export interface Pending extends Authorship {
  readonly id: string;
  /** Epoch ms. */
  readonly at: number;
  readonly input: MemoryInput;
}

const FILE = "memories/pending.json";
const MAX_PENDING = 200;

/** Stores a change until the user approves it. @returns its id. */
export async function stage(
  input: MemoryInput,
  about: Authorship,
  ctx: Pick<PluginContext, "changeFile">,
): Promise<string> {
  const id = randomBytes(3).toString("hex");
  await ctx.changeFile(FILE, (text) => print([...parse(text), { id, at: Date.now(), ...about, input }]));
  return id;
}

export async function readPending(ctx: Pick<PluginContext, "changeFile">): Promise<readonly Pending[]> {
  let all: readonly Pending[] = [];
  await ctx.changeFile(FILE, (text) => {
    all = parse(text);
    return undefined;
  });
  return all;
}

export async function dropPending(id: string, ctx: Pick<PluginContext, "changeFile">): Promise<void> {
  await ctx.changeFile(FILE, (text) => print(parse(text).filter((one) => one.id !== id)));
}

function parse(text: string | undefined): readonly Pending[] {
  try {
    const all: unknown = JSON.parse(text ?? "[]");
    return Array.isArray(all) ? all.filter((one) => isObject(one) && typeof one["id"] === "string") : [];
  } catch {
    return []; // The user edited the file.
  }
}

function print(all: readonly Pending[]): string {
  return `${JSON.stringify(all.slice(-MAX_PENDING), null, 2)}\n`;
}
