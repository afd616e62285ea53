import { readFileSync } from "node:fs";
import { readableText } from "../../contract/common/text-encoding.ts";
import type { Home } from "../environment/home.ts";

const MAX_CHARS = 20_000;

/** `SOUL.md` of the home: the user's description of the agent. Undefined when it is missing or empty. */
export async function readIdentity(home: Home): Promise<string | undefined> {
  const text = read(home.file("SOUL.md"));
  const words = text.trim().slice(0, MAX_CHARS);
  return words === "" ? undefined : words;
}

function read(file: string): string {
  try {
    return readableText(readFileSync(file));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return "";
    throw error;
  }
}
