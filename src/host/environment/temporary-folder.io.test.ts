import assert from "node:assert/strict";
import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { NewUser } from "../../../test/end-to-end/support/test-user.ts";
import { temporaryFolder, temporaryNotice } from "./temporary-folder.ts";

// field: T14
test("uses another folder if the temporary one is unusable", (t) => {
  const home = mkdtempSync(join(tmpdir(), "hermes-temporary-"));
  t.after(() => rmSync(home, { recursive: true, force: true }));
  const own = join(home, "cache", "tmp");
  const file = join(home, "file");
  writeFileSync(file, "");
  assert.deepEqual(temporaryFolder(own, home), { folder: home });
  for (const [named, problem] of [
    [file, "is not a folder"],
    [join(file, "below"), "is inside a file"],
    [join(home, "none"), "does not exist"],
    ["/proc/self/fdinfo", "cannot be written (EACCES)"],
  ] as const) {
    if (named.startsWith("/proc") && (process.platform !== "linux" || process.getuid?.() === 0)) continue;
    const found = temporaryFolder(own, named);
    assert.deepEqual(found, { folder: "/tmp", problem: `${named} ${problem}` });
    assert.equal(temporaryNotice(found)?.text, `The folder for temporary files ${named} ${problem}; Hermes uses /tmp.`);
  }
  assert.equal(statSync(join(home, "none"), { throwIfNoEntry: false }), undefined, "no folder is made");
});

for (const named of ["a file", "a missing folder"])
  // field: T14
  test(`tools work and doctor reports it when TMPDIR is ${named}`, async () => {
    using user = new NewUser();
    const folder = join(user.folder, "temporary");
    if (named === "a file") user.write("temporary", "");
    const env = { TMPDIR: folder };
    const call = async (tool: string, args: object): Promise<string> =>
      (await user.run(["tools", "call", tool, JSON.stringify(args)], undefined, env)).out;
    user.write("notes.txt", "read me\n");
    assert.match(await call("terminal", { command: 'echo $TMPDIR; cat "$(mktemp)" && echo made' }), /"\/tmp\\nmade/);
    assert.match(await call("read_file", { path: "notes.txt" }), /read me/);
    assert.match(
      (await user.run(["doctor"], undefined, env)).out,
      /✗ temporary files +The folder for temporary files \S+ (is not a folder|does not exist); Hermes uses\s+\/tmp\s+Set TMPDIR/,
    );
  });
