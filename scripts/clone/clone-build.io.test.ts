import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { lacksProgram } from "../../src/testing/lacks-program.ts";
import { setTimeout as sleep } from "node:timers/promises";
import { waitFor } from "../../src/testing/wait-for.ts";
import { BUILDS, matchingBuild, runtime, statesOf } from "./matching-build.cjs";

const INPUTS = [
  "src/main.ts",
  "src/value.ts",
  "package.json",
  "package-lock.json",
  "node_modules/dep/index.js",
  "plugins",
  "tools",
];
/** Replaces scripts/build.ts. The file `hold` keeps it running, and the file `break` makes it fail. */
const BUNDLER = `
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
const part = process.argv.at(-1);
writeFileSync("building", "");
while (existsSync("hold")) await new Promise((resolve) => setTimeout(resolve, 20));
if (existsSync("break")) throw new TypeError("no bundle today");
mkdirSync(part + "/dist");
const value = /"(.*)"/.exec(readFileSync("src/value.ts", "utf8"))[1];
writeFileSync(part + "/dist/main.js", "console.log('build of " + value + "')");
writeFileSync(part + "/inputs.json", ${JSON.stringify(JSON.stringify(INPUTS))});
`;

interface Output {
  readonly status: number | null;
  readonly out: string;
  readonly err: string;
}

/** A clone of a program of two modules, with this clone's launcher. */
class SmallClone implements Disposable {
  readonly root = mkdtempSync(join(tmpdir(), "hermes-clone-"));
  readonly builds = join(this.root, BUILDS);

  constructor() {
    for (const folder of ["scripts/clone", "src", "plugins/one", "node_modules/dep"])
      mkdirSync(join(this.root, folder), { recursive: true });
    for (const file of ["start.cjs", "matching-build.cjs", "make-build.ts"])
      copyFileSync(join(import.meta.dirname, file), join(this.root, "scripts/clone", file));
    this.write("scripts/build.ts", BUNDLER);
    this.write("package.json", '{"name":"small","version":"1.2.3","type":"module"}');
    this.write("package-lock.json", "{}");
    this.write("node_modules/dep/index.js", "");
    this.write("src/main.ts", 'import { value } from "./value.ts";\nconsole.log(`source of ${value}`);\n');
    this.write("src/value.ts", 'export const value = "one";\n');
  }

  write(path: string, text: string): void {
    writeFileSync(join(this.root, path), text);
  }

  start(args: readonly string[] = [], env: NodeJS.ProcessEnv = {}): Promise<Output> {
    return this.#run([join(this.root, "scripts/clone/start.cjs"), ...args], env);
  }

  /** The output of a start that leaves no builder running. */
  async shows(): Promise<string> {
    return (await this.start([], { HERMES_CLONE_BUILD: "use" })).out.trim();
  }

  build(): Promise<Output> {
    return this.#run([join(this.root, "scripts/clone/make-build.ts")], {});
  }

