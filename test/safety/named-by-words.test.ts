import assert from "node:assert/strict";
import { test } from "node:test";
import { judgeCommand } from "../../src/safety/commands/command.ts";
import { ROLE_TABLES } from "../../src/safety/commands/programs/roles/judge-roles.ts";
import { ROLE_NAMES } from "../../src/safety/commands/programs/roles/role.ts";
import { readLabelled } from "./read-labelled.ts";

const HERE = { cwd: "/home/u/p", home: "/home/u" };

async function answers(commands: readonly string[], answer: string): Promise<void> {
  const wrong: string[] = [];
  for (const command of commands) {
    const judged = await judgeCommand(command, HERE);
    if (judged.answer !== answer) wrong.push(`${judged.answer} (${judged.key}): ${command}`);
  }
  assert.deepEqual(wrong, []);
}

// field: S02
test("a transport in git's configuration is judged as the command it runs, and the hard block applies", async () => {
  const e = (verb: string, command: string, key = "url"): string =>
    `git -c protocol.allow=always -c "remote.e.${key}=ext::${command}" ${verb}`;
  const verbs = ["ls-remote e", "fetch e", "pull e main", "remote show e", "remote update"];
  await answers(
    [
      ...verbs.map((verb) => e(verb, "rm -rf /tmp/victim")),
      e("push e main", "rm -rf /tmp/victim", "pushurl"),
      'git archive --remote="ext::rm -rf /tmp/victim" HEAD',
      'git config remote.e.url "ext::rm -rf /tmp/victim" && git fetch e',
      'git clone -c "remote.e.url=ext::touch x" https://example.com/a.git',
    ],
    "ask",
  );
  await answers([...verbs.map((verb) => e(verb, "rm -rf /")), 'git bundle-uri "ext::rm -rf /"'], "block");
  await answers(
    ['git -c "remote.e.url=https://example.com/a.git" ls-remote e', "git remote add e ../other.git", "git fetch e"],
    "allow",
  );
});

// field: S02
test("an option, a variable or a configuration file that names a command is judged as that command", async () => {
  await answers(
    [
      "GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=core.pager GIT_CONFIG_VALUE_0='rm -rf /' git log",
      "env GIT_CONFIG_PARAMETERS=\"'diff.external=rm -rf /'\" git diff",
      "printf '[core]\\n\\tfsmonitor = rm -rf /\\n' > /home/u/p/c; git -c include.path=/home/u/p/c status",
      "CMD='!rm -rf /'; git --config-env=alias.x=CMD x",
      "export BORG_PASSCOMMAND='rm -rf ~'; borg list",
      "duplicity --version; rclone --password-command='rm -rf /' ls x:",
    ],
    "block",
  );
});

// field: S04
test("a read whose files may include a stored secret asks; a read in the folder does not", async () => {
  await answers(
    [
      "find ~ -type f | xargs cat",
      'grep -rI "" ~',
      "rg --hidden X ~",
      "cat $(ls -d ~/.net*)",
      'find ~ -name ".net*" | while read f; do cat "$f"; done',
      "git hash-object -w ~/.netrc | xargs git cat-file -p",
      "git --work-tree=$HOME add -A; git diff --cached",
      "git config --file ~/.aws/credentials --list",
      "split ~/.netrc sp; cat sp*",
      "ed -s ~/.netrc <<< ,p",
      "file -f ~/.netrc",
      "date -f ~/.netrc",
      "wget -i ~/.netrc",
      // Siblings.
      "find $HOME -maxdepth 1 -name '.*rc' -exec head -3 {} +",
      "for f in ~/.*; do echo == $f; cat $f; done",
    ],
    "ask",
  );
  await answers(
    [
      "find . -type f | xargs cat",
      'grep -rI "" .',
      "rg --hidden X",
      "cat $(ls -d .net*)",
      'find src -name ".net*" | while read f; do cat "$f"; done',
      "git add -A; git diff --cached",
      "split big sp; cat sp*",
      "find ~ -name '*.md'",
    ],
    "allow",
  );
});

test("in a folder below another user's home, the folder itself may be read", async () => {
  const context = { cwd: "/home/app", home: "/root" };
  for (const command of ["grep -r TODO .", "rg TODO", "find . -type f | xargs cat"])
    assert.equal((await judgeCommand(command, context)).answer, "allow", command);
  assert.equal((await judgeCommand("grep -r TODO /home/other", context)).answer, "ask");
});

// field: S05
test("an archive of stored secrets asks where its bytes are printed", async () => {
  await answers(
    [
      "cd ~ && tar c .hermes | base64",
      "zip -qr - ~/.hermes | xxd",
      "tar czf a.tgz ~/.hermes && base64 a.tgz",
      "cd ~; find .hermes -type f | cpio -o | base64",
    ],
    "ask",
  );
  await answers(["tar c src | base64", "tar c . | wc -c", "tar c . | tar t"], "allow");
});

// field: S17
test("git asks before it runs programs that an unopened repository names", async () => {
  await answers(
    [
      "git diff --ext-diff",
      "git --git-dir=/other/.git status",
      "git show --textconv",
      "git log -p --ext-diff -- a.x",
      "cd sub && GIT_DIR=../../other/.git git log",
    ],
    "ask",
  );
  await answers(
    ["git diff", "git --git-dir=.git status", "git show --no-textconv", "git diff --text", "git -C ../lib status"],
    "allow",
  );
});

// field: S02
// field: S03
test("the tables hold the manuals of more than 120 programs, and the labelled lines try as many", () => {
  const programs = new Set(ROLE_TABLES.flatMap((table) => table.flatMap(([names]) => names.split(/\s+/))));
  assert.ok(programs.size > 120, String(programs.size));
  const tried = (safe: boolean): ReadonlySet<string> =>
    new Set(
      readLabelled()
        .filter(({ label }) => (label === "safe") === safe)
        .flatMap(({ command }) => command.split(/[\s|;&(]+/).filter((word) => programs.has(word))),
    );
  const [harmful, harmless] = [tried(false), tried(true)];
  const both = [...programs].filter((name) => harmful.has(name) && harmless.has(name));
  assert.ok(both.length > 120, String(both.length));
});

// field: S02
test("the rows of more than 120 programs name the manual that they were checked against", () => {
  const reviewed = new Set(
    ROLE_TABLES.flatMap((table) =>
      table.flatMap(([names, { manual }]) => (manual === undefined ? [] : [`${manual.split(",")[0]} ${names}`])),
    ).flatMap((text) => text.split(" ")[0]!),
  );
  assert.ok(reviewed.size > 120, String(reviewed.size));
});

test("every row of the tables defines at least one option or operand", () => {
  for (const table of ROLE_TABLES)
    for (const [programs, roles] of table) {
      const words = ROLE_NAMES.flatMap((role) => roles[role]?.split(/\s+/) ?? []);
      assert.ok(
        roles.harm !== undefined ||
          (roles.writes ?? roles.reads ?? roles.calls) !== undefined ||
          ROLE_NAMES.some((role) => role !== "data" && roles[role] !== undefined),
        programs,
      );
      for (const word of words) assert.match(word, /^(?:[\w@][\w.-]*=?|#(?:\*|last|\d+\+?))$/, `${programs}: ${word}`);
    }
});
