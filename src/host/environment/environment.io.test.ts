import assert from "node:assert/strict";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { openEnvironment } from "./environment.ts";
import { resolveHome } from "./home.ts";

function setUp(
  t: { after(run: () => void): void },
  text: string | undefined,
  process: { readonly [name: string]: string } = {},
) {
  const path = mkdtempSync(join(tmpdir(), "hermes-env-"));
  t.after(() => rmSync(path, { recursive: true, force: true }));
  if (text !== undefined) writeFileSync(join(path, ".env"), text, { mode: 0o600 });
  const home = resolveHome({ env: { HERMES_HOME: path }, userHome: path });
  return { path, environment: openEnvironment({ home, process }) };
}

test("process variables win over .env, empty ones count as unset, and process.env stays unchanged", (t) => {
  const before = { ...process.env };
  const { environment } = setUp(t, "A=file\nB=file\n", { A: "process", B: "" });
  assert.deepEqual([environment.get("A"), environment.get("B"), environment.get("C")], ["process", "file", undefined]);
  assert.deepEqual(
    [environment.source("A"), environment.source("B"), environment.source("C")],
    ["process", "file", undefined],
  );
  assert.deepEqual({ ...process.env }, before);
});

test("reads back a value it set, with mode 0600 and other lines preserved", async (t) => {
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

test("unset removes every line of a variable assigned twice, and set leaves one line", async (t) => {
  const { path, environment } = setUp(t, 'export A="1\nstill 1"\r\n# keep\nA=2\nB=x\nA=3\nC=y\n');
  assert.equal(environment.get("A"), "3");
  await environment.set("A", "4");
  assert.equal(readFileSync(join(path, ".env"), "utf8"), "# keep\nB=x\nA=4\nC=y\n");
  writeFileSync(join(path, ".env"), "A=1\nB=x\nexport A=2\n");
  environment.refresh();
  assert.equal(await environment.unset("A"), true);
  assert.equal(environment.get("A"), undefined);
  assert.equal(readFileSync(join(path, ".env"), "utf8"), "B=x\n");
});

test("reports an unreadable line by its number, never by its text", (t) => {
  const { path, environment } = setUp(t, "A=1\nsk-live-oops\nB='open\n");
  assert.equal(environment.get("A"), "1");
  assert.deepEqual(
    environment.notices.map(({ text }) => text),
    [
      `${path}/.env:2: This line is not an assignment and is ignored.`,
      `${path}/.env:3: The value of B has an opening ' without a closing one; it is ignored.`,
    ],
  );
});

test("summarizes many invalid lines of an .env file in a few notices and reports a folder at its path", (t) => {
  const { path, environment } = setUp(t, "x\n".repeat(500) + "A=1\n");
  assert.equal(environment.get("A"), "1");
  assert.deepEqual(
    environment.notices.map(({ text }) => text),
    [
      ...[1, 2, 3].map((line) => `${path}/.env:${line}: This line is not an assignment and is ignored.`),
      `${path}/.env: 497 more lines have the same problem. Is it a file of variables?`,
    ],
  );
  rmSync(join(path, ".env"));
  mkdirSync(join(path, ".env"));
  environment.refresh();
  assert.equal(environment.get("A"), undefined);
  assert.deepEqual(environment.notices, [
    {
      level: "error",
      text: `${path}/.env cannot be read: it is a folder`,
      hint: "Make it a file that you can read; until then Hermes ignores its variables.",
    },
  ]);
});

test("a child process gets basic and declared variables, and no secrets", (t) => {
  const { environment } = setUp(t, "WEATHER_API_KEY=from-file\n", {
    PATH: "/bin",
    LC_ALL: "C",
    XDG_RUNTIME_DIR: "/run/1",
    SSH_AUTH_SOCK: "/tmp/agent",
    OPENAI_API_KEY: "sk-1",
    NODE_OPTIONS: "--x",
  });
  assert.deepEqual(environment.childEnvironment([]), { PATH: "/bin", LC_ALL: "C", XDG_RUNTIME_DIR: "/run/1" });
  assert.deepEqual(environment.childEnvironment(["WEATHER_API_KEY", "UNSET"]), {
    PATH: "/bin",
    LC_ALL: "C",
    XDG_RUNTIME_DIR: "/run/1",
    WEATHER_API_KEY: "from-file",
  });
});

test("lists secret values of both sources, longest first", (t) => {
  const { environment } = setUp(t, "A_TOKEN=short-token\nNAME=plain-value\n", {
    MY_API_KEY: "a-much-longer-key-value",
    PATH: "/usr/bin:/bin",
    GITHUB_PAT: "tiny",
  });
  assert.deepEqual(environment.secretValues(), ["a-much-longer-key-value", "short-token"]);
});

test("reports an .env file that other users can read, and the next write makes it private", async (t) => {
  const { path, environment } = setUp(t, "A=1\n");
  assert.deepEqual(environment.notices, []);
  chmodSync(join(path, ".env"), 0o644);
  assert.deepEqual(
    environment.notices.map(({ text, hint }) => [text, hint]),
    [[`other users of this machine can read ${path}/.env`, `chmod 600 ${path}/.env`]],
  );
  await environment.set("B", "2");
  assert.equal(statSync(join(path, ".env")).mode & 0o777, 0o600);
  assert.deepEqual(environment.notices, []);
});

test("the password in a URL counts as a secret; a common word does not", (t) => {
  const { environment } = setUp(t, "SHOP_URL=postgres://me:swordfish-9@db/x\nDB_PASSWORD=postgres\n");
  assert.deepEqual(environment.secretValues(), ["swordfish-9"]);
});

// req: R-40
test(
  "reads a keychain value once, on first use, and masks it afterwards",
  { skip: process.platform === "linux" ? false : "the program is secret-tool on Linux" },
  (t) => {
    const { path } = setUp(t, undefined);
    const calls = join(path, "calls");
    writeFileSync(
      join(path, "secret-tool"),
      `#!/bin/sh\necho "$*|$DBUS_SESSION_BUS_ADDRESS|$OTHER_API_KEY" >> ${calls}\n[ "$5" = absent ] && exit 1\nprintf 'from-the-keychain\\n'\n`,
      { mode: 0o755 },
    );
    const { environment } = setUp(
      t,
      "OPENAI_API_KEY=keychain:\nWORK_TOKEN=keychain:absent\nOTHER_API_KEY=plain-value\n",
      { PATH: `${path}:/usr/bin:/bin`, DBUS_SESSION_BUS_ADDRESS: "unix:x" },
    );
    assert.equal(environment.get("OTHER_API_KEY"), "plain-value");
    assert.equal(existsSync(calls), false);
    assert.deepEqual(
      [environment.get("OPENAI_API_KEY"), environment.get("OPENAI_API_KEY"), environment.get("WORK_TOKEN")],
      ["from-the-keychain", "from-the-keychain", undefined],
    );
    assert.equal(
      readFileSync(calls, "utf8"),
      "lookup service hermes-agent account OPENAI_API_KEY|unix:x|\nlookup service hermes-agent account absent|unix:x|\n",
    );
    assert.deepEqual(environment.secretValues(), ["from-the-keychain", "plain-value"]);
  },
);

test(
  "re-reading .env applies a changed account and a keychain unlocked meanwhile",
  { skip: process.platform === "linux" ? false : "the program is secret-tool on Linux" },
  (t) => {
    const { path } = setUp(t, undefined);
    writeFileSync(
      join(path, "secret-tool"),
      `#!/bin/sh\n[ "$5" = locked ] && [ ! -e ${path}/open ] && exit 1\necho "value-of-$5"\n`,
      { mode: 0o755 },
    );
    const { environment } = setUp(t, "LAB_API_KEY=keychain:first\nLOGIN=keychain:locked\n", {
      PATH: `${path}:/usr/bin:/bin`,
    });
    assert.deepEqual([environment.get("LAB_API_KEY"), environment.get("LOGIN")], ["value-of-first", undefined]);
    writeFileSync(environment.file, "LAB_API_KEY=keychain:second\nLOGIN=keychain:locked\n");
    writeFileSync(join(path, "open"), "");
    environment.refresh();
    assert.deepEqual(
      [environment.get("LAB_API_KEY"), environment.get("LOGIN")],
      ["value-of-second", "value-of-locked"],
    );
    assert.deepEqual([...environment.secretValues()].sort(), ["value-of-first", "value-of-locked", "value-of-second"]);
  },
);
