import assert from "node:assert/strict";
import { chmod, readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { ToolFailure } from "hermes-agent/plugin";
import { openFileBench } from "../testing/file-bench.ts";
import { overFiles } from "../testing/backends.ts";

// req: tool-file.patch
test("an ambiguous or failed edit leaves the file unchanged, and repeated failures get firmer advice", async () => {
  await using bench = await openFileBench();
  await bench.write("f.txt", "b\nb\n");
  const edit = (old: string) => bench.call("patch", { path: "f.txt", old_string: old, new_string: "x" });
  assert.match((await edit("b")).error, /Found 2 matches/);
  const second = await edit("zzzz zzzz");
  assert.doesNotMatch(second._hint, /in a row/);
  assert.match((await edit("yyyy yyyy"))._hint, /3 consecutive edits/);
  assert.equal(await bench.read("f.txt"), "b\nb\n");
  assert.equal(
    (await bench.call("patch", { path: "f.txt", old_string: "b", new_string: "x", replace_all: true })).success,
    true,
  );
  assert.doesNotMatch((await edit("zzzz zzzz"))._hint, /in a row/);
});

// req: tool-file.file-edit-name
test("file_edit is an alias of patch in replace mode", async () => {
  await using bench = await openFileBench();
  await bench.write("f.txt", "hello world\n");
  assert.equal(bench.tools.get("file_edit"), bench.tools.get("patch"));
  assert.equal(
    (await bench.call("file_edit", { path: "f.txt", old_string: "world", new_string: "there" })).success,
    true,
  );
  assert.equal(await bench.read("f.txt"), "hello there\n");
});

// req: tool-file.patch
test("applies a patch over several files completely", async () => {
  await using bench = await openFileBench();
  await bench.write("a.txt", "one\r\n\r\ntwo\r\n");
  await bench.write("b.bin", new Uint8Array([0, 255, 1]));
  await chmod(join(bench.root, "b.bin"), 0o741);
  await bench.write("c.txt", "gone\n");
  const result = await bench.call("patch", {
    mode: "patch",
    patch:
      "*** Update File: a.txt\n@@\n one\n\n-two\n+2\n*** Move File: b.bin -> moved/b.bin\n*** Delete File: c.txt\n*** Add File: d/d.txt\n+new",
  });
  assert.deepEqual([result.success, result.files_created, result.files_deleted], [true, ["d/d.txt"], ["c.txt"]]);
  assert.equal(await bench.read("a.txt"), "one\r\n\r\n2\r\n");
  assert.equal(await bench.read("d/d.txt"), "new\n");
  assert.equal((await stat(join(bench.root, "moved/b.bin"))).mode & 0o777, 0o741);
  assert.deepEqual((await readdir(bench.root)).sort(), ["a.txt", "d", "moved"]);
});

// req: tool-file.patch
test("a file edited and moved in one patch keeps its mode and line ends, however the move is written", async () => {
  await using bench = await openFileBench();
  for (const patch of [
    "*** Update File: run.sh\n*** Move to: bin/run.sh\n@@\n-echo old\n+echo new",
    "*** Move File: run.sh -> bin/run.sh\n*** Update File: bin/run.sh\n@@\n-echo old\n+echo new",
  ]) {
    await bench.write("run.sh", "echo old\r\nexit\r\n");
    await chmod(join(bench.root, "run.sh"), 0o751);
    assert.equal((await bench.call("patch", { mode: "patch", patch })).success, true);
    assert.equal(await bench.read("bin/run.sh"), "echo new\r\nexit\r\n");
    assert.equal((await stat(join(bench.root, "bin/run.sh"))).mode & 0o777, 0o751);
    assert.deepEqual(await readdir(bench.root), ["bin"]);
    await bench.run("rm -r bin");
  }
});

// req: tool-file.patch
test("an edit of a file with mixed line ends changes only the lines in its diff, in both modes", async () => {
  await using bench = await openFileBench();
  const calls = [
    { path: "f.txt", old_string: "one", new_string: "1" },
    { mode: "patch", patch: "*** Update File: f.txt\n@@\n-one\n+1\n two" },
    { path: "f.txt", old_string: "one\ntwo", new_string: "1\ntwo" },
  ];
  for (const args of calls) {
    for (const was of ["one\r\ntwo\nthree\r\n", "one\r\ntwo\nthree\n", "one\ntwo\r\nthree\r\n"]) {
      await bench.write("f.txt", was);
      assert.equal((await bench.call("patch", args)).success, true);
      assert.equal(await bench.read("f.txt"), was.replace("one", "1"));
    }
  }
});

// req: tool-file.patch
test("a patch neither deletes nor moves through a link to a file, and suggests the alternative; a linked folder works", async () => {
  await using bench = await openFileBench();
  await bench.write("a.txt", "one\n");
  await bench.run("ln -s a.txt link.txt; ln -s nowhere dangling.txt; mkdir d; echo x > d/x.txt; ln -s d way");
  for (const [patch, path, file] of [
    ["*** Delete File: link.txt", "link.txt", "a.txt"],
    ["*** Move File: link.txt -> b.txt", "link.txt", "a.txt"],
    ["*** Update File: link.txt\n*** Move to: b.txt\n@@\n-one\n+two", "link.txt", "a.txt"],
    ["*** Delete File: dangling.txt", "dangling.txt", "nowhere"],
  ] as const) {
    const { error, _hint } = await bench.call("patch", { mode: "patch", patch });
    assert.equal(
      error,
      `${path} is a link to ${join(bench.root, file)}; a patch deletes and moves only files. Nothing was changed.`,
    );
    assert.equal(
      _hint,
      `To change the file, use ${join(bench.root, file)}. To delete or move the link, use the terminal (rm, mv).`,
    );
  }
  assert.equal(await bench.run("cat link.txt; ls"), "one\na.txt\nd\ndangling.txt\nlink.txt\nway\n");
  assert.equal((await bench.call("patch", { mode: "patch", patch: "*** Delete File: way/x.txt" })).success, true);
  assert.equal(
    (await bench.call("patch", { mode: "patch", patch: "*** Update File: link.txt\n@@\n-one\n+two" })).success,
    true,
  );
  assert.equal(await bench.run("cat a.txt; ls d"), "two\n");
});

// req: tool-file.patch
test("a patch that does not match changes nothing, and one that fails halfway is rolled back", async () => {
  let refuse = "";
  await using bench = await openFileBench({
    wrap: (backend) =>
      overFiles(backend, (files) => ({
        ...files,
        write: async (path, bytes, expect) => {
          if (refuse !== "" && path.endsWith(refuse)) throw new ToolFailure("disk_full", "No space is left.");
          return files.write(path, bytes, expect);
        },
      })),
  });
  await bench.write("a.txt", "a\n");
  await bench.write("b.txt", "b\n");
  await bench.write("m.txt", "m\n");
  await bench.write("large.txt", "l".repeat(20_000_001));
  await chmod(join(bench.root, "b.txt"), 0o751);
  const before = () => bench.run("cat a.txt b.txt; ls; stat -c %a b.txt; wc -c large.txt");
  const was = await before();
  const patch =
    "*** Add File: large.txt\n+small\n*** Move File: m.txt -> n.txt\n*** Update File: n.txt\n-m\n+M\n*** Update File: a.txt\n-a\n+A\n*** Delete File: b.txt\n*** Add File: new.txt\n+x";
  assert.equal(
    (await bench.call("patch", { mode: "patch", patch: `${patch}\n*** Delete File: nowhere.txt` })).success,
    false,
  );
  assert.equal(await before(), was);
  refuse = "new.txt";
  const broken = await bench.call("patch", { mode: "patch", patch });
  assert.match(broken.error, /failed partway: No space is left\. The earlier changes were undone/);
  assert.equal(await before(), was);
  refuse = "";
  assert.equal((await bench.call("patch", { mode: "patch", patch })).success, true);
});

// req: tool-file.patch
test("parallel edits of one file from many tasks are all saved", async () => {
  await using bench = await openFileBench();
  await bench.write("f.txt", Array.from({ length: 20 }, (_, index) => `line ${index};\n`).join(""));
  const results = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      bench.call(
        "patch",
        { path: "f.txt", old_string: `line ${index};`, new_string: `done ${index};` },
        { task: `t${index % 5}` },
      ),
    ),
  );
  assert.deepEqual(
    results.map(({ success }) => success),
    results.map(() => true),
  );
  assert.equal(await bench.read("f.txt"), Array.from({ length: 20 }, (_, index) => `done ${index};\n`).join(""));
});

// req: tool-file.patch
test("leaves binary files unchanged", async () => {
  await using bench = await openFileBench();
  await bench.write("data", new Uint8Array([0x63, 0x00, 0x66, 0xe9, 0x0a]));
  assert.match(
    (await bench.call("patch", { path: "data", old_string: "c", new_string: "t" })).error,
    /^data is not text/,
  );
  assert.match(
    (await bench.call("patch", { mode: "patch", patch: "*** Update File: data\n-c\n+t" })).error,
    /^data is not text/,
  );
  assert.equal(await bench.run("od -An -tx1 data"), " 63 00 66 e9 0a\n");
});
