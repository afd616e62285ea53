import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { options, text, type TerminalBehaviour } from "./bench.ts";

const CONFLICT = { name: "ToolFailure", code: "conflict" };

/** Files as commands see them, checked and changed in the place. */
export const FILES: readonly TerminalBehaviour[] = [
  {
    id: "file-bytes",
    says: "a file is written and read byte for byte, and its parent folders are created",
    async run(bench) {
      await using terminal = await bench.fresh();
      const bytes = Uint8Array.from({ length: 70_000 }, (_, n) => n % 256);
      await terminal.files.write("a/b/data.bin", bytes);
      assert.deepEqual(Buffer.from((await terminal.files.read("a/b/data.bin"))!), Buffer.from(bytes));
      await terminal.files.write("empty", new Uint8Array());
      assert.equal((await terminal.files.read("empty"))!.length, 0);
    },
  },
  {
    id: "file-large",
    says: "a file of three million bytes is written and read whole",
    async run(bench) {
      await using terminal = await bench.fresh();
      const bytes = Buffer.alloc(3_000_000, Buffer.from(Array.from({ length: 251 }, (_, n) => n)));
      await terminal.files.write("large", bytes);
      assert.ok(Buffer.from((await terminal.files.read("large"))!).equals(bytes));
    },
  },
  {
    id: "file-slices",
    says: "part of a file can be read, and a part past its end is empty",
    async run(bench) {
      await using terminal = await bench.fresh();
      await terminal.files.write(
        "data",
        Uint8Array.from({ length: 70_000 }, (_, n) => n % 256),
      );
      assert.deepEqual([...(await terminal.files.read("data", { from: 254, bytes: 4 }))!], [254, 255, 0, 1]);
      assert.equal((await terminal.files.read("data", { from: 69_999, bytes: 100 }))!.length, 1);
      assert.equal((await terminal.files.read("data", { from: 80_000, bytes: 100 }))!.length, 0);
    },
  },
  {
    id: "file-mode-kept",
    says: "a rewritten file keeps its mode, and no temporary file remains",
    async run(bench) {
      await using terminal = await bench.fresh();
      await terminal.run("mkdir in; echo old > in/data; chmod 750 in/data", options());
      await terminal.files.write("in/data", Buffer.from("new"));
      const stat = await terminal.files.stat("in/data");
      assert.deepEqual([stat?.kind, stat?.bytes, (stat?.mode ?? 0) & 0o777], ["file", 3, 0o750]);
      assert.deepEqual(
        (await terminal.files.list("in")).map((entry) => [entry.name, entry.kind]),
        [["data", "file"]],
      );
    },
  },
  {
    id: "file-odd-names",
    says: "file names may contain spaces, quotes, dashes and line ends",
    async run(bench) {
      await using terminal = await bench.fresh();
      const names = ["two words", "it's", "-rf", "a\nb", "end\n", "$(touch gotcha)", "ü漢", "back\\slash", "*"];
      for (const name of names) {
        await terminal.files.write(name, Buffer.from(name));
        assert.equal(text(await terminal.files.read(name)), name);
      }
      assert.equal(await terminal.files.stat("gotcha"), undefined);
      assert.deepEqual(
        (await terminal.files.list(".")).map((entry) => entry.name),
        names.toSorted(),
      );
    },
  },
  {
    id: "file-changed-refused",
    says: "a file that changed since it was read is not overwritten",
    async run(bench) {
      await using terminal = await bench.fresh();
      await terminal.files.write("shared", Buffer.from("first"));
      const seen = (await terminal.files.stat("shared"))!;
      await terminal.files.write("shared", Buffer.from("second"), seen);
      await assert.rejects(terminal.files.write("shared", Buffer.from("third"), seen), CONFLICT);
      assert.equal(text(await terminal.files.read("shared")), "second");
      await terminal.run("rm shared", options());
      await assert.rejects(terminal.files.write("shared", Buffer.from("third"), seen), CONFLICT);
    },
  },
  {
    id: "file-same-size-refused",
    says: "a change by a command is detected, also with the same length",
    async run(bench) {
      await using terminal = await bench.fresh();
      await terminal.run("printf one > shared; touch -d '2001-02-03 04:05:06' shared", options());
      const seen = (await terminal.files.stat("shared"))!;
      await terminal.run("printf two > shared", options());
      await assert.rejects(terminal.files.write("shared", Buffer.from("six"), seen), CONFLICT);
      assert.equal(text(await terminal.files.read("shared")), "two");
    },
  },
  {
    id: "file-absent-expected",
    says: "a file that must not exist yet is not overwritten",
    async run(bench) {
      await using terminal = await bench.fresh();
      await terminal.files.write("new", Buffer.from("x"), "absent");
      await assert.rejects(terminal.files.write("new", Buffer.from("y"), "absent"), CONFLICT);
      assert.equal(text(await terminal.files.read("new")), "x");
    },
  },
  {
    id: "file-missing",
    says: "a missing file is a result, not an error",
    async run(bench) {
      await using terminal = await bench.fresh();
      assert.equal(await terminal.files.read("missing"), undefined);
      assert.equal(await terminal.files.stat("missing/deeper"), undefined);
    },
  },
  {
    id: "file-not-regular",
    says: "only regular files are read: no directory, no pipe, no device",
    async run(bench) {
      await using terminal = await bench.fresh();
      await terminal.run("mkdir folder; mkfifo pipe", options());
      assert.equal((await terminal.files.stat("folder"))?.kind, "directory");
      assert.equal((await terminal.files.stat("pipe"))?.kind, "other");
      for (const path of ["folder", "pipe", "/dev/zero"])
        await assert.rejects(terminal.files.read(path), { name: "ToolFailure" });
      await assert.rejects(terminal.files.write("folder", Buffer.from("x")), { name: "ToolFailure" });
    },
  },
  {
    id: "file-move",
    says: "a file is moved, and the target's parent folders are created",
    async run(bench) {
      await using terminal = await bench.fresh();
      await terminal.files.write("one", Buffer.from("1"));
      await terminal.files.move("one", "deeper/two");
      assert.equal(await terminal.files.stat("one"), undefined);
      assert.equal(text(await terminal.files.read("deeper/two")), "1");
    },
  },
  {
    id: "file-move-never-over",
    says: "a move never overwrites another file, and reports what does not exist",
    async run(bench) {
      await using terminal = await bench.fresh();
      await terminal.files.write("one", Buffer.from("1"));
      await terminal.files.write("two", Buffer.from("2"));
      await assert.rejects(terminal.files.move("one", "two"), CONFLICT);
      assert.equal(text(await terminal.files.read("two")), "2");
      await assert.rejects(terminal.files.move("none", "three"), { name: "ToolFailure", code: "not_found" });
    },
  },
  {
    id: "file-remove",
    says: "a file is removed, and removing a missing file or a directory is refused",
    async run(bench) {
      await using terminal = await bench.fresh();
      await terminal.files.write("one", Buffer.from("1"));
      await terminal.files.remove("one");
      assert.equal(await terminal.files.stat("one"), undefined);
      await assert.rejects(terminal.files.remove("one"), { name: "ToolFailure", code: "not_found" });
      await terminal.run("mkdir folder", options());
      await assert.rejects(terminal.files.remove("folder"), { name: "ToolFailure" });
    },
  },
  {
    id: "file-list",
    says: "a directory is listed by name and kind, with hidden files, and links by their target's kind",
    async run(bench) {
      await using terminal = await bench.fresh();
      await terminal.run("echo x > b; echo x > .hidden; mkdir a; ln -s a link; mkfifo pipe", options());
      assert.deepEqual(
        (await terminal.files.list(".")).map(({ name, kind }) => `${name} ${kind}`),
        [".hidden file", "a directory", "b file", "link directory", "pipe other"],
      );
      await assert.rejects(terminal.files.list("none"), { name: "ToolFailure", code: "not_found" });
    },
  },
  {
    id: "file-relative",
    says: "relative paths start in the terminal's directory, and links are followed",
    async run(bench) {
      await using terminal = await bench.fresh();
      await terminal.run("mkdir real && ln -s real link && cd real", options());
      await terminal.files.write("note", Buffer.from("here"));
      assert.equal((await terminal.run("cat note", options())).output, "here");
      assert.equal(await terminal.files.resolve("../link/note"), await terminal.files.resolve("note"));
      assert.equal(await terminal.files.resolve("../link/not-there-yet"), `${terminal.cwd}/not-there-yet`);
    },
  },
  {
    id: "file-link-kept",
    says: "writing through a link changes its target, and the link stays",
    async run(bench) {
      await using terminal = await bench.fresh();
      await terminal.run("printf old > target; ln -s target link", options());
      await terminal.files.write("link", Buffer.from("new"));
      assert.equal((await terminal.run("cat target; test -L link && echo ' link'", options())).output, "new link\n");
    },
  },
  {
    id: "file-in-the-place",
    says: "file operations use the environment's files, not this machine's",
    async run(bench, skip) {
      await using terminal = await bench.fresh();
      await terminal.files.write("note", Buffer.from("from us"));
      assert.equal((await terminal.run("cat note", options())).output, "from us");
      if (bench.place.separate !== true) return skip("this place has this machine's files");
      assert.equal(existsSync(`${terminal.cwd}/note`), false);
    },
  },
];
