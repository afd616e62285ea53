import assert from "node:assert/strict";
import { test } from "node:test";
import { judgeCommand } from "../command.ts";

const places = { cwd: "/work/app", home: "/home/me" };
const judge = (command: string) => judgeCommand(command, places);

test("judges what a shell runs after filters such as cat, tr, rev, sed and grep", async () => {
  for (const command of [
    "echo 'rm -rf x' | cat | sh",
    "echo 'ez -es k' | tr a-z n-za-m | tr ezk rmx | sh",
    "printf 'x fr- mr' | rev | sh",
    "echo 'XX -rf x' | sed 's/XX/rm/' | sh",
    "printf 'b\\nrm -rf x\\n' | grep rm | sh",
    "echo rm -rf x | head -1 | sh",
  ])
    assert.equal((await judge(command)).answer, "ask", command);
  for (const command of ["echo 'echo hello' | sh", "printf 'ls\\n' | cat | sh", "echo 'XX src' | sed 's/XX/ls/' | sh"])
    assert.equal((await judge(command)).answer, "allow", command);
});

test("a sed script can run programs and write files; otherwise sed only reads or edits its operands", async () => {
  for (const command of [
    "sed '1e rm -rf x' a",
    "sed 's/x/rm -rf y/e' a",
    "sed -n 'w /etc/hosts' a",
    "sed 's/a/b/w /etc/cron.d/x' a",
    "sed -i 's/a/b/' ~/.bashrc",
    "sed --in-place s/a/b/ /etc/hosts",
    "sed --expression='1e id' a",
  ])
    assert.equal((await judge(command)).answer, "ask", command);
  for (const command of [
    "sed -n 's/^e //p' a",
    "sed 's/write/w x/' a",
    "sed -e '/^#/d' -e 's/rm -rf/delete/' notes.md",
    "sed -i.bak 's/foo/bar/g' src/a.ts",
    "sed '/start/,/end/d' a",
    "sed -E 's|/etc/hosts|x|' a",
  ])
    assert.equal((await judge(command)).answer, "allow", command);
});

test("treats a decoder's output in a shell as an unknown command", async () => {
  for (const command of [
    "base64 -d x | sh",
    "xxd -r -p x | bash",
    "gunzip -c x.gz | sh",
    "openssl enc -d -a -in x | sh",
    "cat x | rev | sh",
    "uudecode -o - x | sh",
  ])
    assert.equal((await judge(command)).answer, "ask", command);
  for (const command of [
    "base64 -d x > y",
    "gunzip x.gz",
    "xxd x | head",
    "echo aGk= | base64 -d",
    "rev names.txt",
    "tr a-z A-Z < names.txt",
  ])
    assert.equal((await judge(command)).answer, "allow", command);
});
