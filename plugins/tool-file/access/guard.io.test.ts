import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { quoted } from "hermes-agent/plugin";
import { openFileBench } from "../testing/file-bench.ts";

// req: tool-file.write-file
test("refuses secrets and system files, asks about the agent's files, and resolves links first", async () => {
  await using bench = await openFileBench();
  const agentHome = join(bench.home, ".hermes");
  await bench.write(".env", "KEY=1\n");
  await bench.run(`ln -s .env plain.txt; ln -s /etc etc; ln -s ${quoted(agentHome)} agent`);
  assert.match((await bench.call("read_file", { path: ".env" })).error, /contains secrets/);
  assert.match((await bench.call("read_file", { path: "plain.txt" })).error, /contains secrets/);
  assert.match((await bench.call("read_file", { path: "~/.ssh/id_ed25519" })).error, /keys or passwords/);
  assert.match((await bench.call("write_file", { path: "/etc/tool-file-test.conf", content: "x" })).error, /system/);
  assert.match((await bench.call("write_file", { path: "etc/tool-file-test.conf", content: "x" })).error, /system/);
  const { error, ...rest } = await bench.call("patch", {
    mode: "patch",
    patch: "*** Add File: ok.txt\n+x\n*** Add File: etc/tool-file-test.conf\n+x",
  });
  assert.match(error, /system/);
  assert.deepEqual(rest, { success: false });
  const notes = join(agentHome, "notes.md");
  assert.deepEqual((await bench.call("write_file", { path: notes, content: "x" })).asked.effects, [`write ${notes}`]);
  assert.deepEqual(
    (await bench.call("patch", { mode: "patch", patch: `*** Add File: ok.txt\n+x\n*** Add File: ${notes}\n+x` })).asked
      .effects,
    [`create ${notes}`],
  );
  const hidden = await bench.call("write_file", { path: "agent/notes.md", content: "x" });
  assert.match(hidden.error, /agent\/notes\.md resolves to/);
  assert.match(hidden.hint, /Call again with the path/);
  assert.deepEqual([await readdir(agentHome), (await readdir(bench.root)).includes("ok.txt")], [[], false]);
  assert.equal((await bench.call("write_file", { path: notes, content: "x" }, { approve: true })).bytes_written, 1);
});

// req: R-33
test("protects a file under any name, such as a hard link; a file that only pnpm links stays usable", async () => {
  await using bench = await openFileBench();
  await bench.write(".env", "KEY=hunter2\n");
  const home = quoted(bench.home);
  await bench.run(
    `mkdir -p ${home}/.ssh ${home}/.hermes sub store && printf hunter2 > ${home}/.ssh/id_work && printf K=hunter2 > ${home}/.hermes/.env && printf 'hunter2 of everybody' > store/a.js`,
  );
  await bench.run(
    `ln .env notes.txt; ln ${home}/.ssh/id_work sub/key.txt; ln ${home}/.hermes/.env agent.txt; ln store/a.js sub/a.js`,
  );
  for (const [path, real] of [
    ["notes.txt", ".env"],
    ["sub/key.txt", "id_work"],
    ["agent.txt", ".hermes/.env"],
  ] as const) {
    const message = await bench.call("read_file", { path });
    assert.match(message.error, /is a hard link to .*, which tools may not read/, path);
    assert.ok(message.error.includes(real) && !JSON.stringify(message).includes("hunter2"), path);
    assert.match(
      (await bench.call("patch", { path, old_string: "hunter2", new_string: "x" })).error,
      /hard link/,
      path,
    );
  }
  assert.match((await bench.call("read_file", { path: "sub/a.js" })).content, /hunter2 of everybody/);
  const found = await bench.call("search_files", { pattern: "hunter2", output_mode: "files_only" });
  assert.deepEqual([...(found.files as readonly string[])].sort(), ["./store/a.js", "./sub/a.js"]);
  assert.equal(JSON.stringify(await bench.call("search_files", { pattern: "K=|KEY" })).includes("hunter2"), false);
  assert.match((await bench.call("write_file", { path: "notes.txt", content: "mine" })).error, /hard link/);
  assert.match(await bench.read(".env"), /hunter2/);
});

// req: tool-file.write-file
test("limits writes to the safe root if one is set", async () => {
  await using outside = await openFileBench();
  await using bench = await openFileBench({ env: { HERMES_WRITE_SAFE_ROOT: outside.root } });
  assert.ok((await bench.call("write_file", { path: "f.txt", content: "x" })).error);
  assert.equal((await bench.call("write_file", { path: join(outside.root, "f.txt"), content: "x" })).bytes_written, 1);
  assert.deepEqual(await readdir(bench.root), []);
});
