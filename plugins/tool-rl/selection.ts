import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { isObject, objectOf, ToolFailure, type Json, type JsonObject, type PluginContext } from "hermes-agent/plugin";
import type { Environment, Field } from "./environments.ts";

/** The environment and configuration that a conversation has selected. */
export interface Selection {
  readonly environment: Environment;
  readonly fields: readonly Field[];
  /** Values of the configurable fields. */
  readonly config: { readonly [field: string]: Json };
  readonly at: number;
}

type Retained = Pick<PluginContext, "storage">;

const PREFIX = "selection:";
/** Maximum number of conversations whose selection is stored; the oldest is deleted. */
const MAX_RETAINED = 40;

export async function findSelection(sessionId: string, { storage }: Retained): Promise<Selection | undefined> {
  const saved = await storage.get(`${PREFIX}${sessionId}`);
  return isObject(saved) && isObject(saved["environment"]) && Array.isArray(saved["fields"])
    ? (saved as unknown as Selection)
    : undefined;
}

/** @throws {ToolFailure} if nothing is selected yet, or the file no longer exists. */
export async function needSelection(sessionId: string, ctx: Retained): Promise<Selection> {
  const found = await findSelection(sessionId, ctx);
  if (found === undefined)
    throw new ToolFailure("conflict", "No environment is selected in this conversation.", {
      hint: "Use rl_select_environment(name) to select one.",
    });
  const { name, file_path } = found.environment;
  if (!existsSync(file_path))
    throw new ToolFailure("not_found", `The file of the environment "${name}" no longer exists: ${file_path}`, {
      hint: "Use rl_list_environments to list the environments.",
    });
  return found;
}

export async function keepSelection(sessionId: string, selection: Selection, { storage }: Retained): Promise<void> {
  await storage.set(`${PREFIX}${sessionId}`, selection as unknown as JsonObject);
  const keys = (await storage.keys()).filter((key) => key.startsWith(PREFIX));
  if (keys.length <= MAX_RETAINED) return;
  const aged = await Promise.all(
    keys.map(async (key) => ({ key, at: Number(objectOf(await storage.get(key))["at"] ?? 0) })),
  );
  for (const { key } of aged.toSorted((a, b) => a.at - b.at).slice(0, keys.length - MAX_RETAINED))
    await storage.delete(key);
}

/** Digest of everything that an approval to run this file depends on. */
export function contentOf(file: string): string {
  try {
    return createHash("sha256").update(readFileSync(file)).digest("hex");
  } catch {
    return ""; // The call will fail, because the file no longer exists.
  }
}
