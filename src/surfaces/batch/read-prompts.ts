import { createHash } from "node:crypto";
import { resolve } from "node:path";
import { UserError } from "../../contract/common/failure.ts";
import { isObject } from "../../contract/common/is-object.ts";
import type { Json } from "../../contract/common/json.ts";

export interface Item {
  /** Its place among the prompts of the file, from 0. */
  readonly index: number;
  /** What it is known by in every run of this name: its words, and how many of the same came before. */
  readonly key: string;
  readonly prompt: string;
  /** Where it works; absent: where the run was started. */
  readonly cwd: string | undefined;
}

const REPORTED = 5;
/** Keys of the original by which an item runs in a container of its own. */
const IMAGES = ["image", "docker_image"];

/** The prompts of a JSON Lines file. @throws {UserError} naming lines that are none: nothing is run of a file that holds one. */
export function readPrompts(text: string, file: string, cwd: string): readonly Item[] {
  const items: Item[] = [];
  const wrong: string[] = [];
  const seen = new Map<string, number>();
  for (const [at, line] of text.split("\n").entries()) {
    if (line.trim() === "") continue;
    const entry = parsed(line);
    const { prompt, cwd: place } = entry ?? {};
    const image = IMAGES.find((key) => entry?.[key] !== undefined && entry[key] !== null);
    const why =
      entry === undefined
        ? "it is no JSON object"
        : typeof prompt !== "string" || prompt.trim() === ""
          ? 'it has no "prompt"'
          : image !== undefined
            ? `"${image}" names an image for one item, and here all run where terminal.backend says`
            : place !== undefined && typeof place !== "string"
              ? '"cwd" is no path'
              : undefined;
    if (why !== undefined) {
      wrong.push(`line ${at + 1}: ${why}`);
      continue;
    }
    const words = prompt as string;
    const before = seen.get(words) ?? 0;
    seen.set(words, before + 1);
    items.push({
      index: items.length,
      key: createHash("sha256").update(`${before}\n${words}`).digest("hex").slice(0, 16),
      prompt: words,
      cwd: place === undefined ? undefined : resolve(cwd, place as string),
    });
  }
  if (wrong.length > 0)
    throw new UserError(
      `${file} cannot be run:\n${wrong.slice(0, REPORTED).join("\n")}${wrong.length > REPORTED ? `\nand ${wrong.length - REPORTED} more` : ""}`,
      { hint: 'Each line is like {"prompt": "…"}.', exitCode: 2 },
    );
  if (items.length === 0)
    throw new UserError(`${file} holds no prompt.`, { hint: 'Each line is like {"prompt": "…"}.', exitCode: 2 });
  return items;
}

function parsed(line: string): { readonly [key: string]: Json | undefined } | undefined {
  try {
    const value = JSON.parse(line) as Json;
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
