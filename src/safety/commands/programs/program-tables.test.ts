import assert from "node:assert/strict";
import { test } from "node:test";
import { LATER, type LaterTable } from "../evaluate/later-programs.ts";
import { findProgram, loadTable, tablesNamed } from "./program-tables.ts";

const words = (table: LaterTable): readonly string[] => LATER[table].split(/\s+/);

function isThere(name: string): boolean {
  try {
    return findProgram(name, "linux") !== undefined;
  } catch {
    return false;
  }
}

test("finds the lazy table of a program name, for few or many names", () => {
  const names = (Object.keys(LATER) as LaterTable[])
    .flatMap((table) => words(table).map((name) => ({ table, name })))
    .filter(({ name }) => /^[A-Za-z]/.test(name));
  const wrong = (some: typeof names) =>
    some.filter(({ table, name }) => !tablesNamed(`x; ${name} y`).includes(table) && !isThere(name));
  assert.deepEqual(wrong(names.filter((_, at) => at % 97 === 0)), []);
  assert.deepEqual(wrong(names), []);
  assert.deepEqual(tablesNamed("pyth thon3 stal initctl_x apt-g"), []);
});

test("every program name that a lazy table lists is in that table", async () => {
  for (const table of Object.keys(LATER) as LaterTable[]) {
    await loadTable(table);
    for (const name of words(table)) assert.equal(typeof findProgram(name, "linux"), "function", `${table}: ${name}`);
  }
});

test("no program is in two tables", () => {
  const owners = new Map<string, string>();
  const twice: string[] = [];
  for (const table of Object.keys(LATER) as LaterTable[]) {
    for (const name of words(table)) {
      if (owners.has(name)) twice.push(`${name}: ${owners.get(name)} and ${table}`);
      owners.set(name, table);
    }
  }
  assert.deepEqual(twice, []);
});
