import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { fillToolName } from "./fill-tool-name.ts";

const HOSTILE = [`a b'c`, `a"b`, "$(touch owned)", "`id`", "; exit 9", "a\\", "'\"'\"$HOME", "{tool_name}", "x\ny"];
const QUOTINGS = [
  "printf %s {tool_name}",
  "printf %s '{tool_name}'",
  'printf %s "{tool_name}"',
  `printf %s "it's "'{tool_name}'`,
  `printf %s \\'{tool_name}`,
  `printf '%s' "\\"{tool_name}"`,
];

// req: hooks.shell-placeholder
test("passes any tool name to the command as one argument, however the placeholder is quoted", () => {
  for (const name of HOSTILE) {
    for (const [at, command] of QUOTINGS.entries()) {
      const { stdout, status } = spawnSync("/bin/sh", ["-c", fillToolName(command, name)], { encoding: "utf8" });
      assert.equal(status, 0, command);
      assert.equal(stdout, `${["", "", "", "it's ", "'", '"'][at]!}${name}`, `${command} with ${JSON.stringify(name)}`);
    }
  }
});

// req: hooks.shell-placeholder
test("if quoting is ambiguous, refuses a tool name that needs quotes and inserts a plain one", () => {
  for (const command of ["echo \"$(echo '{tool_name}')\"", "echo `echo {tool_name}`", "cat <<X\n{tool_name}\nX"]) {
    assert.throws(() => fillToolName(command, "a'b"), /cannot be inserted safely/);
    assert.match(fillToolName(command, "mcp_files.read"), /mcp_files\.read/);
  }
});
