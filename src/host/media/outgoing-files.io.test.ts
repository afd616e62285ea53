import assert from "node:assert/strict";
import fs, {
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { outgoingFiles } from "./outgoing-files.ts";

const home = realpathSync(mkdtempSync(join(tmpdir(), "hermes-outgoing-")));
after(() => rmSync(home, { recursive: true }));
const cwd = join(home, "work");
const agentHome = join(home, ".hermes");
for (const folder of [cwd, join(agentHome, "cache/audio"), join(home, ".ssh"), join(home, "other"), join(cwd, ".git")])
  mkdirSync(folder, { recursive: true });
const put = (path: string, text = "words"): string => {
  writeFileSync(path, text);
  return path;
};
const files = outgoingFiles({ home, agentHome });
const take = (
  path: string,
  given: {
    readonly made?: readonly string[];
    readonly voice?: boolean;
    readonly asDocument?: boolean;
    readonly cwd?: string;
  } = {},
) => files.take(path, { cwd, made: [], voice: false, asDocument: false, ...given });

// req: media.tts-output-format
test("sends a copy of a workspace file, so a replaced file does not leak, and removes the copy once sent", async () => {
  const path = put(join(cwd, "report.pdf"));
  const taken = await take("~/work/report.pdf");
  assert.ok(taken.ok);
  assert.deepEqual([taken.file.kind, taken.file.name, taken.file.source], ["document", "report.pdf", path]);
  rmSync(path);
  symlinkSync(put(join(home, ".ssh/id_rsa"), "key"), path);
  assert.equal(readFileSync(taken.file.path, "utf8"), "words");
  await files.release([taken.file]);
  assert.ok(!existsSync(taken.file.path));
  const kinds = [
    ["a.png", {}],
    ["a.png", { asDocument: true }],
    ["a.ogg", {}],
    ["a.ogg", { voice: true }],
    ["a.wav", { voice: true }],
    ["a.mp4", {}],
  ] as const;
  const got = [];
  for (const [name, how] of kinds) got.push(await take(put(join(cwd, name)), how));
  assert.deepEqual(
    got.map((one) => one.ok && one.file.kind),
    ["image", "document", "audio", "voice", "audio", "video"],
  );
});

test("sends no protected file through any link, and no outside file unless a tool of the conversation made it", async () => {
  const key = put(join(home, ".ssh/id_ed25519"), "key");
  symlinkSync(key, join(cwd, "notes.txt"));
  linkSync(key, join(cwd, "linked.txt"));
  const reasons: [string, RegExp][] = [
    [key, /protected/],
    [join(cwd, "notes.txt"), /protected/],
    [join(cwd, "linked.txt"), /second name/],
    [put(join(cwd, ".env")), /protected/],
    [put(join(cwd, "server.pem")), /protected/],
    [put(join(home, "other/a.pdf")), /outside the workspace/],
    [join(cwd, "../other/a.pdf"), /outside the workspace/],
    [put(join(cwd, ".git/index.txt")), /outside the workspace/],
    [join(cwd, "gone.pdf"), /no such file/],
    ["work/a.pdf", /not absolute/],
    [cwd, /outside|no file/],
    [put(join(cwd, "empty.txt"), ""), /empty/],
    [put(join(agentHome, "config.yaml")), /protected|outside/],
    [put(join(agentHome, "cache/audio/x.ogg")), /outside the workspace/],
  ];
  for (const [path, why] of reasons) {
    const taken = await take(path);
    assert.ok(!taken.ok && why.test(taken.reason), `${path}: ${JSON.stringify(taken)}`);
  }
  // Where the workspace is the whole home, the agent's own folder and hidden ones still are not.
  assert.equal((await take(join(agentHome, "cache/audio/x.ogg"), { cwd: home })).ok, false);
  assert.equal((await take(key, { cwd: home, made: [key] })).ok, false);
  assert.equal((await take(join(home, "other/a.pdf"), { cwd: "/" })).ok, false);
  const spoken = join(agentHome, "cache/audio/x.ogg");
  assert.equal((await take(spoken, { made: [spoken] })).ok, true);
});

test("a folder replaced by a link between check and read gives no access", async (t) => {
  const folder = join(cwd, "reports");
  mkdirSync(folder);
  put(join(home, ".ssh/plan.txt"), "key");
  const path = put(join(folder, "plan.txt"));
  const { open } = fs.promises;
  fs.promises.open = (async (...given: Parameters<typeof open>) => {
    renameSync(folder, `${folder}.away`);
    symlinkSync(join(home, ".ssh"), folder);
    const file = await open(...given);
    rmSync(folder);
    renameSync(`${folder}.away`, folder);
    return file;
  }) as typeof open;
  syncBuiltinESMExports();
  t.after(() => {
    fs.promises.open = open;
    syncBuiltinESMExports();
  });
  const taken = await take(path);
  // If the system cannot name the opened file, the check misses a link that no longer exists.
  if (process.platform === "linux")
    assert.deepEqual(taken, { ok: false, reason: "another file replaced it meanwhile" });
});

test("reports why a file could not be copied", async () => {
  const blocked = join(home, "blocked");
  put(blocked);
  const taken = await outgoingFiles({ home, agentHome: blocked }).take(put(join(cwd, "words.pdf")), {
    cwd,
    made: [],
    voice: false,
    asDocument: false,
  });
  assert.deepEqual(taken, { ok: false, reason: "it could not be copied (ENOTDIR)" });
});

test("prunes copies that no one collected after a while", async () => {
  const taken = await take(put(join(cwd, "late.pdf")));
  assert.ok(taken.ok);
  await files.prune(0);
  assert.ok(existsSync(taken.file.path));
  await files.prune(Date.now() + 1_000);
  assert.ok(!existsSync(taken.file.path));
});
