import { parseExact } from "../../contract/common/parse-exact.ts";
import { createHash } from "node:crypto";
import { resolve } from "node:path";
import { UserError } from "../../contract/common/failure.ts";
import { isObject } from "../../contract/common/is-object.ts";
import type { Json } from "../../contract/common/json.ts";

export interface Item {
  /** Position in the file, from 0. */
  readonly index: number;
  /** Identifies the item in every run of this name: its text, and how many equal prompts precede it. */
  readonly key: string;
  readonly prompt: string;
  /** Working folder; absent: that of the run. */
  readonly cwd: string | undefined;
}

const REPORTED = 5;
/** Keys of the original that give an item a separate container. */
const IMAGES = ["image", "docker_image"];

/** The prompts of a JSON Lines file. @throws {UserError} naming invalid lines: a file with one is not run at all. */
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
        ? "it is not a JSON object"
        : typeof prompt !== "string" || prompt.trim() === ""
          ? 'it has no "prompt"'
          : image !== undefined
            ? `"${image}" is not supported: all items use the environment of terminal.backend`
            : place !== undefined && typeof place !== "string"
              ? '"cwd" is not a path'
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
      `Cannot run ${file}:\n${wrong.slice(0, REPORTED).join("\n")}${wrong.length > REPORTED ? `\nand ${wrong.length - REPORTED} more` : ""}`,
      { hint: 'Write one object a line: {"prompt": "…"}.', exitCode: 2 },
    );
  if (items.length === 0)
    throw new UserError(`${file} contains no prompt.`, {
      hint: 'Write one object a line: {"prompt": "…"}.',
      exitCode: 2,
    });
  return items;
}

function parsed(line: string): { readonly [key: string]: Json | undefined } | undefined {
  try {
    const value = parseExact(line) as Json;
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
