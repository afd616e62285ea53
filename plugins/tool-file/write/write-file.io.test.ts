import assert from "node:assert/strict";
import { chmod, readdir, stat, utimes } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { lacksProgram } from "hermes-agent/testing";
import { ToolFailure, type Terminal } from "hermes-agent/plugin";
import { bound, openFileBench } from "../testing/file-bench.ts";

// req: tool-file.write-file
test("another reader finds the written file, with folders created and mode, line ends and byte order mark preserved", async () => {
  await using bench = await openFileBench();
  await bench.call("write_file", { path: "a/b/c.txt", content: "ünï\n" });
  assert.equal(await bench.run("cat a/b/c.txt"), "ünï\n");
  await bench.write("run.sh", "\ufeffone\r\ntwo\r\n");
  await chmod(join(bench.root, "run.sh"), 0o755);
  const result = await bench.call("write_file", { path: "run.sh", content: "1\n2\n" });
  assert.equal(await bench.read("run.sh"), "\ufeff1\r\n2\r\n");
  assert.equal(result.bytes_written, 9);
  assert.equal((await stat(join(bench.root, "run.sh"))).mode & 0o777, 0o755);
  assert.deepEqual(await readdir(join(bench.root, "a/b")), ["c.txt"], "no temporary file is left");
  await bench.run("ln -s c.txt a/b/link");
  assert.equal(
    (await bench.call("write_file", { path: "a/b/link", content: "via link" })).resolved_path,
    join(bench.root, "a/b/c.txt"),
  );
});

// req: tool-file.write-file
test("warns the model when a file differs from what it read, and still writes", async () => {
  await using bench = await openFileBench();
  await bench.write("f.txt", "1\n2\n3\n");
  await bench.call("read_file", { path: "f.txt", limit: 1 });
  assert.match((await bench.call("write_file", { path: "f.txt", content: "a\n" }))._warning, /only part/);
  assert.equal(
    (await bench.call("write_file", { path: "f.txt", content: "b\n" }))._warning,
    undefined,
    "the task knows its own write",
  );
  await utimes(join(bench.root, "f.txt"), new Date(), new Date(Date.now() + 5_000));
  assert.match(
    (await bench.call("patch", { path: "f.txt", old_string: "b", new_string: "c" }))._warning,
    /changed on disk/,
  );
  await bench.call("write_file", { path: "f.txt", content: "d\n" }, { task: "sibling" });
  assert.match((await bench.call("write_file", { path: "f.txt", content: "e\n" }))._warning, /Another task/);
  assert.match(
    (await bench.call("write_file", { path: "../home/out.txt", content: "x" }))._warning,
    /outside the working directory/,
  );
  for (const path of [join(bench.home, "out.txt"), "~/out.txt"])
    assert.equal(
      (await bench.call("write_file", { path, content: "x" }))._warning,
      undefined,
      "an absolute path causes no warning",
    );
  assert.equal(await bench.read("f.txt"), "e\n");
  await bench.run("rm f.txt");
  assert.equal(
    (await bench.call("write_file", { path: "f.txt", content: "g\n" }))._warning,
    undefined,
    "a deleted file causes no warning",
  );
});

// req: tool-file.write-file
test("a failed write has the result keys of a write", async () => {
  await using bench = await openFileBench({
    wrap: (backend) =>
      new Proxy(backend, {
        get: (target, key) =>
          key === "open"
            ? async (...args: Parameters<typeof backend.open>) => withoutSpace(await target.open(...args))
            : bound(target, key),
      }),
  });
  const { error, ...rest } = await bench.call("write_file", { path: "f.txt", content: "x" });
  assert.deepEqual(
    [error, rest],
    ["no space is left", { bytes_written: 0, dirs_created: false, resolved_path: join(bench.root, "f.txt") }],
  );
});

function withoutSpace(terminal: Terminal): Terminal {
  const write: Terminal["files"]["write"] = async () => {
    throw new ToolFailure("disk_full", "no space is left");
  };
  const files = new Proxy(terminal.files, { get: (target, key) => (key === "write" ? write : bound(target, key)) });
  return new Proxy(terminal, { get: (target, key) => (key === "files" ? files : bound(target, key)) });
}

