import assert from "node:assert/strict";
import { test } from "node:test";
import { findProgram, LATER, loadTable, type LaterTable } from "./programs.ts";

const words = (table: LaterTable): readonly string[] => LATER[table].split(/\s+/);

test("every name that a later table promises is in it", async () => {
  for (const table of Object.keys(LATER) as LaterTable[]) {
    await loadTable(table);
    for (const name of words(table)) assert.equal(typeof findProgram(name, "linux"), "function", `${table}: ${name}`);
  }
});

test("no program stands in two tables, where the one loaded last would win", () => {
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
