import assert from "node:assert/strict";
import { test } from "node:test";
import type { Command } from "commander";
import { buildProgram } from "./command-tree.ts";
import { EXIT } from "../../shared/process/exit-code.ts";

function helpOf(command: Command): string {
  let text = "";
  command
    .configureHelp({ ...command.configureHelp(), helpWidth: 80 })
    .configureOutput({ writeOut: (part) => void (text += part) });
  command.outputHelp();
  return text;
}

const program = buildProgram(() => async () => {});
const all = [program, ...program.commands, ...program.commands.flatMap((command) => command.commands)];

test("examples in the help fit 80 columns and use existing commands and options", () => {
  const lines = all.flatMap((command) =>
    (/\nExamples:\n((?: {2}.*\n)+)/.exec(helpOf(command))?.[1] ?? "").split("\n").filter((line) => line !== ""),
  );
  assert.ok(lines.length > 20, "there are examples");
  for (const line of lines) {
    assert.ok(line.length <= 80, line);
    const [first = "", second = "", ...rest] = (
      /\bhermes(?: (.*?))?(?: {2}|$)/.exec(line.replaceAll(/'[^']*'/g, "…"))?.[1] ?? ""
    ).split(" ");
    const one = program.commands.find((command) => command.name() === first);
    assert.ok(one !== undefined || first === "" || first.startsWith("--"), line);
    const command =
      one?.commands.find((each) => each.name() === second) ??
      one ??
      program.commands.find((each) => each.name() === "chat")!;
    for (const option of [first, second, ...rest].filter((word) => /^--?[a-z]/.test(word)))
      assert.ok(
        [...command.options, ...command.commands.flatMap((each) => each.options)].some(
          ({ short, long }) => option === short || option === long,
        ),
        `${line}: ${option}`,
      );
  }
});

test("the help of commands for scripts lists every exit status", () => {
  for (const words of ["hermes", "hermes chat"]) {
    const text = helpOf(
      all.find(
        (command) => [command.parent?.name(), command.name()].filter((word) => word !== undefined).join(" ") === words,
      )!,
    );
    const message = [...(text.split("\nExit status:\n")[1] ?? "").matchAll(/^ {2}(\d+) +\S/gm)].map(([, status]) =>
      Number(status),
    );
    assert.deepEqual(
      message,
      Object.values(EXIT).toSorted((one, other) => one - other),
      words,
    );
  }
});