// req: tool-file.write-file
test(
  "reports only problems that a change adds, and does not write invalid TOML",
  { skip: lacksProgram("python3") },
  async () => {
    await using bench = await openFileBench();
    const written = await bench.call("write_file", { path: "a.py", content: "def f(:\n" });
    assert.deepEqual([written.lint.status, /line 1/.test(written.lint.output)], ["error", true]);
    const patched = await bench.call("patch", { path: "a.py", old_string: "def f(:", new_string: "x = 1\ndef f(:" });
    assert.match(patched.lint.output, /^SyntaxError/);
    assert.match(patched.lint.message ?? "", /had all of these errors before/);
    assert.deepEqual((await bench.call("write_file", { path: "a.py", content: "x = 1\n" })).lint, {
      status: "ok",
      output: "",
    });
    assert.equal(
      (await bench.call("patch", { path: "a.py", old_string: "x = 1", new_string: "x = = 1" })).lint.status,
      "error",
    );
    assert.equal(
      (await bench.call("write_file", { path: "x.toml", content: "a = \n" })).error?.startsWith("Nothing was written"),
      true,
    );
    assert.deepEqual(await readdir(bench.root), ["a.py"], "checks leave nothing behind");
  },
);

// req: tool-file.write-file
test("checks JavaScript as a module or a script by its name and content", async () => {
  await using bench = await openFileBench();
  assert.deepEqual(
    (await bench.call("write_file", { path: "ok.mjs", content: "import x from 'y';\nawait x;\n" })).lint,
    { status: "ok", output: "" },
  );
  assert.equal((await bench.call("write_file", { path: "bad.js", content: "const a = ;\n" })).lint.status, "error");
  assert.deepEqual(
    (await bench.call("write_file", { path: "common.js", content: "if (1) return;\nmodule.exports = 1;\n" })).lint,
    { status: "ok", output: "" },
  );
  assert.deepEqual(
    (await readdir(bench.root)).sort(),
    ["bad.js", "common.js", "ok.mjs"],
    "checks leave nothing behind",
  );
});

// req: tool-file.write-file
test("does not refuse settings with comments, templates or very large files as invalid data", async () => {
  await using bench = await openFileBench();
  assert.deepEqual(
    (
      await bench.call("write_file", {
        path: "tsconfig.json",
        content: '{ // all\n "paths": { "@/*": ["src/*"] }, /* more */\n}\n',
      })
    ).lint,
    { status: "ok", output: "" },
  );
  assert.equal((await bench.call("write_file", { path: "tsconfig.json", content: "{ oops }" })).bytes_written, 0);
  assert.equal((await bench.call("write_file", { path: "data.json", content: "{ // no\n}" })).bytes_written, 0);
  assert.equal(
    (await bench.call("write_file", { path: "list.yaml", content: "a: [1" })).error,
    "Nothing was written: the content is not valid yaml: Flow sequence in block collection must be sufficiently indented and end with a ] at line 1, column 6",
  );
  assert.equal(
    (await bench.call("write_file", { path: "large.yaml", content: `${"- [1, 2]\n".repeat(60_000)}- [` })).lint.status,
    "skipped",
  );
  assert.equal(
    (await bench.call("write_file", { path: "chart.yaml", content: "{{- if .x }}\na: {{ .y }}\n{{- end }}\n" })).lint
      .status,
    "skipped",
  );
});

// req: tool-file.write-file
test("skips a check whose program is missing, and reports that", async () => {
  await using bench = await openFileBench({ path: "/nowhere" });
  assert.deepEqual((await bench.call("write_file", { path: "a.py", content: "def f(:\n" })).lint, {
    status: "skipped",
    message: "Not checked: python3 is not installed.",
  });
});

// req: tool-file.write-file
test("does not report an outdated checker as missing", async () => {
  await using bench = await openFileBench();
  const without = "data:text/javascript,import module from 'node:module'; delete module.stripTypeScriptTypes;";
  await bench.write("bin/node", `#!/bin/sh\nexec '${process.execPath}' --import "${without}" "$@"\n`);
  await bench.run("chmod +x bin/node");
  await using old = await openFileBench({ path: `${bench.root}/bin:${process.env["PATH"]}` });
  assert.deepEqual((await old.call("write_file", { path: "a.ts", content: "let x: = 1" })).lint, {
    status: "skipped",
    message: "Not checked: the installed node is too old for .ts files.",
  });
});
