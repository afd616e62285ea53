import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before } from "node:test";
import type { SlotName, Slots } from "../../../contract/slot.ts";
import { memoryContract } from "../../../testing/memory-contract.ts";
import { setUp } from "../plugins-fixture.ts";
import { withPython } from "./hosts-fixture.ts";

const examples = join(import.meta.dirname, "../../../../examples/plugins");
const cleanups: (() => void | Promise<void>)[] = [];
const place = setUp({ after: (cleanup) => void cleanups.push(cleanup) }, {}, "memory:\n  provider: notes-memory\n");
let started: Awaited<ReturnType<typeof place.start>> | undefined;

// req: plugins.memory-python
before(async () => {
  if ("skip" in withPython) return;
  cpSync(join(examples, "notes-memory-python"), join(place.path, "home/plugins/notes-memory"), { recursive: true });
  started = await place.start({}, { hosts: true });
});
after(async () => {
  for (const cleanup of cleanups) await cleanup();
});

async function provider<S extends SlotName>(slot: S, id: string): Promise<Slots[S]> {
  return started!.host.slots.use(slot, id);
}

function newHome(): string {
  const home = mkdtempSync(join(tmpdir(), "hermes-provider-"));
  cleanups.push(() => rmSync(home, { recursive: true }));
  return home;
}

if (!("skip" in withPython)) {
  memoryContract("notes-memory in Python", async (home = newHome()) => ({ provider: await provider("memory", "notes-memory"), home, [Symbol.asyncDispose]: async () => {} }));
}
