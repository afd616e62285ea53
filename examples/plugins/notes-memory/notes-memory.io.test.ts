import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";
import { memoryContract } from "hermes-agent/testing";
import { NotesMemory } from "./notes-memory.ts";

const homes: string[] = [];
after(() => homes.forEach((home) => rmSync(home, { recursive: true })));

function newHome(): string {
  const home = mkdtempSync(join(tmpdir(), "notes-memory-"));
  homes.push(home);
  return home;
}

memoryContract("notes-memory", async (home = newHome()) => ({
  provider: new NotesMemory(),
  home,
  [Symbol.asyncDispose]: async () => {},
}));
