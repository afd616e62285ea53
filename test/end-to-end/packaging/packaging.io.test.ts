import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, globSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { after, before, describe, test } from "node:test";
import { cloneInto, Machine, oldNode, packIn, unpackable } from "../support/packaged.ts";

const ROOT = join(import.meta.dirname, "../../..");
const skip = unpackable();
const old = oldNode();
const needsOld = skip || (old === undefined ? "no older Node.js is installed here" : false);

describe("the published package", { skip, concurrency: false }, () => {
  let machine: Machine;
  let packed: ReturnType<typeof packIn>;
  let hermes: string;
  const newPath = `${dirname(process.execPath)}${delimiter}${process.env["PATH"]}`;
  let oldPath = "";

  before(() => {
    if (skip !== false) return;
    machine = new Machine();
    const clone = machine.folder("clone");
    cloneInto(clone);
    packed = packIn(clone, machine.folder("packed"));
    const installed = spawnSync(
      "npm",
      [
        "install",
        "--global",
        "--prefix",
        machine.folder("installed"),
        "--no-audit",
        "--no-fund",
        "--loglevel=error",
        packed.tarball,
      ],
      { cwd: machine.work, env: machine.env(newPath), encoding: "utf8" },
    );
    assert.equal(installed.status, 0, installed.stdout + installed.stderr);
    hermes = join(machine.root, "installed/bin/hermes");
    machine.write("notes.txt", "hello");
    if (old !== undefined) oldPath = machine.path("old", old, { npm: true });
  });
  after(() => machine?.[Symbol.dispose]());

  test("packing restores package.json, and the package has no sources, tests or dependencies", () => {
    assert.equal(packed.manifest.after, packed.manifest.before);
    assert.equal(existsSync(join(machine.root, "clone/package.json.packing")), false);
    assert.ok(statSync(packed.tarball).size < 5_000_000, `${statSync(packed.tarball).size} bytes`);
    const names = spawnSync("tar", ["-tzf", packed.tarball], { encoding: "utf8" }).stdout.trim().split("\n");
    const odd = names.filter(
      (name) =>
        !/^package\/(dist\/.*|package\.json|README(\.zh-Hans)?\.md|CHANGELOG\.md|LICENSE)$/.test(name) ||
        /\.test\.|node_modules|\.map$/.test(name),
    );
    assert.deepEqual(odd, []);
    assert.deepEqual(
      names.filter((name) => name.endsWith(".ts") && !/\.d\.ts$|^package\/dist\/examples\//.test(name)),
      [],
    );
    const library = join(machine.root, "installed/lib/node_modules");
    assert.deepEqual(
      readdirSync(library).filter((name) => !name.startsWith(".")),
      ["hermes-agent-ts"],
    );
    assert.equal(existsSync(join(library, "hermes-agent-ts/node_modules")), false);
  });

  // req: distribution.runtime-version
  test("installed through npm, the command answers, works and runs a user's plugin", async () => {
    const version = await machine.run(hermes, ["--version"], newPath);
    assert.match(version.out, /^hermes-agent \d+\.\d+\.\d+\n$/);
    const chat = await machine.run(hermes, ["chat", "-q", "list the files here"], newPath);
    assert.equal(chat.status, 0, chat.err);
    assert.match(chat.out, /notes\.txt/);
    const warm = join(machine.home, ".cache/hermes-agent/warm");
    const saved = () =>
      readdirSync(warm)
        .filter((name) => /^core-.*\.chat\./.test(name))
        .map((name) => [name, statSync(join(warm, name)).mtimeMs]);
    const again = async () =>
      assert.match((await machine.run(hermes, ["chat", "-q", "list the files here"], newPath)).out, /notes\.txt/);
    await again();
    const compiled = saved();
    assert.equal(compiled.length, 1, "the next chat finds the compile cache of two chats");
    await again();
    assert.deepEqual(saved(), compiled, "which accepts it unchanged");
    machine.write(
      "~/.hermes/plugins/doubler/plugin.yaml",
      "name: doubler\nversion: 1.0.0\ndescription: Doubles numbers.\nprovides_tools: [double]\n",
    );
    machine.write("~/.hermes/plugins/doubler/index.ts", DOUBLER);
    const enabled = await machine.run(hermes, ["plugins", "enable", "doubler"], newPath);
    assert.equal(enabled.status, 0, enabled.out + enabled.err);
    for (const round of ["first", "second"]) {
      const called = await machine.run(hermes, ["tools", "call", "double", '{"number": 21}'], newPath);
      assert.match(called.out, /42/, `${round}: ${called.out}${called.err}`);
    }
  });

  // req: distribution.npm
  // field: P02
  test("a plugin author's project has the package's types and entry points under the name hermes-agent", async () => {
    const created = await machine.run(hermes, ["plugins", "new", "counter", "--dir", "."], newPath);
    assert.equal(created.status, 0, created.err);
    const project = join(machine.work, "counter");
    const manifest = JSON.parse(readFileSync(join(project, "package.json"), "utf8")) as {
      devDependencies: { [name: string]: string };
    };
    assert.deepEqual(manifest.devDependencies, { "hermes-agent": "npm:hermes-agent-ts@*" });
    // The same layout as the npm alias creates, without the registry.
    manifest.devDependencies["hermes-agent"] = `file:${packed.tarball}`;
    writeFileSync(join(project, "package.json"), JSON.stringify(manifest));
    writeFileSync(
      join(project, "tsconfig.json"),
      JSON.stringify({
        compilerOptions: {
          module: "nodenext",
          target: "esnext",
          strict: true,
          noEmit: true,
          allowImportingTsExtensions: true,
          types: ["node"],
          typeRoots: [join(ROOT, "node_modules/@types")],
        },
      }),
    );
    const inProject = (program: string, ...args: readonly string[]): string => {
      const { status, stdout, stderr } = spawnSync(program, args, {
        cwd: project,
        env: machine.env(newPath),
        encoding: "utf8",
      });
      assert.equal(status, 0, stdout + stderr);
      return stdout;
    };
    inProject("npm", "install", "--no-audit", "--no-fund", "--loglevel=error");
    const types = join(ROOT, "node_modules/.bin/tsc");
    inProject(types, "-p", project, "--pretty", "false");
    assert.match(inProject(process.execPath, "--test", "--test-reporter=tap"), /^# pass 1$/m);
    writeFileSync(join(project, "extra.ts"), 'import { noSuchName } from "hermes-agent/plugin";\nvoid noSuchName;\n');
    assert.throws(() => inProject(types, "-p", project, "--pretty", "false"), /noSuchName/);

    // Every declaration that is shipped resolves: the compiler checks each, without the libraries of this project.
    const shipped = globSync("node_modules/hermes-agent/dist/types/**/*.d.ts", { cwd: project });
    for (const entry of [
      "plugin",
      "edit/index",
      "cli",
      "terminal/index",
      "browser/index",
      "platform/index",
      "testing/index",
      "registry",
    ])
      assert.ok(shipped.includes(`node_modules/hermes-agent/dist/types/${entry}.d.ts`), entry);
    const checks = { extends: "./tsconfig.json", compilerOptions: { skipLibCheck: false }, files: shipped };
    writeFileSync(join(project, "tsconfig.shipped.json"), JSON.stringify(checks));
    inProject(types, "-p", "tsconfig.shipped.json", "--pretty", "false");
  });

  // req: distribution.npm
  test("the next start finds a plugin that npm installed beside it, and drops it when npm removes it", async () => {
    const source = machine.folder("hermes-plugin-dice");
    const module =
      'export const register = (ctx) => ctx.register_tool({ name: "roll_dice", schema: { description: "Rolls.", parameters: { type: "object", properties: {} } }, handler: () => JSON.stringify({ rolled: 6 }) });\n';
    writeFileSync(
      join(source, "package.json"),
      JSON.stringify({
        name: "hermes-plugin-dice",
        version: "1.2.0",
        description: "Rolls dice.",
        type: "module",
        files: ["main.js"],
        "hermes_agent.plugins": { dice: "./main.js" },
      }),
    );
    writeFileSync(join(source, "main.js"), module);
    const npm = (...args: readonly string[]): string => {
      const ran = spawnSync("npm", [...args, "--no-audit", "--no-fund", "--loglevel=error"], {
        cwd: source,
        env: machine.env(newPath),
        encoding: "utf8",
      });
      assert.equal(ran.status, 0, ran.stdout + ran.stderr);
      return ran.stdout.trim();
    };
    const tarball = join(source, npm("pack", "--silent"));
    const listed = async () =>
      (
        JSON.parse((await machine.run(hermes, ["plugins", "list", "--user", "--json"], newPath)).out) as readonly {
          readonly name: string;
          readonly source: string;
          readonly status: string;
          readonly version: string;
        }[]
      )
        .filter(({ source: from }) => from === "npm")
        .map(({ name, status, version }) => [name, status, version]);
    assert.deepEqual(await listed(), []);
    npm("install", "--global", "--prefix", join(machine.root, "installed"), tarball);
    assert.deepEqual(await listed(), [["dice", "not enabled", "1.2.0"]]);
    assert.equal((await machine.run(hermes, ["plugins", "enable", "dice"], newPath)).status, 0);
    assert.match((await machine.run(hermes, ["tools", "call", "roll_dice", "{}"], newPath)).out, /"rolled":6/);
    npm("uninstall", "--global", "--prefix", join(machine.root, "installed"), "hermes-plugin-dice");
    assert.deepEqual(await listed(), []);
    const after = await machine.run(hermes, ["tools", "call", "roll_dice", "{}"], newPath);
    assert.equal(after.status, 1, after.out + after.err);
  });

  // req: distribution.runtime-version
  test(
    "under an older Node.js it downloads a new one once; later starts do not call npm",
    { skip: needsOld },
    async () => {
      const none = machine.path("bare", old ?? "", { npm: false });
      const lacking = await machine.run(hermes, ["--version"], none);
      assert.equal(lacking.status, 69);
      assert.match(lacking.err, /Node\.js 24 or newer is required; this is v\d+.*npm is not installed to download it/);

      const first = await machine.run(hermes, ["chat", "-q", "list the files here"], oldPath);
      assert.equal(first.status, 0, first.err);
      assert.match(first.err, /Downloading Node\.js 24\.\d+\.\d+ with npm \(only once\)/);
      assert.match(first.out, /notes\.txt/);
      const later = machine.withoutNpm(oldPath);
      const second = await machine.run(hermes, ["chat", "-q", "list the files here"], later.path);
      assert.equal(second.status, 0, second.err);
      assert.doesNotMatch(second.err, /fetching/);
      assert.equal(later.called(), false);

      const circle = await machine.run(hermes, ["--version"], oldPath, { HERMES_NODE: old ?? "" });
      assert.equal(circle.status, 69);
      assert.match(circle.err, /HERMES_NODE=.* is not Node\.js 24 or newer/);
    },
  );

  // req: acp.server
  test("hermes-acp is installed with it for editors and equals hermes acp, also on an older Node.js", async () => {
    const text = [];
    for (const path of old === undefined ? [newPath] : [newPath, oldPath])
      text.push(await machine.run(join(dirname(hermes), "hermes-acp"), ["--check"], path));
    for (const { status, out, err } of text)
      assert.deepEqual(
        [status, out],
        [0, "An editor can start Hermes. No model is set up yet; run `hermes acp --setup`.\n"],
        err,
      );
  });

  // req: distribution.runtime-version
  test("two simultaneous first starts of a clone both answer; later ones do not call npm", async () => {
    const clone = machine.folder("fresh");
    cloneInto(clone);
    const start = join(clone, "hermes");
    // After the previous test, the clone's launcher finds the downloaded Node.js too.
    const path = old === undefined ? newPath : oldPath;
    const fresh = { HERMES_HOME: join(machine.root, "empty-home") };
    const both = await Promise.all(
      [1, 2].map(() => machine.run(start, ["chat", "-q", "list the files here"], path, fresh)),
    );
    for (const { status, out, err } of both) {
      assert.equal(status, 0, err);
      assert.match(out, /notes\.txt/);
    }
    assert.equal(
      both.filter(({ err }) => err.includes("Installing the locked dependencies of the agent (only once)")).length,
      1,
    );
    assert.equal(existsSync(join(clone, ".hermes-install")), false);
    const later = machine.withoutNpm(path);
    const third = await machine.run(start, ["chat", "-q", "list the files here"], later.path, fresh);
    assert.equal(third.status, 0, third.err);
    assert.doesNotMatch(third.err, /Downloading|Installing/);
    assert.equal(later.called(), false);
  });

  test("a fresh clone without npm reports what is missing", async () => {
    const clone = machine.folder("bare-clone");
    cloneInto(clone);
    const bare = machine.path("bare-new", process.execPath, { npm: false });
    const lacking = await machine.run(join(clone, "hermes"), ["--version"], bare);
    assert.equal(lacking.status, 69);
    assert.match(lacking.err, /npm is not installed; Hermes needs it once to install the locked dependencies\./);
    assert.equal(existsSync(join(clone, ".hermes-install")), false);
  });
});

const DOUBLER = `import { defineTool, type Plugin } from "hermes-agent/plugin";
const register: Plugin = (ctx) => {
  ctx.tool(defineTool({
    name: "double", toolset: "doubler", description: "Doubles a number.", effect: "none",
    input: { type: "object", properties: { number: { type: "number" } }, required: ["number"] },
    async execute({ number }: { number: number }) { return { result: number * 2 }; },
  }));
};
export default register;
`;
