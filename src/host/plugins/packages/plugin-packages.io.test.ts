import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import type { Answer, Question } from "../../../contract/conversation/question.ts";
import { loadPackage, type PackagePorts } from "./plugin-packages.ts";

/**
 * A plugin whose package is a tarball beside it, so that the test contacts no registry; its install script would leave
 * a trace.
 */
function plugin() {
  const folder = mkdtempSync(join(tmpdir(), "plugin-packages-"));
  const source = join(folder, "source");
  mkdirSync(source);
  writeFileSync(
    join(source, "package.json"),
    JSON.stringify({
      name: "wanted",
      version: "1.2.3",
      main: "index.js",
      scripts: { install: `touch '${join(folder, "ran")}'` },
    }),
  );
  writeFileSync(join(source, "index.js"), "exports.answer = 42;");
  const env = { PATH: process.env["PATH"]!, HOME: folder };
  execFileSync("npm", ["pack", "--silent", "--ignore-scripts", "--pack-destination", folder], { cwd: source, env });
  const dir = join(folder, "plugin");
  mkdirSync(join(dir, "packages"), { recursive: true });
  writeFileSync(
    join(dir, "packages/package.json"),
    JSON.stringify({
      name: "needs",
      version: "1.0.0",
      dependencies: { wanted: `file:${join(folder, "wanted-1.2.3.tgz")}` },
    }),
  );
  execFileSync("npm", ["install", "--package-lock-only", "--ignore-scripts", "--silent"], {
    cwd: join(dir, "packages"),
    env,
  });
  const asked: Question[] = [];
  const ports = (answer: Answer | undefined, allowed = true): PackagePorts => ({
    folder: join(folder, "home"),
    allowed,
    env,
    signal: new AbortController().signal,
    prompter: answer && { ask: async (question) => (asked.push(question), answer) },
  });
  const load = (answer: Answer | undefined, allowed?: boolean) =>
    loadPackage({ key: "needs", dir }, "wanted", ports(answer, allowed)) as Promise<{ answer: number }>;
  return { folder, asked, load, [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) };
}

const yes: Answer = { kind: "text", text: "Install it" };

test("installs a package after approval, without running its code, and asks only once", async () => {
  using made = plugin();
  assert.equal((await made.load(yes)).answer, 42);
  assert.match((made.asked[0] as { text: string }).text, /"needs" needs the package wanted .*1 packages in all/);
  assert.equal(existsSync(join(made.folder, "ran")), false);
  assert.equal((await made.load(undefined, false)).answer, 42);
  assert.equal(made.asked.length, 1);
});

test("a denial, no answer, no prompter and a forbidding setting install nothing", async () => {
  using made = plugin();
  for (const [answer, allowed, words] of [
    [{ kind: "text", text: "Leave it" }, true, /you said no/],
    [{ kind: "none", reason: "timeout" }, true, /no one answered/],
    [undefined, true, /there is no one to ask/],
    [yes, false, /allow_lazy_installs is off/],
  ] as const)
    await assert.rejects(made.load(answer, allowed), { name: "ToolFailure", message: words });
  assert.equal(existsSync(join(made.folder, "home")), false);
});

test("a package that differs from the lock file is not installed and leaves nothing behind", async () => {
  using made = plugin();
  writeFileSync(join(made.folder, "source/index.js"), "exports.answer = 43;");
  execFileSync("npm", ["pack", "--silent", "--ignore-scripts", "--pack-destination", made.folder], {
    cwd: join(made.folder, "source"),
    env: { PATH: process.env["PATH"]!, HOME: made.folder },
  });
  // npm would otherwise take the right content from its cache.
  rmSync(join(made.folder, ".npm"), { recursive: true, force: true });
  await assert.rejects(made.load(yes), /EINTEGRITY|integrity/i);
  assert.deepEqual(readdirSync(join(made.folder, "home")), []);
});

test("a failed download is reported with a fix, and leaves nothing behind", async () => {
  using made = plugin();
  rmSync(join(made.folder, "wanted-1.2.3.tgz"));
  rmSync(join(made.folder, ".npm"), { recursive: true, force: true });
  await assert.rejects(made.load(yes), {
    name: "ToolFailure",
    message: /^Cannot install the package wanted .*: npm install failed .*ENOENT/s,
  });
  assert.deepEqual(readdirSync(join(made.folder, "home")), []);
});

test("a package that the lock file does not name is not installed with the others", async () => {
  using made = plugin();
  const lock = join(made.folder, "plugin/packages/package-lock.json");
  const { packages, ...rest } = JSON.parse(readFileSync(lock, "utf8")) as { packages: Record<string, object> };
  writeFileSync(lock, JSON.stringify({ ...rest, packages: { "": packages[""] } }));
  await assert.rejects(made.load(yes), {
    name: "ToolFailure",
    message: /npm installed node_modules\/wanted, which is missing from the plugin's package-lock\.json/,
  });
  assert.deepEqual(readdirSync(join(made.folder, "home")), []);
});

test("a package that the plugin does not name works if the user installed it, and is never installed automatically", async () => {
  using made = plugin();
  const packages = join(made.folder, "home");
  const load = (name: string) =>
    loadPackage({ key: "needs", dir: join(made.folder, "plugin") }, name, {
      folder: packages,
      allowed: true,
      prompter: { ask: () => assert.fail("the user must not be asked") },
      env: {},
      signal: new AbortController().signal,
    });
  await assert.rejects(load("@lab/provider"), {
    name: "ToolFailure",
    message: /not installed in .*own/,
    hint: "If you trust it, run: hermes model install @lab/provider",
  });
  for (const name of ["../../plugin", "/etc", "@lab/../../x", "a b", ""])
    await assert.rejects(load(name), { name: "ToolFailure", message: `"${name}" is not the name of a package.` });
  const folder = join(packages, "own/node_modules/@lab/provider");
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(folder, "package.json"),
    JSON.stringify({ name: "@lab/provider", version: "1.0.0", main: "index.js" }),
  );
  writeFileSync(join(folder, "index.js"), "exports.answer = 7;");
  assert.equal(((await load("@lab/provider")) as { readonly answer: number }).answer, 7);
});
