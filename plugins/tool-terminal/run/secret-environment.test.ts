import assert from "node:assert/strict";
import { test } from "node:test";
import { judgeCommand, ToolFailure, type Json } from "hermes-agent/plugin";
import { secretEnvironmentRisk } from "./secret-environment.ts";

const ENV = { TOKEN: "secret://GITHUB_TOKEN" };
const ask = async (command: string, variables: Readonly<Record<string, string>> = ENV, handles: Json = {}) => {
  const judged = await judgeCommand(command, { cwd: "/p", home: "/h" });
  return secretEnvironmentRisk(undefined, { command, variables, judged, handles });
};

// req: R-39
test("the question names the secret, the program and its hosts, and only the user can answer it", async () => {
  const risk = await ask('curl -sH "Authorization: Bearer $TOKEN" https://api.example.org/me | jq .name');
  assert.deepEqual(risk?.reasons, ["Gives the stored secret GITHUB_TOKEN to curl, jq, as $TOKEN."]);
  assert.deepEqual(risk?.effects, ["connect to https://api.example.org/me"]);
  assert.deepEqual([risk?.fresh, risk?.rule], [true, undefined]);
});

test("asks about a harmful command and its secret together, and offers no rule", async () => {
  const judged = await judgeCommand("rm -rf build", { cwd: "/p", home: "/h" });
  const risk = secretEnvironmentRisk(
    {
      answer: "ask",
      key: "recursive delete",
      reasons: ["Deletes."],
      effects: [],
      rule: "recursive delete in /p/build",
    },
    { command: "rm -rf build", variables: ENV, judged, handles: {} },
  );
  assert.deepEqual(
    [risk?.key, risk?.reasons.length, risk?.rule, risk?.fresh],
    ["stored secret given to a command + recursive delete", 2, undefined, true],
  );
});

test("a secret's rule covers one command only: no operators, no other secret, no shell through a pattern", async () => {
  const handles = { GITHUB_TOKEN: { tools: ["terminal"], commands: ["gh pr *", "bash *", "*"] } };
  assert.equal(await ask("gh pr list", ENV, handles), undefined);
  for (const command of ["gh pr list; env", "gh pr list > x", "gh pr $(id)", "bash x.sh", "curl x", "gh  pr"])
    assert.equal((await ask(command, ENV, handles))?.answer, "ask", command);
  const two = await ask("gh pr list", { ...ENV, OTHER: "secret://OTHER" }, handles);
  assert.deepEqual(two?.reasons, ["Gives the stored secret OTHER to gh, as $OTHER."]);
});

test("accepts only whole secret handles under ordinary variable names", async () => {
  for (const variables of [
    { A: "plain" },
    { A: "Bearer secret://X" },
    { A: "secret://X/../Y" },
    { "A B": "secret://X" },
    { PATH: "secret://X" },
    { LD_PRELOAD: "secret://X" },
    { BASH_ENV: "secret://X" },
    { IFS: "secret://X" },
    { HERMES_RUN: "secret://X" },
  ])
    await assert.rejects(ask("true", variables as never), ToolFailure, JSON.stringify(variables));
});
