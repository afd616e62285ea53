import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";

/** A piece, and a program that runs it. */
class Build implements Disposable {
  readonly root = mkdtempSync(join(tmpdir(), "hermes-piece-"));
  readonly warm = join(this.root, "cache", "hermes-agent", "warm");
  readonly #piece = join(this.root, "room.script.js");

  readonly #program = join(this.root, "main.mjs");

  constructor() {
    writeFileSync(
      this.#program,
      `import { runPiece } from ${JSON.stringify(join(import.meta.dirname, "run-piece.ts"))}; console.log(runPiece(${JSON.stringify(this.#piece)}, [{ two: 2 }], import.meta, (e) => import(e)).twice(21));`,
    );
    writeFileSync(
      this.#piece,
      "(function(others,meta,load){function twice(x){return x*others[0].two}return{twice}})\n",
    );
  }

  /** The piece's answer. */
  run(words: readonly string[] = ["chat"], env: NodeJS.ProcessEnv = {}): string {
    const { stdout, stderr } = spawnSync(process.execPath, ["--conditions=hermes-source", this.#program, ...words], {
      env: { PATH: process.env["PATH"], HOME: this.root, XDG_CACHE_HOME: join(this.root, "cache"), ...env },
      encoding: "utf8",
    });
    assert.equal(stderr, "");
    return stdout.trim();
  }

  /** By name: when it was written. */
  saved(): { readonly [name: string]: number } {
    return Object.fromEntries(readdirSync(this.warm).map((name) => [name, statSync(join(this.warm, name)).mtimeMs]));
  }

  [Symbol.dispose](): void {
    rmSync(this.root, { recursive: true, force: true });
  }
}

const NAME = `room.script.js.chat.${process.version}-${process.arch}`;

test("caches compiled code after each of the first two runs, separately for each command", () => {
  using build = new Build();
  assert.equal(build.run(), "42");
  assert.deepEqual(Object.keys(build.saved()), [`${NAME}.first`]);
  assert.equal(build.run(), "42");
  const second = build.saved();
  assert.deepEqual(Object.keys(second), [NAME]);
  assert.equal(build.run(), "42");
  assert.equal(build.run(["--resume", "20261122_120000_abcdef"]), "42", "a session without the command's name");
  assert.deepEqual(build.saved(), second);
  assert.equal(build.run(["doctor"]), "42");
  assert.deepEqual(Object.keys(build.saved()).sort(), [NAME, `${NAME.replace("chat", "doctor")}.first`]);
});

test("recompiles and replaces a cache that is from another V8 version, truncated or invalid", () => {
  using build = new Build();
  for (let round = 0; round < 2; round += 1) build.run();
  const file = join(build.warm, NAME);
  const whole = readFileSync(file);
  const breaks: { readonly [what: string]: () => void } = {
    torn: () => truncateSync(file, whole.length >> 1),
    empty: () => truncateSync(file, 0),
    rubbish: () => writeFileSync(file, "rubbish".repeat(1000)),
    "another version's": () =>
      writeFileSync(file, Buffer.concat([whole.subarray(0, 4), Buffer.from([~whole[4]! & 0xff]), whole.subarray(5)])),
  };
  for (const [what, spoil] of Object.entries(breaks)) {
    spoil();
    assert.equal(build.run(), "42", what);
    assert.deepEqual(Object.keys(build.saved()), [`${NAME}.first`], what);
    assert.equal(build.run(), "42", what);
    assert.deepEqual(readFileSync(file).subarray(0, 16), whole.subarray(0, 16), what);
  }
});

test("runs without a message if caching is impossible or disabled", () => {
  using build = new Build();
  const file = join(build.root, "a-file");
  writeFileSync(file, "");
  assert.equal(build.run(["chat"], { XDG_CACHE_HOME: file }), "42");
  assert.equal(build.run(["chat"], { NODE_DISABLE_COMPILE_CACHE: "1" }), "42");
  assert.deepEqual(readdirSync(build.root).sort(), ["a-file", "main.mjs", "room.script.js"]);
});

test("keeps forty cache files and deletes the oldest", () => {
  using build = new Build();
  mkdirSync(build.warm, { recursive: true });
  for (let index = 0; index < 45; index += 1) {
    const file = join(build.warm, `old-${index}`);
    writeFileSync(file, "");
    utimesSync(file, index + 1, index + 1);
  }
  build.run();
  const names = Object.keys(build.saved());
  assert.equal(names.length, 40);
  assert.ok(!names.includes("old-5") && names.includes("old-6"));
});
