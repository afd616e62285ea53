import assert from "node:assert/strict";
import { test } from "node:test";
import { COPILOT } from "./copilot.ts";
import { programOf } from "./program-of.ts";
import { withoutUndefined } from "hermes-agent/testing";

const program = (env: { readonly [name: string]: string }) => programOf(COPILOT, (name) => env[name]);

test("uses the default program, or the one in a variable; our own variable wins", () => {
  assert.deepEqual(withoutUndefined(program({})), { command: "copilot", args: ["--acp", "--stdio"] });
  assert.deepEqual(program({ COPILOT_CLI_PATH: "/opt/copilot" }), {
    command: "/opt/copilot",
    args: ["--acp", "--stdio"],
    variable: "COPILOT_CLI_PATH",
  });
  assert.deepEqual(program({ COPILOT_CLI_PATH: "/opt/copilot", HERMES_COPILOT_ACP_COMMAND: " /usr/bin/copilot " }), {
    command: "/usr/bin/copilot",
    args: ["--acp", "--stdio"],
    variable: "HERMES_COPILOT_ACP_COMMAND",
  });
  assert.deepEqual(program({ HERMES_COPILOT_ACP_COMMAND: " ", HERMES_COPILOT_ACP_ARGS: "" }), program({}));
});

test("splits the arguments like a shell", () => {
  assert.deepEqual(
    program({ HERMES_COPILOT_ACP_ARGS: `--acp --model "a b" --note='it is' one\\ word --q="say \\"hi\\""` }).args,
    ["--acp", "--model", "a b", "--note=it is", "one word", '--q=say "hi"'],
  );
});
