import { readFile } from "node:fs/promises";
import type { Home } from "./home.ts";

const MAX_CHARS = 20_000;

/** `SOUL.md` of the home: who the agent is, in the person's own words. Undefined when there is none or it is empty. */
export async function readIdentity(home: Home): Promise<string | undefined> {
  const text = await readFile(home.file("SOUL.md"), "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return "";
    throw error;
  });
  const words = text.replace(/^\uFEFF/, "").trim().slice(0, MAX_CHARS);
  return words === "" ? undefined : words;
}
