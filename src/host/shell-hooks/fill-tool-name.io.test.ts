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
test("a tool's name reaches the command as one piece of text, whatever is in it and however it is quoted", () => {
  for (const name of HOSTILE) {
    for (const [at, command] of QUOTINGS.entries()) {
      const { stdout, status } = spawnSync("/bin/sh", ["-c", fillToolName(command, name)], { encoding: "utf8" });
      assert.equal(status, 0, command);
      assert.equal(stdout, `${["", "", "", "it's ", "'", '"'][at]!}${name}`, `${command} with ${JSON.stringify(name)}`);
    }
  }
});

// req: hooks.shell-placeholder
test("where quotes cannot be told, a name that needs them is refused and a plain one is put in", () => {
  for (const command of ["echo \"$(echo '{tool_name}')\"", "echo `echo {tool_name}`", "cat <<X\n{tool_name}\nX"]) {
    assert.throws(() => fillToolName(command, "a'b"), /cannot be inserted safely/);
    assert.match(fillToolName(command, "mcp_files.read"), /mcp_files\.read/);
  }
});
