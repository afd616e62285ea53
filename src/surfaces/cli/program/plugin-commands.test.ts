import assert from "node:assert/strict";
import { test } from "node:test";
import { Command } from "commander";
import type { CliCommand } from "../../../contract/conversation/command.ts";
import type { Io } from "../../shared/process/io.ts";
import { mountPluginCommands } from "./plugin-commands.ts";

const io = {
  out: () => undefined,
  note: () => undefined,
  interactive: false,
  signal: new AbortController().signal,
} as unknown as Io;

test("mounts a command without options beside the others", async () => {
  const ran: unknown[] = [];
  const bare: CliCommand = { name: "ebb", description: "d", run: (input) => void ran.push(input) };
  const other: CliCommand = {
    name: "flood",
    description: "d",
    input: { type: "object", properties: { depth: { type: "integer" } } },
    run: (input) => void ran.push(input),
  };
  const program = new Command().exitOverride();
  mountPluginCommands(program, [bare, other], io, (status) => ran.push(status));
  await program.parseAsync(["ebb"], { from: "user" });
  await program.parseAsync(["flood", "--depth", "3"], { from: "user" });
  assert.deepEqual(ran, [{}, 0, { depth: 3 }, 0]);
});
