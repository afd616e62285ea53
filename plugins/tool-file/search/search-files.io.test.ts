import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { after, before, describe, test } from "node:test";
import { pathWithout } from "../../../test/path-without.ts";
import { openFileBench, type FileBench } from "../testing/file-bench.ts";

const withoutRipgrep = pathWithout("rg");
after(() => withoutRipgrep[Symbol.dispose]());

const ENGINES = [
  { name: "ripgrep", path: existsSync("/usr/bin/rg") ? "/usr/bin:/bin" : undefined, ignores: true },
  { name: "grep and find", path: withoutRipgrep.path, ignores: false },
];

for (const engine of ENGINES) {
  describe(
    `search_files with ${engine.name}`,
    { skip: engine.path === undefined ? "ripgrep is not installed as /usr/bin/rg" : false },
    () => {
      let bench: FileBench;
      const search = (args: Record<string, string | number>) => bench.call("search_files", args as never);

      before(async () => {
        bench = await openFileBench({ path: engine.path! });
        await bench.write("a.ts", "const alpha = 1;\n// TODO beta\n");
        await bench.write("b/c.ts", "alpha\n");
        await bench.write("b/d.js", "alpha();\n");
        await bench.write("-dash.ts", "alpha\n");
        await bench.write("new\nline.ts", "x\nalpha nl\n");
        await bench.write("quote'\"$(x) `y`.ts", "alpha q\n");
        await bench.write(".hidden/h.ts", "alpha\n");
        await bench.write(".dot.ts", "alpha\n");
        await bench.write(".env", "alpha=1\n");
        await bench.write("bin.ts", "alpha\0\0\0");
        await bench.write("min.ts", `${"y".repeat(3_000)}alpha\n`);
        await bench.write("ignored.ts", "alpha\n");
        await bench.write(".gitignore", "ignored.ts\n");
        await bench.run(
          "git init -q . && touch -d '2020-01-01' a.ts && touch -d '2021-01-01' b/c.ts && touch -d '2022-01-01' b/d.js",
        );
      });
      after(() => bench[Symbol.asyncDispose]());

      // req: tool-file.search
      test("finds names with spaces, line ends, quotes and leading dashes; skips hidden and binary files", async () => {
        const found = await search({ pattern: "alpha", output_mode: "files_only" });
        const expected = [
          "./-dash.ts",
          "./a.ts",
          "./b/c.ts",
          "./b/d.js",
          ...(engine.ignores ? [] : ["./ignored.ts"]),
          "./min.ts",
          "./new\nline.ts",
          "./quote'\"$(x) `y`.ts",
        ];
        assert.deepEqual(found.files.toSorted(), expected.toSorted());
        assert.equal(found.total_count, expected.length);
        assert.deepEqual((await search({ pattern: "alpha nl" })).matches, [
          { path: "./new\nline.ts", line: 2, content: "alpha nl" },
        ]);
        assert.deepEqual((await search({ pattern: "alpha", path: "-dash.ts" })).matches, [
          { path: "-dash.ts", line: 1, content: "alpha" },
        ]);
        assert.deepEqual((await search({ pattern: "alpha", path: ".hidden" })).matches, [
          { path: ".hidden/h.ts", line: 1, content: "alpha" },
        ]);
      });

      // req: tool-file.search
      test("cuts a hit in a long line, and accepts patterns with a leading dash or character classes", async () => {
        assert.equal((await search({ pattern: "y+alpha" })).matches[0]?.content, "y".repeat(500));
        await bench.write("dash.txt", "x\n--flag=12\n");
        assert.deepEqual((await search({ pattern: "--flag=\\d+\\b" })).matches, [
          { path: "./dash.txt", line: 2, content: "--flag=12" },
        ]);
        assert.deepEqual((await search({ pattern: "^(const|let)\\s+\\w+" })).matches, [
          { path: "./a.ts", line: 1, content: "const alpha = 1;" },
        ]);
      });

      // req: tool-file.search
      test("pages of results are in a stable order and show the total", async () => {
        const all = (await search({ pattern: "alpha", file_glob: "*.ts" })).total_count;
        const paths: string[] = [];
        for (let offset = 0; offset < all; offset += 2) {
          const page = await search({ pattern: "alpha", file_glob: "*.ts", limit: 2, offset });
          assert.equal(page.total_count, all);
          assert.equal(page.truncated, offset + 2 < all ? true : undefined);
          paths.push(...page.matches.map(({ path }: { path: string }) => path));
        }
        assert.deepEqual(paths, paths.toSorted());
        assert.equal(new Set(paths).size, all);
      });

      // req: tool-file.search
      test("the hint for an invalid pattern fits the search target", async () => {
        assert.match((await search({ pattern: "alpha(" })).hint, /^The pattern is a regular expression: /);
        // find takes any text for a glob, and grep -P knows look-around.
        if (!engine.ignores) return;
        assert.match((await search({ pattern: "a[", target: "files" })).hint, /^The pattern is a glob: /);
        const around = await search({ pattern: "(?<=a)lpha" });
        assert.match(around.error, /look-around, including look-ahead and look-behind, is not supported$/);
        assert.equal(around.hint, "Use a simpler pattern and read the results, or run grep -P in the terminal.");
      });

      // req: tool-file.search
      test("counts the matches of each file and their sum", async () => {
        await bench.write("counts/x.md", "one\none\n");
        await bench.write("counts/y.md", "one\n");
        await bench.write("counts/z.md", "two\n");
        assert.deepEqual(await search({ pattern: "one", path: "counts", output_mode: "count" }), {
          total_count: 3,
          counts: { "counts/x.md": 2, "counts/y.md": 1 },
        });
      });

      // req: tool-file.search
      test("files are listed newest first, by name or by path", async () => {
        assert.deepEqual((await search({ target: "files", pattern: "*.{ts,js}", path: "b" })).files, [
          "b/d.js",
          "b/c.ts",
        ]);
        assert.deepEqual((await search({ target: "files", pattern: "b/*.ts" })).files, ["./b/c.ts"]);
        await bench.write("b/e.ts", "the oldest\n");
        await bench.run("touch -d '2019-01-01' b/e.ts");
        const old = ["./b/d.js", "./b/c.ts", "./a.ts", "./b/e.ts"];
        assert.deepEqual(
          (await search({ target: "files", pattern: "*.{ts,js}" })).files.filter((path: string) => old.includes(path)),
          old,
        );
        await bench.run("rm b/e.ts");
        assert.match((await search({ target: "files", pattern: "b/.*\\.ts$" })).hint, /glob/);
        assert.equal((await search({ target: "files", pattern: "a.ts" })).total_count, 1);
        const some = await search({ target: "files", pattern: "*.ts", limit: 1 });
        assert.deepEqual([some.truncated, some.files.length, some.total_count > 1], [true, 1, true]);
        assert.equal(
          (await search({ target: "files", pattern: "*.ts" })).files.includes("./ignored.ts"),
          !engine.ignores,
        );
      });

      // field: F08
      test("names matching files that contain NUL bytes, and searches one as text if it is the target", async () => {
        await bench.write("logs/app.log", "\0\0\0\0\0\0start\nneedle one\nend\n");
        await bench.write("logs/cut.log", `first\n${"\0".repeat(9_000)}needle two\n`);
        await bench.write("logs/plain.log", "no such word\n");
        await bench.write("logs/picture.png", "\0needle");
        for (const output_mode of ["content", "files_only", "count"]) {
          const found = await search({ pattern: "needle", path: "logs", output_mode });
          assert.equal(found.total_count, 0);
          assert.equal(
            found.warning,
            "Files with NUL bytes were skipped, but match: logs/app.log, logs/cut.log. To see the lines of one, search it alone with path.",
          );
        }
        assert.deepEqual((await search({ pattern: "needle", path: "logs/app.log" })).matches, [
          { path: "logs/app.log", line: 2, content: "needle one" },
        ]);
        assert.deepEqual((await search({ pattern: "needle", path: "logs/cut.log" })).matches, [
          { path: "logs/cut.log", line: 2, content: "needle two" },
        ]);
        assert.equal((await search({ pattern: "no such", path: "logs" })).warning, undefined);
      });

      // field: F09
      test("a dot in the pattern includes only the hidden files and folders that it names", async () => {
        await bench.write(".github/workflows/ci.yml", "on: push\n");
        await bench.write("dots/.eslintrc.json", "{}\n");
        await bench.write("dots/.cache/.eslintrc.json", "{}\n");
        await bench.write(".git/hooks/ci.yml", "x\n");
        const files = async (pattern: string, path = "."): Promise<readonly string[]> =>
          ((await search({ target: "files", pattern, path })).files ?? []).toSorted();
        assert.deepEqual(await files(".github/workflows/*.yml"), ["./.github/workflows/ci.yml"]);
        assert.deepEqual(await files(".github/**/*.yml"), ["./.github/workflows/ci.yml"]);
        assert.deepEqual(await files("{.github,src}/workflows/*.yml"), ["./.github/workflows/ci.yml"]);
        assert.ok((await files(".eslintrc*", "dots")).includes("dots/.eslintrc.json"));
        assert.deepEqual(await files("*.yml"), []);
        assert.deepEqual((await search({ pattern: "push", file_glob: ".github/**/*.yml" })).matches, [
          { path: "./.github/workflows/ci.yml", line: 1, content: "on: push" },
        ]);
      });

      // req: tool-file.search
      test("the tool's former name finds the same", async () => {
        const args = { pattern: "alpha", path: "b" };
        assert.deepEqual(await bench.call("search", args, { task: "other" }), await search(args));
      });

      test("the caller's signal stops a slow search", async () => {
        const tool = bench.tools.get("search_files")!;
        const call = { ...bench.context("stopped"), signal: AbortSignal.abort(new Error("stop")) };
        await assert.rejects(tool.execute({ pattern: "alpha" }, call));
      });
    },
  );
}