  #run(args: readonly string[], env: NodeJS.ProcessEnv): Promise<Output> {
    const child = spawn(process.execPath, args, {
      cwd: this.root,
      env: { PATH: process.env["PATH"], HOME: this.root, XDG_CACHE_HOME: join(this.root, "xdg"), ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.child = child;
    let out = "";
    let err = "";
    child.stdout.on("data", (text: Buffer) => (out += text.toString()));
    child.stderr.on("data", (text: Buffer) => (err += text.toString()));
    return new Promise((resolve) => child.on("close", (status) => resolve({ status, out, err })));
  }

  child: ReturnType<typeof spawn> | undefined;

  /** Records the state of all inputs, as a build does. */
  note(changes: { readonly runtime?: string } = {}): void {
    mkdirSync(join(this.builds, "id/dist"), { recursive: true });
    chmodSync(this.builds, 0o755);
    this.write(`${BUILDS}/id/dist/main.js`, "console.log('build')");
    const current = { id: "id", runtime: runtime(), inputs: INPUTS, states: statesOf(this.root, INPUTS), ...changes };
    this.write(`${BUILDS}/current.json`, JSON.stringify(current));
  }

  [Symbol.dispose](): void {
    rmSync(this.root, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  }
}

const CHANGES: readonly (readonly [change: string, path: string, act: (clone: SmallClone) => void])[] = [
  ["an edit", "src/value.ts", (clone) => clone.write("src/value.ts", 'export const value = "two and more";\n')],
  [
    "an edit that keeps size and modification time",
    "src/value.ts",
    (clone) => {
      const file = join(clone.root, "src/value.ts");
      const { atime, mtime } = statSync(file);
      utimesSync(file, atime, mtime);
      clone.note();
      clone.write("src/value.ts", 'export const value = "two";\n');
      utimesSync(file, atime, mtime);
    },
  ],
  [
    "another file is moved over it",
    "src/value.ts",
    (clone) => {
      clone.write("other.ts", 'export const value = "two";\n');
      clone.note();
      renameSync(join(clone.root, "other.ts"), join(clone.root, "src/value.ts"));
    },
  ],
  ["a source that is deleted", "src/value.ts", (clone) => rmSync(join(clone.root, "src/value.ts"))],
  ["a changed package.json", "package.json", (clone) => clone.write("package.json", "{}")],
  ["a changed lock file", "package-lock.json", (clone) => clone.write("package-lock.json", "{ }")],
  ["an edited package", "node_modules/dep/index.js", (clone) => clone.write("node_modules/dep/index.js", ";")],
  ["a new plugin", "plugins", (clone) => mkdirSync(join(clone.root, "plugins/two"))],
  ["a folder that did not exist", "tools", (clone) => mkdirSync(join(clone.root, "tools"))],
];

for (const [change, path, act] of CHANGES) {
  test(`a build does not match after ${change}`, async () => {
    using clone = new SmallClone();
    clone.note();
    assert.ok("main" in matchingBuild(clone.root));
    await sleep(20); // The clock of the file system ticks.
    act(clone);
    assert.deepEqual(matchingBuild(clone.root), { why: `${path} has changed since the last build` });
  });
}

test("a build still matches when another project hard-links a package's file", async () => {
  using clone = new SmallClone();
  clone.note();
  await sleep(20);
  linkSync(join(clone.root, "node_modules/dep/index.js"), join(clone.root, "link.js"));
  assert.ok("main" in matchingBuild(clone.root));
});

test("a build of another Node.js does not match", () => {
  using clone = new SmallClone();
  clone.note({ runtime: "Node.js v1" });
  assert.deepEqual(matchingBuild(clone.root), { why: "the last build was made with Node.js v1" });
});

test("does not run a build that other users could write", () => {
  using clone = new SmallClone();
  clone.note();
  chmodSync(clone.builds, 0o777);
  assert.deepEqual(matchingBuild(clone.root), {
    why: `${clone.builds} can be written by other users than the clone's owner`,
  });
});

test("a start from the sources leaves a builder; later starts run its build until a source changes", async () => {
  using clone = new SmallClone();
  const first = await clone.start();
  assert.deepEqual([first.status, first.out, first.err], [0, "source of one\n", ""]);
  await waitFor(() => existsSync(join(clone.builds, "current.json")) && !existsSync(join(clone.builds, "lock")));
  assert.equal(await clone.shows(), "build of one");
  clone.write("src/value.ts", 'export const value = "two";\n');
  assert.equal(await clone.shows(), "source of two");
  assert.equal((await clone.build()).status, 0);
  assert.equal(await clone.shows(), "build of two");
});

test("HERMES_CLONE_BUILD=off runs the sources and leaves no builder", async () => {
  using clone = new SmallClone();
  clone.note();
  const { out } = await clone.start([], { HERMES_CLONE_BUILD: "off" });
  assert.equal(out, "source of one\n");
});

test("--version needs neither sources nor a build", async () => {
  using clone = new SmallClone();
  rmSync(join(clone.root, "src"), { recursive: true });
  assert.deepEqual(await clone.start(["--version"]), { status: 0, out: "hermes-agent 1.2.3\n", err: "" });
});

test("a killed builder leaves the clone unchanged, and does not block the next builder", async () => {
  using clone = new SmallClone();
  clone.write("hold", "");
  const killed = clone.build();
  await waitFor(() => existsSync(join(clone.root, "building")));
  clone.child!.kill("SIGKILL");
  await killed;
  assert.equal(existsSync(join(clone.builds, "current.json")), false);
  assert.equal(readFileSync(join(clone.builds, "lock"), "utf8"), String(clone.child!.pid));
  rmSync(join(clone.root, "hold"));
  assert.deepEqual(await clone.build(), { status: 0, out: "", err: "" });
  assert.equal(await clone.shows(), "build of one");
});

test("of two builders at once, one builds", async () => {
  using clone = new SmallClone();
  clone.write("hold", "");
  const first = clone.build();
  await waitFor(() => existsSync(join(clone.root, "building")));
  assert.deepEqual(await clone.build(), {
    status: 1,
    out: "",
    err: "No build was made: Another process is making a build.\n",
  });
  rmSync(join(clone.root, "hold"));
  assert.equal((await first).status, 0);
  assert.equal(await clone.shows(), "build of one");
});

test("a source that changes during a build invalidates it", async () => {
  using clone = new SmallClone();
  clone.write("hold", "");
  const build = clone.build();
  await waitFor(() => existsSync(join(clone.root, "building")));
  clone.write("src/value.ts", 'export const value = "two";\n');
  rmSync(join(clone.root, "hold"));
  assert.match((await build).err, /src\/value\.ts changed right before the build or during it/);
  assert.equal(await clone.shows(), "source of two");
  assert.deepEqual(
    readdirSync(clone.builds).filter((name) => name.startsWith("part-")),
    [],
  );
});

test("reports a failed build to doctor, and runs the sources", async () => {
  using clone = new SmallClone();
  clone.write("break", "");
  clone.write("src/main.ts", "console.log(globalThis.CLONE_START.obstacle());");
  assert.equal((await clone.build()).status, 1);
  const { out } = await clone.start();
  assert.equal(out, "The last build failed: TypeError: no bundle today\n");
});

test("runs the sources without a message if no build can be written", async () => {
  using clone = new SmallClone();
  clone.write(".cache", "not a folder");
  const { status, out, err } = await clone.start();
  assert.deepEqual([status, out, err], [0, "source of one\n", ""]);
  assert.equal((await clone.build()).status, 1);
});

const mountable = spawnSync("unshare", ["--mount", "--map-root-user", "true"]).status === 0;
test(
  "a read-only clone runs from its sources, and from an existing build",
  { skip: mountable ? lacksProgram("mount") : "no mounts here" },
  async () => {
    using clone = new SmallClone();
    const readOnly = (): string =>
      spawnSync(
        "unshare",
        [
          "--mount",
          "--map-root-user",
          "sh",
          "-c",
          'mount --bind "$1" "$1" && mount -o remount,ro,bind "$1" && exec "$2" "$1/scripts/clone/start.cjs"',
          "sh",
          clone.root,
          process.execPath,
        ],
        { env: { PATH: process.env["PATH"], HOME: clone.root }, encoding: "utf8" },
      ).stdout.trim();
    assert.equal(readOnly(), "source of one");
    assert.equal((await clone.build()).status, 0);
    assert.equal(readOnly(), "build of one");
  },
);
