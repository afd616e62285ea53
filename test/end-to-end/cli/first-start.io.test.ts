import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { test } from "node:test";
import { Machine, oldNode } from "../support/packaged.ts";
import type { Ended } from "../support/test-user.ts";

const ROOT = join(import.meta.dirname, "../../..");
const old = oldNode();

/** A clone that has its launcher and no dependencies, and an npm that plays what networks do. */
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
    /SELF_SIGNED_CERT_IN_CHAIN\n[^]*hermes: npm could not .*\n +npm does not trust a certificate.*NODE_EXTRA_CA_CERTS=.*npm config set cafile/,
  ],
  [
    "a name that nobody knows",
    "echo 'npm error code ENOTFOUND' >&2; exit 1",
    /ENOTFOUND\n[^]*hermes: npm could not .*\n +npm does not reach its registry.*HTTPS_PROXY/,
  ],
  [
    "anything else",
    "echo 'npm error code ENOSPC' >&2; exit 1",
    /ENOSPC\n[^]*hermes: npm could not .*\n +npm's own words above say why/,
  ],
] as const;

for (const launcher of ["clone", "package"] as const) {
  const skip = launcher === "package" && old === undefined ? "no older Node.js is installed here" : false;
  for (const [what, npm, text] of FAILURES) {
    test(
      `when npm fails for ${what}, its words are shown and what helps: the ${launcher}'s launcher`,
      { skip },
      async () => {
        using first = new FirstStart(npm);
        const { status, out, err } = await first.run(launcher);
        assert.deepEqual([status, out], [69, ""]);
        assert.match(err, text);
        assert.equal(existsSync(join(first.clone, ".hermes-install")), false);
      },
    );
  }

  test(`npm is asked not to speak of its own new versions: the ${launcher}'s launcher`, { skip }, async () => {
    using first = new FirstStart('echo "$*" > "$HOME/asked"; exit 1');
    await first.run(launcher);
    assert.match(readFileSync(join(first.machine.home, "asked"), "utf8"), / --no-update-notifier /);
  });
}

test("while npm is silent for long, it is said that it still works, until it is done", async () => {
  using first = new FirstStart('while [ ! -e "$HOME/enough" ]; do /bin/sleep 0.05; done; exit 1');
  // A clock that runs faster: ten seconds and thirty are over at once, and the second time npm ends.
  first.program(
    "sleep",
    'echo "$1" >> "$HOME/slept"; [ "$1" = 30 ] && touch "$HOME/enough" && exec /bin/sleep 60; exec /bin/sleep 0.1',
  );
  const { err } = await first.run("clone");
  assert.equal((err.match(/npm is still at it after 10 s/g) ?? []).length, 1, err);
  assert.doesNotMatch(err, /after 40 s/, "nobody speaks for an npm that has ended");
});

test("an installation that was killed does not hold the next start up", async () => {
  using first = new FirstStart('echo "npm error code ENOTFOUND" >&2; exit 1');
  const { pid } = spawnSync("true"); // Of a process that has ended.
  mkdirSync(join(first.clone, ".hermes-install"));
  writeFileSync(join(first.clone, ".hermes-install/holder"), `${pid}\n`);
  first.program("sleep", "exec /bin/sleep 0.1");
  const { status, err } = await first.run("clone");
  assert.equal(status, 69);
  assert.match(err, /waiting for another start[^]*npm could not install/);
  assert.doesNotMatch(err, /cannot open|No such file/);
  assert.equal(existsSync(join(first.clone, ".hermes-install")), false);
});

test("a clone that may not be written to is told at once, not waited for", async () => {
  using first = new FirstStart("exit 1");
  first.program("mkdir", `echo "mkdir: cannot create directory: Read-only file system" >&2; exit 1`);
  const { status, err } = await first.run("clone");
  assert.deepEqual(
    [status, err.split("\n")],
    [
      69,
      [
        `hermes: Nothing can be installed into ${first.clone}: mkdir: cannot create directory: Read-only file system`,
        "        Start it once as somebody who may write there, or make a clone of your own.",
        "",
      ],
    ],
  );
});

test(
  "a home in which no Node.js can be kept is told in words",
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
      /^hermes: fetching .*\nhermes: \/dev\/null\/\S+ cannot be made for it: ENOTDIR.*\n +Set XDG_CACHE_HOME/,
    );
  },
);

test(
  "a HOME that names no folder keeps no Node.js in the folder it was started in, nor where others may put one",
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

test("one that still runs is waited for", async () => {
  using first = new FirstStart("exit 1");
  const lock = join(first.clone, ".hermes-install");
  mkdirSync(lock);
  writeFileSync(join(lock, "holder"), `${process.pid}\n`);
  // The tenth look finds it gone.
  first.program(
    "sleep",
    `echo >> "$HOME/slept"; [ "$(wc -l < "$HOME/slept")" -lt 10 ] || rm -rf "${lock}"; exec /bin/sleep 0.05`,
  );
  assert.equal((await first.run("clone")).status, 69);
  assert.ok(readFileSync(join(first.machine.home, "slept"), "utf8").length >= 10);
});

test(
  "how the agent ended is how the published launcher ends, also by a signal",
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
