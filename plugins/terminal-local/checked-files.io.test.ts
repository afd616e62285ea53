import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import {
  chmodSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { LocalFiles } from "./local-files.ts";

const JUDGED = { judged: true } as const;

function setUp(t: { after(run: () => void): void }) {
  const top = realpathSync(mkdtempSync(join(tmpdir(), "hermes-judged-")));
  t.after(() => rmSync(top, { recursive: true, force: true }));
  for (const folder of ["work/sub", "secret"]) mkdirSync(join(top, folder), { recursive: true });
  writeFileSync(join(top, "work/sub/a.txt"), "harmless");
  writeFileSync(join(top, "secret/a.txt"), "SECRET");
  return { top, files: new LocalFiles(() => top), at: (path: string) => join(top, path) };
}

/** Puts a link in the place of a folder, as a command that runs meanwhile could. */
function swap(from: string, to: string): void {
  renameSync(from, `${from}.aside`);
  symlinkSync(to, from);
}

const text = async (read: Promise<Uint8Array | undefined>): Promise<string> => Buffer.from((await read)!).toString();

// req: R-33
test("does not enter a folder that became a link after the check, to read, write, create, remove or move", async (t) => {
  const { files, at } = setUp(t);
  const real = await files.resolve("work/sub/a.txt");
  assert.equal(await text(files.read(real, undefined, JUDGED)), "harmless");
  swap(at("work/sub"), at("secret"));
  const conflict = { code: "conflict", message: /now leads to a different folder/ };
  await assert.rejects(files.read(real, undefined, JUDGED), conflict);
  await assert.rejects(files.write(real, Buffer.from("x"), undefined, JUDGED), conflict);
  await assert.rejects(files.write(at("work/sub/new/deep.txt"), Buffer.from("x"), "absent", JUDGED), {
    code: "conflict",
  });
  await assert.rejects(files.remove(real, JUDGED), conflict);
  await assert.rejects(files.move(real, at("work/b.txt"), JUDGED), conflict);
  await assert.rejects(files.move(at("work/sub.aside/a.txt"), at("work/sub/c.txt"), JUDGED), conflict);
  assert.equal(readFileSync(at("secret/a.txt"), "utf8"), "SECRET");
  assert.deepEqual(readdirSync(at("secret")), ["a.txt"]);
});

test("does not follow a file that became a link; an unchecked path is followed", async (t) => {
  const { files, at } = setUp(t);
  const real = await files.resolve("work/sub/a.txt");
  swap(real, at("secret/a.txt"));
  await assert.rejects(files.read(real, undefined, JUDGED), { code: "conflict" });
  await assert.rejects(files.write(real, Buffer.from("x"), undefined, JUDGED));
  assert.equal(readFileSync(at("secret/a.txt"), "utf8"), "SECRET");
  assert.equal(await text(files.read(real)), "SECRET");
});

test(
  "while a link and a folder swap as fast as possible, no checked read or write follows the link",
  { skip: process.platform === "linux" ? false : "folders are held open by /proc" },
  async (t) => {
    const { files, at } = setUp(t);
    const real = at("work/sub/a.txt");
    symlinkSync(at("secret"), at("link"));
    // A write may create the folder again while it is away; then neither could return to its name.
    const again = `try{if(fs.lstatSync("sub").isDirectory())fs.rmSync("away",{recursive:true})}catch{}`;
    const flip = `const fs=require("fs");process.on("SIGTERM",()=>process.exit());for(;;){try{fs.renameSync("sub","away");fs.renameSync("../link","sub")}catch{${again}}try{fs.renameSync("sub","../link");fs.renameSync("away","sub")}catch{}}`;
    const flipping = spawn(process.execPath, ["-e", flip], { cwd: at("work") });
    t.after(() => flipping.kill("SIGKILL"));
    await new Promise((resolve) => flipping.once("spawn", resolve));
    const seen = new Set<string>();
    const from = performance.now();
    const both = () => seen.has("written") && seen.has("refused");
    while (performance.now() < from + 1_500 || (!both() && performance.now() < from + 120_000)) {
      seen.add(await text(files.read(real, undefined, JUDGED)).catch(() => "refused"));
      await files.write(real, Buffer.from("written"), undefined, JUDGED).catch(() => undefined);
    }
    flipping.kill("SIGKILL");
    assert.equal(readFileSync(at("secret/a.txt"), "utf8"), "SECRET");
    assert.ok(!seen.has("SECRET"), [...seen].join());
    assert.ok(both(), `both were met: ${[...seen].join()}`);
  },
);

test("writing replaces a hard link and leaves its other names alone; a folder without read permission is still entered", async (t) => {
  const { files, at } = setUp(t);
  linkSync(at("secret/a.txt"), at("work/hard.txt"));
  await files.write(at("work/hard.txt"), Buffer.from("mine"), undefined, JUDGED);
  assert.deepEqual(
    [readFileSync(at("secret/a.txt"), "utf8"), readFileSync(at("work/hard.txt"), "utf8")],
    ["SECRET", "mine"],
  );
  chmodSync(at("work/sub"), 0o311);
  const read = text(files.read(at("work/sub/a.txt"), undefined, JUDGED));
  await read.finally(() => chmodSync(at("work/sub"), 0o755)); // Otherwise it cannot be removed.
  assert.equal(await read, "harmless");
});