test("a call of another tool resets the count of equal searches", async () => {
  await using bench = await openFileBench();
  const search = () => bench.call("search_files", { pattern: "nothing" });
  for (let round = 0; round < 3; round++) {
    assert.deepEqual(await search(), { total_count: 0 });
    assert.deepEqual(await search(), { total_count: 0 });
    bench.otherTool();
  }
});

const RIPGREP = existsSync("/usr/bin/rg") && process.platform === "linux" ? false : "ripgrep on Linux";

test("an unreadable file is not a pattern error: searches the others and warns", { skip: RIPGREP }, async () => {
  await using bench = await openFileBench({ path: "/usr/bin:/bin" });
  await bench.write("some/a.txt", "needle\n");
  await bench.write("some/b.txt", "needle\n");
  await bench.run("chmod 000 some/b.txt");
  // Root can read the first file; no one can read a write-only file of the kernel.
  const closed = process.getuid?.() === 0 ? "/proc/sys/net/ipv4/route" : "some";
  const warning = "Some files could not be read and were not searched.";
  assert.deepEqual(await bench.call("search_files", { pattern: "nowhere-in-it", path: closed }), {
    total_count: 0,
    warning,
  });
  if (closed === "some")
    assert.deepEqual(await bench.call("search_files", { pattern: "needle", path: closed }), {
      total_count: 1,
      matches: [{ path: "some/a.txt", line: 1, content: "needle" }],
      warning,
    });
  assert.match(
    String((await bench.call("search_files", { pattern: "(", path: "some" }))["error"]),
    /regex parse error/,
  );
});
