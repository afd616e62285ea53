import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import type { TreeInEnvironment } from "./remote-script.ts";
import { EnvironmentTree, type RunInEnvironment, type Sending } from "./remote-tree.ts";

const APPLETS = "find xargs tar stat sha256sum mv rm rmdir mkdir head tr date cat".split(" ");

/** A separate environment with this system's programs or BusyBox's. */
class Place implements Disposable {
  readonly folder = mkdtempSync(join(tmpdir(), "hermes-place-"));
  readonly #path: string;

  constructor(busybox: string | undefined) {
    mkdirSync(join(this.folder, "home"));
    this.#path = busybox === undefined ? "/usr/bin:/bin" : join(this.folder, "bin");
    if (busybox === undefined) return;
    mkdirSync(this.#path);
    for (const name of APPLETS) symlinkSync(busybox, join(this.#path, name));
  }

  readonly run: RunInEnvironment = (script, { stdin }) =>
    new Promise((resolve, reject) => {
      // Input is a file, as that of a kept shell.
      writeFileSync(join(this.folder, "stdin"), stdin ?? new Uint8Array());
      const child = spawn("/bin/bash", ["-c", `exec <"${this.folder}/stdin"\n${script}`], {
        env: { PATH: this.#path, HOME: join(this.folder, "home") },
        cwd: "/",
      });
      const pieces: Buffer[] = [];
      child.stdout.on("data", (piece: Buffer) => void pieces.push(piece));
      child.once("error", reject);
      child.once("close", (code) => resolve({ code: code ?? -1, output: Buffer.concat(pieces) }));
    });

  tree(more: Partial<TreeInEnvironment> = {}): EnvironmentTree {
    return new EnvironmentTree({ folder: "~/work", marker: "mark", closed: false, ...more }, this.run);
  }

  path(name: string): string {
    return join(this.folder, "home/work", name);
  }

  write(name: string, text: string): void {
    mkdirSync(dirname(this.path(name)), { recursive: true });
    writeFileSync(this.path(name), text);
  }

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

const busybox = spawnSync("sh", ["-c", "command -v busybox"], { encoding: "utf8" }).stdout.trim();

for (const [name, program] of [
  ["this system", undefined],
  ["BusyBox", busybox],
] as const) {
  describe(
    `manages files in an environment with the programs of ${name}`,
    { skip: program === "" && "no busybox here" },
    () => {
      const sending = (path: string, text: string, more: Partial<Sending> = {}): Sending => ({
        path,
        mode: 0o644,
        bytes: text.length,
        expected: undefined,
        read: async () => Buffer.from(text),
        ...more,
      });

      test("writes, lists, hashes, reads and removes files, whatever their names", async () => {
        using place = new Place(program);
        const tree = place.tree();
        assert.equal(await tree.list([]), undefined, "there is no folder yet");
        await tree.mark("words");
        const names = ["a", "-dash", "deep/er/漢 'quoted' \"$x", `long/${"n".repeat(180)}`, "run.sh"];
        const put = await tree.put(
          names.map((path) => sending(path, `content of ${path}`, { mode: path === "run.sh" ? 0o755 : 0o600 })),
        );
        assert.deepEqual([...put].sort(), [...names].sort());
        const { marked, files } = (await tree.list([]))!;
        assert.deepEqual(
          [marked, [...files.keys()].sort(), files.get("run.sh")!.runs, files.get("a")!.runs],
          ["words", [...names].sort(), true, false],
        );
        assert.equal(statSync(place.path("a")).mode & 0o777, 0o600);
        assert.match((await tree.hash(files)).get("run.sh")!, /^[0-9a-f]{64}\+x$/);
        const fetched = new Map<string, string>();
        await tree.fetch(files, async (path, bytes) => void fetched.set(path, bytes.toString()));
        assert.deepEqual(fetched, new Map([...fetched.keys()].map((path) => [path, `content of ${path}`])));
        assert.equal(fetched.size, names.length);
        assert.deepEqual(
          [...(await tree.remove(names.slice(2, 4).map((path) => ({ path, expected: files.get(path)! }))))].sort(),
          names.slice(2, 4).sort(),
        );
        assert.deepEqual([...(await tree.list([]))!.files.keys()].sort(), ["-dash", "a", "run.sh"]);
      });

      test("neither overwrites nor removes a file that differs from what was expected", async () => {
        using place = new Place(program);
        const tree = place.tree();
        for (const path of ["changed", "same", "sub/file"]) place.write(path, "first");
        const { files } = (await tree.list([]))!;
        await wait(1_100);
        place.write("changed", "other");
        mkdirSync(place.path("folder"));
        const wanted = [
          sending("changed", "mine", { expected: files.get("changed") }),
          sending("folder", "mine"),
          sending("same", "mine", { expected: files.get("same") }),
          sending("sub/file", "mine"),
        ];
        assert.deepEqual([...(await tree.put(wanted))], ["same"]);
        assert.deepEqual([...(await tree.put([sending("sub/file/below", "mine")]))], []);
        assert.deepEqual([...(await tree.remove([{ path: "changed", expected: files.get("changed")! }]))], []);
        assert.deepEqual(
          [readFileSync(place.path("changed"), "utf8"), readFileSync(place.path("same"), "utf8")],
          ["other", "mine"],
        );
      });

      test("follows no link when it lists, writes or removes", async () => {
        using place = new Place(program);
        mkdirSync(join(place.folder, "outside"));
        writeFileSync(join(place.folder, "outside/file"), "outside");
        place.write("inside/file", "inside");
        symlinkSync(join(place.folder, "outside"), place.path("link"));
        symlinkSync(join(place.folder, "outside/file"), place.path("file-link"));
        const tree = place.tree();
        const { files } = (await tree.list([]))!;
        assert.deepEqual([...files.keys()], ["inside/file"]);
        assert.deepEqual(
          [
            ...(await tree.put([
              sending("link/file", "evil"),
              sending("link/new/deep", "evil"),
              sending("file-link", "evil"),
            ])),
          ],
          [],
        );
        assert.deepEqual([...(await tree.remove([{ path: "link/file", expected: files.get("inside/file")! }]))], []);
        assert.deepEqual(
          [
            readFileSync(join(place.folder, "outside/file"), "utf8"),
            spawnSync("ls", [join(place.folder, "outside")], { encoding: "utf8" }).stdout,
          ],
          ["outside", "file\n"],
        );
      });

      test(
        "an unreadable file does not count as deleted",
        { skip: process.getuid?.() === 0 && "root may look at everything" },
        async () => {
          using place = new Place(program);
          place.write("closed/file", "there");
          chmodSync(place.path("closed"), 0);
          assert.deepEqual([...(await place.tree().absent(["closed/file", "never"]))], ["never"]);
          chmodSync(place.path("closed"), 0o700);
        },
      );

      test("an existing file or link does not count as deleted", async () => {
        using place = new Place(program);
        place.write("file", "there");
        symlinkSync("nowhere", place.path("link"));
        assert.deepEqual(
          [...(await place.tree().absent(["file", "link", "gone", "file/below", "no/folder"]))],
          ["gone", "file/below", "no/folder"],
        );
      });
    },
  );
}

test("names the program that an environment lacks", async () => {
  using place = new Place("/nowhere/busybox");
  for (const name of ["head", "tr", "date", "mkdir", "mv"]) {
    rmSync(join(place.folder, "bin", name));
    symlinkSync(
      spawnSync("sh", ["-c", `command -v ${name}`], { encoding: "utf8" }).stdout.trim(),
      join(place.folder, "bin", name),
    );
  }
  const tree = place.tree();
  mkdirSync(join(place.folder, "home/work"));
  await assert.rejects(tree.list([]), { message: "the terminal backend has no find" });
});

test("a false listing yields only names, and causes no action", async () => {
  const lies = [
    "words",
    "1000",
    "5 900 900 1 81a4 ./../../etc/passwd",
    "5 900 900 1 81a4 /etc/passwd",
    "not a line",
    "5 900 900 1 81a4 ./fine",
  ].join("\n");
  const tree = new EnvironmentTree({ folder: "~/work", marker: "mark", closed: false }, async () => ({
    code: 0,
    output: Buffer.from(lies),
  }));
  assert.deepEqual(
    [...(await tree.list([]))!.files.keys()],
    ["../../etc/passwd", "fine"],
    "list() does not filter excluded paths; its caller does",
  );
});
