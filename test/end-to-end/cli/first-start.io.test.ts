import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { test } from "node:test";
import { Machine, oldNode } from "../support/packaged.ts";
import type { Ended } from "../support/test-user.ts";

const ROOT = join(import.meta.dirname, "../../..");
const old = oldNode();

/** A clone with its launcher but without dependencies, and an npm that simulates networks. */
class FirstStart implements Disposable {
  readonly machine = new Machine();
  readonly clone = this.machine.folder("clone");
  readonly #bin = this.machine.folder("bin");

  constructor(npm: string) {
    mkdirSync(join(this.clone, "scripts"));
    for (const file of ["hermes", "scripts/node-runtime.sh", "package.json", "package-lock.json"])
      copyFileSync(join(ROOT, file), join(this.clone, file));
    chmodSync(join(this.clone, "hermes"), 0o755);
    this.program("npm", npm);
  }

  program(name: string, script: string): void {
    writeFileSync(join(this.#bin, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  }

  /** `./hermes --version`, and the published launcher under an older Node.js. */
  run(launcher: "clone" | "package"): Promise<Ended> {
    if (launcher === "clone")
      return this.machine.run(join(this.clone, "hermes"), ["--version"], this.path(process.execPath));
    return this.machine.run(old ?? "", [join(ROOT, "src/launcher.cjs"), "--version"], this.path(old ?? ""));
  }

  /** This npm first, then this Node.js. */
  path(node: string): string {
    return [this.#bin, dirname(node), process.env["PATH"]].join(delimiter);
  }

  [Symbol.dispose](): void {
    this.machine[Symbol.dispose]();
  }
}

const FAILURES = [
  [
    "a certificate",
    "echo 'npm error code SELF_SIGNED_CERT_IN_CHAIN' >&2; exit 1",
    /SELF_SIGNED_CERT_IN_CHAIN\n[^]*hermes: npm failed to .*\n +npm does not trust a certificate.*NODE_EXTRA_CA_CERTS=.*npm config set cafile/,
  ],
  [
    "an unknown host name",
    "echo 'npm error code ENOTFOUND' >&2; exit 1",
    /ENOTFOUND\n[^]*hermes: npm failed to .*\n +npm cannot reach its registry.*HTTPS_PROXY/,
  ],
  [
    "anything else",
    "echo 'npm error code ENOSPC' >&2; exit 1",
    /ENOSPC\n[^]*hermes: npm failed to .*\n +See npm's output above/,
  ],
] as const;

for (const launcher of ["clone", "package"] as const) {
  const skip = launcher === "package" && old === undefined ? "no older Node.js is installed here" : false;
  for (const [what, npm, text] of FAILURES) {
    test(`the ${launcher}'s launcher shows npm's output and a hint if npm fails for ${what}`, { skip }, async () => {
      using first = new FirstStart(npm);
      const { status, out, err } = await first.run(launcher);
      assert.deepEqual([status, out], [69, ""]);
      assert.match(err, text);
      assert.equal(existsSync(join(first.clone, ".hermes-install")), false);
    });
  }

  test(`the ${launcher}'s launcher disables npm's update notice`, { skip }, async () => {
    using first = new FirstStart('echo "$*" > "$HOME/asked"; exit 1');
    await first.run(launcher);
    assert.match(readFileSync(join(first.machine.home, "asked"), "utf8"), / --no-update-notifier /);
  });
}

test("the launcher reports that npm is still running while npm prints nothing", async () => {
  using first = new FirstStart('while [ ! -e "$HOME/enough" ]; do /bin/sleep 0.05; done; exit 1');
  // A faster clock: ten and thirty seconds pass at once, and npm ends at the second report.
  first.program(
    "sleep",
    'echo "$1" >> "$HOME/slept"; [ "$1" = 30 ] && touch "$HOME/enough" && exec /bin/sleep 60; exec /bin/sleep 0.1',
  );
  const { err } = await first.run("clone");
  assert.equal((err.match(/npm is still running after 10 s/g) ?? []).length, 1, err);
  assert.doesNotMatch(err, /after 40 s/, "the reports end with npm");
});

test("a killed installation does not block the next start", async () => {
  using first = new FirstStart('echo "npm error code ENOTFOUND" >&2; exit 1');
  const { pid } = spawnSync("true"); // A lock of a process that has ended.
  mkdirSync(join(first.clone, ".hermes-install"));
  writeFileSync(join(first.clone, ".hermes-install/holder"), `${pid}\n`);
  first.program("sleep", "exec /bin/sleep 0.1");
  const { status, err } = await first.run("clone");
  assert.equal(status, 69);
  assert.match(err, /Waiting for another start[^]*npm failed to install/);
  assert.doesNotMatch(err, /cannot open|No such file/);
  assert.equal(existsSync(join(first.clone, ".hermes-install")), false);
});

test("reports a read-only clone at once instead of waiting", async () => {
  using first = new FirstStart("exit 1");
  first.program("mkdir", `echo "mkdir: cannot create directory: Read-only file system" >&2; exit 1`);
  const { status, err } = await first.run("clone");
  assert.deepEqual(
    [status, err.split("\n")],
    [
      69,
      [
        `hermes: Cannot install into ${first.clone}: mkdir: cannot create directory: Read-only file system`,
        "        Start Hermes once as a user who may write there, or create your own clone.",
        "",
      ],
    ],
  );
});

test(
  "reports a home in which Node.js cannot be stored",
  { skip: old === undefined ? "no older Node.js is installed here" : false },
  async () => {
    using machine = new Machine();
    const { status, err } = await machine.run(
      old!,
      [join(ROOT, "src/launcher.cjs"), "--version"],
      process.env["PATH"] ?? "",
      { XDG_CACHE_HOME: "/dev/null" },
    );
    assert.equal(status, 69);
    assert.match(
      err,
      /^hermes: Downloading .*\nhermes: Cannot create \/dev\/null\/\S+: ENOTDIR.*\n +Set XDG_CACHE_HOME/,
    );
  },
);

test(
  "without a valid HOME, stores no Node.js in the working folder or in a folder that others can write",
  { skip: old === undefined ? "no older Node.js is installed here" : false },
  async () => {
    for (const HOME of ["home", ""]) {
      using first = new FirstStart("exit 1");
      const { err } = await first.machine.run(old!, [join(ROOT, "src/launcher.cjs"), "--version"], first.path(old!), {
        HOME,
        XDG_CACHE_HOME: "",
      });
      assert.deepEqual(readdirSync(first.machine.work), [], err);
      assert.doesNotMatch(err, / \/tmp\/\.cache\//);
    }
  },
);

// field: S22
test(
  "ignores a relative XDG_CACHE_HOME, so that nothing is stored or run in the working folder",
  { skip: old === undefined ? "no older Node.js is installed here" : false },
  async () => {
    for (const XDG_CACHE_HOME of ["cache", "./cache", "../cache"]) {
      using first = new FirstStart("exit 1");
      const { machine } = first;
      const runs: readonly (readonly [string, readonly string[]])[] = [
        [old!, [join(ROOT, "src/launcher.cjs"), "--version"]],
        [join(first.clone, "hermes"), ["--version"]],
      ];
      for (const [program, args] of runs) {
        const path = [first.path(old!), process.env["PATH"]].join(delimiter);
        const { err } = await machine.run(program, args, path, { XDG_CACHE_HOME });
        assert.deepEqual(readdirSync(machine.work), [], err);
        assert.match(err, new RegExp(`${machine.home}/\\.cache/hermes-agent|Downloading`), program);
      }
      assert.ok(!existsSync(join(machine.work, "../cache")));
      assert.ok(existsSync(join(machine.home, ".cache/hermes-agent")));
    }
  },
);

test("waits for an installation that is still running", async () => {
  using first = new FirstStart("exit 1");
  const lock = join(first.clone, ".hermes-install");
  mkdirSync(lock);
  writeFileSync(join(lock, "holder"), `${process.pid}\n`);
  // The tenth check finds it gone.
  first.program(
    "sleep",
    `echo >> "$HOME/slept"; [ "$(wc -l < "$HOME/slept")" -lt 10 ] || rm -rf "${lock}"; exec /bin/sleep 0.05`,
  );
  assert.equal((await first.run("clone")).status, 69);
  assert.ok(readFileSync(join(first.machine.home, "slept"), "utf8").length >= 10);
});

test(
  "the published launcher exits with the agent's status or signal",
  { skip: old === undefined ? "no older Node.js is installed here" : false },
  async () => {
    using machine = new Machine();
    const node = join(machine.folder("bin"), "node24");
    writeFileSync(node, '#!/bin/sh\n[ "$1" = -p ] && echo 24.0.0 && exit\nkill -TERM $$\n', { mode: 0o755 });
    const { status, signal } = await machine.run(
      old!,
      [join(ROOT, "src/launcher.cjs"), "chat"],
      process.env["PATH"] ?? "",
      { HERMES_NODE: node },
    );
    assert.deepEqual([status, signal], [null, "SIGTERM"]);
  },
);
