import assert from "node:assert/strict";
import { test } from "node:test";
import { RunOutput } from "./run-output.ts";

function outputOf(text: string, stopped: boolean): string {
  const output = new RunOutput({ maxBytes: 10_000 });
  output.push(Buffer.from(text));
  return output.result(stopped).output;
}

test("removes only the shell's messages about commands that Hermes ended", () => {
  const line = "/usr/bin/bash: line 4: 26911 Killed                  sleep 9\n";
  for (const message of [
    "Terminated\n",
    "Killed",
    "Killed: 9\n",
    line,
    line + line,
    line.replace("line 4: ", "line 12:   "),
  ])
    assert.equal(outputOf(`a\n${message}`, true), "a\n", message);
  assert.equal(outputOf(line, true), "");
  assert.equal(outputOf(`a\n${line}`, false), `a\n${line}`);
  for (const own of [`${line}b\n`, "bash: line 1: nothing: command not found\n"])
    assert.equal(outputOf(own, true), own);
});
