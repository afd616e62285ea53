import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { openEnvironment } from "./environment.ts";
import { resolveHome } from "./home.ts";

function setUp(t: { after(run: () => void): void }, text: string | undefined, process: { readonly [name: string]: string } = {}) {
  const path = mkdtempSync(join(tmpdir(), "hermes-env-"));
  t.after(() => rmSync(path, { recursive: true, force: true }));
  if (text !== undefined) writeFileSync(join(path, ".env"), text);
  const home = resolveHome({ env: { HERMES_HOME: path }, userHome: path });
  return { path, environment: openEnvironment({ home, process }) };
}

test("the process beats .env, an empty variable counts as unset, and the process is left alone", (t) => {
  const before = { ...process.env };
  const { environment } = setUp(t, "A=file\nB=file\n", { A: "process", B: "" });
  assert.deepEqual([environment.get("A"), environment.get("B"), environment.get("C")], ["process", "file", undefined]);
  assert.deepEqual([environment.source("A"), environment.source("B"), environment.source("C")], ["process", "file", undefined]);
  assert.deepEqual({ ...process.env }, before);
});

test("a value that was set is read back, mode 0600, other lines kept", async (t) => {
  const { path, environment } = setUp(t, "# keys\nA=1\n\nB=2 # two\n");
  await environment.set("A", 'with "quotes", $dollar and\nlines');
  await environment.set("NEW_KEY", "x#y z");
  assert.equal(environment.get("A"), 'with "quotes", $dollar and\nlines');
  assert.equal(environment.get("NEW_KEY"), "x#y z");
  assert.equal(environment.get("B"), "2");
  assert.match(readFileSync(join(path, ".env"), "utf8"), /^# keys\nA=".*"\n\nB=2 # two\nNEW_KEY="x#y z"\n$/);
  assert.equal(statSync(join(path, ".env")).mode & 0o777, 0o600);
  assert.equal(await environment.unset("A"), true);
  assert.equal(await environment.unset("A"), false);
  assert.equal(environment.get("A"), undefined);
});

test("a line that cannot be read is named by its place, never by its text", (t) => {
  const { path, environment } = setUp(t, "A=1\nsk-live-oops\nB='open\n");
  assert.equal(environment.get("A"), "1");
  assert.deepEqual(environment.notices.map(({ text }) => text), [`${path}/.env:2: This line is no assignment and is ignored.`, `${path}/.env:3: The value of B has an opening ' and no closing one; it is ignored.`]);
});

test("a child gets what programs need and what was declared, and no secret beside", (t) => {
  const { environment } = setUp(t, "WEATHER_API_KEY=from-file\n", { PATH: "/bin", LC_ALL: "C", XDG_RUNTIME_DIR: "/run/1", SSH_AUTH_SOCK: "/tmp/agent", OPENAI_API_KEY: "sk-1", NODE_OPTIONS: "--x" });
  assert.deepEqual(environment.childEnvironment([]), { PATH: "/bin", LC_ALL: "C", XDG_RUNTIME_DIR: "/run/1" });
  assert.deepEqual(environment.childEnvironment(["WEATHER_API_KEY", "UNSET"]), { PATH: "/bin", LC_ALL: "C", XDG_RUNTIME_DIR: "/run/1", WEATHER_API_KEY: "from-file" });
});

test("secret values come from both places, longest first", (t) => {
  const { environment } = setUp(t, "A_TOKEN=short-token\nNAME=plain-value\n", { MY_API_KEY: "a-much-longer-key-value", PATH: "/usr/bin:/bin", GITHUB_PAT: "tiny" });
  assert.deepEqual(environment.secretValues(), ["a-much-longer-key-value", "short-token"]);
});
