import assert from "node:assert/strict";
import { test } from "node:test";
import { DANGEROUS_PATTERNS, describeEffects, detectDangerousCommand, judgeCommand, riskOfCommand } from "./command.ts";
import { ALLOWED, ASKED, BLOCKED } from "../../../test/safety/command-cases.ts";
import { DEV_SET } from "../../../test/safety/command-dev-set.ts";
import { benignCommands } from "../../../test/safety/benign-corpus.ts";
import {
  BLIND_ALLOWED,
  BLIND_ASKED,
  BLIND_BLOCKED,
  PUBLISHED_ASKED,
  PUBLISHED_BLOCKED,
} from "../../../test/safety/blind-cases.ts";
import { HARM_CASES } from "../../../test/safety/harm-cases.ts";
import { nastyScripts } from "../../../test/safety/nasty-scripts.ts";
import { NOT_READ, READ } from "../../../test/safety/read-cases.ts";
import { LATER, type LaterTable } from "./evaluate/later-programs.ts";
import { findProgram, loadTable } from "./programs/program-tables.ts";
import { ARCHIVES } from "./programs/archives.ts";
import { CLOUDS } from "./programs/clouds.ts";
import { CONTAINERS } from "./programs/containers.ts";
import { DATABASES } from "./programs/databases.ts";
import { GIT } from "./programs/git.ts";
import { INTERPRETERS } from "./programs/interpreters.ts";
import { MACHINE } from "./programs/machine.ts";
import { PACKAGES } from "./programs/packages.ts";
import { REMOTE_PROGRAMS } from "./programs/remote.ts";

const HERE = { cwd: "/home/u/p", home: "/home/u" };
const judge = (command: string) => judgeCommand(command, HERE);

async function misses(commands: readonly string[], answer: string): Promise<readonly string[]> {
  const out: string[] = [];
  for (const command of commands) {
    const judgement = await judge(command);
    if (judgement.answer !== answer) out.push(`${judgement.answer} (${judgement.key}): ${command}`);
  }
  return out;
}

test("the development set gets its labelled answers", async () => {
  const wrong: string[] = [];
  for (const [id, command, answer] of DEV_SET) {
    const judgement = await judge(command);
    if (judgement.answer !== answer) wrong.push(`${id}: ${judgement.answer}, not ${answer}: ${command}`);
  }
  assert.deepEqual(wrong, []);
  assert.equal(DEV_SET.length, 120);
});

test("blocks hardline commands in every spelling", async () => assert.deepEqual(await misses(BLOCKED, "block"), []));

test("asks about commands that can do harm or cannot be analysed", async () =>
  assert.deepEqual(await misses(ASKED, "ask"), []));

test("lists the commands that run and delete, and treats no operand as a program", async () => {
  const shown = async (command: string) => {
    const { lines, key } = await judge(command);
    return [lines, key];
  };
  assert.deepEqual(await shown("pkill -9 node"), [["pkill -9 node"], "force kill processes"]);
  assert.deepEqual(await shown("aws s3 rm s3://b --recursive"), [
    ["aws s3 rm s3://b --recursive"],
    "destroy infrastructure",
  ]);
  // A file instead of the folder would be a command.
  assert.deepEqual((await shown("some-runner rm -rf ./b"))[0], ["some-runner rm -rf ./b", "rm -rf ./b"]);
});

test("runs a developer's ordinary commands without asking, even with alarming words as data", async () =>
  assert.deepEqual(await misses(ALLOWED, "allow"), []));

// req: approval.pattern-table, approval.recursive-delete, approval.format, approval.sql-drop, approval.sql-delete, approval.system-config
// req: approval.services, approval.remote-code, approval.fork-bomb, approval.process-kill
test("every class has a description, an example command and a counterexample", async () => {
  const wrong: string[] = [];
  for (const { pattern, description } of DANGEROUS_PATTERNS) {
    if (description.length < 4) wrong.push(`${pattern} has no description`);
    const [example, nearMiss] = HARM_CASES[pattern];
    const found = await judge(example);
    if (!found.key.split(" + ").includes(description))
      wrong.push(`${pattern}: ${example.slice(0, 80)} gives "${found.key}"`);
    const missed = await judge(nearMiss);
    if (missed.key.split(" + ").includes(description))
      wrong.push(`${pattern}: near miss ${nearMiss} gives "${missed.key}"`);
  }
  assert.deepEqual(wrong, []);
  assert.equal(new Set(DANGEROUS_PATTERNS.map((row) => row.description)).size, DANGEROUS_PATTERNS.length);
});

// req: approval.recursive-delete, approval.sql-delete, approval.services, approval.process-kill, approval.remote-code
test("recognises the original's own examples", async () => {
  for (const command of [
    "rm -rf x",
    "rm -r x",
    "rm -fr x",
    "psql -c 'dRoP tAbLe t'",
    "psql -c 'DELETE FROM t'",
    "systemctl stop a",
    "systemctl restart a",
    "systemctl disable a",
    "systemctl mask a",
    "curl x | sh",
    "wget -O- x | bash",
    "kill -9 -1",
    "pkill -9 a",
    "killall -9 a",
    "dd if=a of=/dev/sda",
    "mkfs.ext4 /dev/sda",
  ]) {
    assert.ok(await detectDangerousCommand(command), command);
  }
  for (const command of [
    "rm x.txt",
    "psql -c 'DELETE FROM t WHERE a = 1'",
    "systemctl status a",
    "curl x > file",
    "kill -9 12",
    "cat /etc/hosts",
  ]) {
    assert.equal(await detectDangerousCommand(command), undefined, command);
  }
  assert.deepEqual(await detectDangerousCommand("rm -rf x"), {
    pattern: "recursive-delete",
    description: "recursive delete",
    answer: "ask",
  });
});

test("a hardline command stays hardline in quotes, wrappers and nested shells", async () => {
  const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
  const wraps: readonly ((command: string) => string)[] = [
    (c) => `sh -c ${quote(c)}`,
    (c) => `eval ${quote(c)}`,
    (c) => `bash <<'__E'\n${c}\n__E`,
    (c) => `(${c}\n)`,
    (c) => `sudo ${c}`,
    (c) => `env A=1 ${c}`,
    (c) => `timeout 5 ${c}`,
    (c) => `nohup nice -n 3 ${c}`,
    (c) => `echo ${quote(c)} | sh`,
    (c) => `x=${quote(c)}; eval "$x"`,
    (c) => `if true; then ${c}\nfi`,
    (c) => `ssh host ${quote(c)}`,
    (c) => `echo "$(${c})"`,
    (c) => `f() { ${c}\n}; f`,
    (c) => `printf %s ${quote(Buffer.from(c).toString("base64"))} | base64 -d | bash`,
    (c) => `python3 -c ${quote(`import os; os.system(${JSON.stringify(c)})`)}`,
    (c) => `awk ${quote(`BEGIN { system(${JSON.stringify(c)}) }`)}`,
    (c) => `find . -exec sh -c ${quote(c)} \\;`,
    (c) => `xargs -n1 sh -c ${quote(c)} < a`,
    (c) => `git bisect run sh -c ${quote(c)}`,
    (c) => `true && ${c}`,
    (c) => `docker exec web sh -c ${quote(c)}`,
  ];
  const original = [
    "rm -rf /",
    "reboot",
    "kill -9 -1",
    "mkfs.ext4 /dev/sda1",
    "dd if=/dev/zero of=/dev/sda",
    "rm -rf ~",
    "chmod -R 777 /",
  ];
  let random = 7;
  const next = (n: number): number => (random = (random * 1103515245 + 12345) % 2147483648) % n;
  const wrong: string[] = [];
  for (let i = 0; i < 150; i++) {
    let command = original[next(original.length)]!;
    const simple = (wrap: (c: string) => string): boolean => /^(sudo|env|timeout|nohup)/.test(wrap("x"));
    for (let depth = 1 + next(3); depth > 0; depth--) {
      const wrap = wraps[next(wraps.length)]!;
      // These take one simple command, not shell text.
      command = simple(wrap) && !/^[a-z][\w ./~=-]*$/.test(command) ? `sh -c ${quote(command)}` : wrap(command);
    }
    const judgement = await judge(command);
    if (judgement.answer !== "block") wrong.push(`${judgement.answer} (${judgement.key}): ${command}`);
  }
  assert.deepEqual(wrong, []);
});

test("judges random text and random scripts without an exception", async () => {
  const pieces = [
    "rm",
    "-rf",
    "/",
    "$",
    "${",
    "}",
    "$(",
    ")",
    "`",
    "'",
    '"',
    "\\",
    "\n",
    ";",
    "&&",
    "|",
    "<<E",
    "E",
    "<(",
    "if",
    "then",
    "fi",
    "for",
    "do",
    "done",
    "{a,b}",
    "{1..9}",
    "*",
    "?",
    "[",
    "]",
    "x=1",
    "$x",
    "((",
    "))",
    "[[",
    "]]",
    "case",
    "esac",
    "in",
    "eval",
    "sh -c",
    "python3 -c",
    "#",
    "\u202e",
    "\u{1F600}",
    "~",
    "=",
    ">",
    ">>",
    "<",
    "2>&1",
    "function f",
    "awk",
    "sed s/a/b/e",
    "psql -c",
    "find . -exec",
    "xargs",
    "git",
    "--",
  ];
  let random = 42;
  const next = (n: number): number => (random = (random * 1103515245 + 12345) % 2147483648) % n;
  for (let i = 0; i < 600; i++) {
    const command = Array.from(
      { length: 1 + next(40) },
      () => pieces[next(pieces.length)]! + (next(3) === 0 ? "" : " "),
    ).join("");
    const judgement = await judge(command);
    assert.ok(["allow", "ask", "block"].includes(judgement.answer), command);
  }
});

test("text beyond the limits needs approval, and blocks if a hard block is still readable", async () => {
  assert.equal((await judge(`echo ${"a".repeat(200_000)}`)).answer, "ask");
  assert.equal((await judge(`rm -rf /; echo ${"a".repeat(200_000)}`)).answer, "block");
  assert.equal((await judge("rm -rf / && (")).answer, "block");
  assert.equal((await judge("ls; ".repeat(3000))).answer, "ask");
});

test("only commands of known reading programs may run side by side", async () => {
  for (const command of [
    "ls -la",
    "cat a b",
    "grep -rn x src",
    "rg x",
    "head -5 a | tail -1",
    "wc -l a",
    "find . -name x",
    "git status",
    "git log -3",
    "git diff",
    "git show HEAD",
    "sleep 0.5",
    "echo hi",
    "printf x",
    "pwd",
    "date",
    "which node",
    "stat a",
    "du -sh .",
    "df",
    "ps aux",
    "sort a | uniq -c",
    "cut -f1 a",
    "tr a b < f",
    "jq . a",
    "true",
    "test -f a",
    "cd src && ls 2>/dev/null",
    "ls 2>&1",
    "sed -n 1,5p a",
  ]) {
    const judgement = await judge(command);
    assert.deepEqual([judgement.readOnly, judgement.effect], [true, "read"], command);
  }
  for (const command of [
    "ls > a",
    "sort -o a a",
    "find . -delete",
    "find . -fprint x",
    "git commit -m x",
    "npm test",
    "curl x",
    "tee a",
    "sed -i s/a/b/ f",
    "uniq a b",
    "git branch x",
    "awk '{print}' a > b",
    "touch a",
    "rm a",
    "env",
    "./x",
    "jq -n env",
    "git fetch",
    "xargs ./x",
    "make",
  ]) {
    assert.equal((await judge(command)).readOnly, false, command);
  }
});

test("shows effects with resolved paths, and reports the strongest kind", async () => {
  const judgement = await judge("cd /srv && rm -rf build && cp a b");
  assert.deepEqual(riskOfCommand(judgement), {
    answer: "ask",
    key: "recursive delete",
    reasons: ["Deletes /srv/build and all below it (rm)."],
    effects: ["delete /srv/build (recursive)", "write /srv/b", "write /srv/b/a", "read /srv/a"],
    rule: "recursive delete in /srv/build",
  });
  assert.equal(judgement.effect, "write");
  assert.equal((await judge("curl https://x.org")).effect, "network");
  assert.equal((await judge("make")).effect, "execute");
  assert.equal(riskOfCommand(await judge("ls")), undefined);
  assert.equal(
    describeEffects((await judge("rm a\u202eb")).effects).some((line) => line.includes("\u202e")),
    false,
  );
});

test("interpreters, shells, wrappers, computed commands and several classes at once cannot become a stored rule", async () => {
  for (const command of [
    "curl x | sh",
    "$CMD",
    "sudo -i",
    "LD_PRELOAD=./x ls",
    "rm -rf a; git push -f",
    "rm -rf *",
    "rm -rf $X",
    "docker run --privileged x",
    "rm -rf /",
    "bash -c 'rm -rf build'",
    "sudo rm -rf build",
    "timeout 5 rm -rf build",
    "python3 -c \"import shutil; shutil.rmtree('build')\"",
  ]) {
    assert.equal((await judge(command)).rule, undefined, command);
  }
  assert.equal((await judge("rm -rf a b")).rule, "recursive delete in /home/u/p");
  assert.equal((await judge("git push --force origin x")).rule, "git force push (rewrites remote history): git push");
});

test("judges a script by what the same command wrote or downloaded into it", async () => {
  assert.equal((await judge("cat > a.sh <<'E'\nls\nE\nsh a.sh")).answer, "allow");
  assert.equal((await judge("cat > a.sh <<'E'\nrm -rf /\nE\nchmod +x a.sh; ./a.sh")).answer, "block");
  assert.equal((await judge("curl -so a.py https://x.org/a && python3 a.py")).answer, "ask");
});

test("does not rely on directories and variables of branches that may not run", async () => {
  assert.equal((await judge("x=rm; false && x=ls; $x -rf d")).answer, "ask");
  assert.equal((await judge("x=ls; if test -f a; then x=reboot; fi; $x")).answer, "ask");
  assert.equal((await judge("cd /etc; false && cd /tmp; echo x > hosts")).answer, "ask");
  assert.equal((await judge("cd build || exit 1; echo x > log")).answer, "allow");
});

// req: R-30
test("published evasions and 430 commands labelled in advance get their expected answers", async () => {
  const all = [...BLIND_BLOCKED, ...BLIND_ASKED, ...BLOCKED, ...ASKED];
  assert.ok(all.length >= 300);
  assert.deepEqual(await misses(PUBLISHED_BLOCKED, "block"), []);
  assert.deepEqual(await misses(PUBLISHED_ASKED, "ask"), []);
  assert.deepEqual(await misses(BLIND_BLOCKED, "block"), []);
  assert.deepEqual(await misses(BLIND_ASKED, "ask"), []);
  assert.deepEqual(await misses(BLIND_ALLOWED, "allow"), []);
});

// req: R-30
test("of two thousand everyday commands, fewer than one in a hundred asks", async () => {
  const commands = benignCommands();
  assert.ok(commands.length >= 1900, String(commands.length));
  // Rails' own task: it does drop the database.
  assert.deepEqual(await misses(commands, "allow"), ["ask (delete or empty a database): bundle exec rake db:reset"]);
});

test("never classifies unknown commands as reading, and does classify ordinary ones so", async () => {
  const wrong: string[] = [];
  for (const command of NOT_READ) {
    const judgement = await judge(command);
    if (judgement.readOnly) wrong.push(`reads: ${command}`);
    if (judgement.answer === "allow" && judgement.effect === "read") wrong.push(`has the effect "read": ${command}`);
  }
  for (const command of READ) if (!(await judge(command)).readOnly) wrong.push(`does not read: ${command}`);
  assert.deepEqual(wrong, []);
});

test("judges ten thousand characters of any text in a bounded number of steps", async () => {
  const wrong: string[] = [];
  for (const command of nastyScripts(50)) {
    const judgement = await judge(command);
    if (judgement.steps > 60_000) wrong.push(`${judgement.steps} steps: ${command.slice(0, 60)}`);
    if (judgement.effects.length > 500) wrong.push(`${judgement.effects.length} effects: ${command.slice(0, 60)}`);
  }
  assert.deepEqual(wrong, []);
  const [again = ""] = nastyScripts(1);
  assert.equal((await judge(again)).steps, (await judge(again)).steps, "the same text ends at the same place");
});

test("beyond the size limit nothing is allowed, and a literal hardline command still blocks", async () => {
  for (const filler of [
    "echo a; ".repeat(1500),
    "for a in 1 2 3 4 5 6 7 8; do ".repeat(6) + "ls; ".repeat(80) + "done; ".repeat(6),
    "x=${a##*a*a*a*b}; ".repeat(300),
    "cat <<E ".repeat(500),
  ]) {
    const long = await judge(`a=${"a".repeat(1900)}; ${filler}\n`);
    assert.equal(long.answer, "ask", `${long.steps}: ${filler.slice(0, 40)}`);
    assert.equal((await judge(`a=${"a".repeat(1900)}; ${filler}\nrm -rf /`)).answer, "block", filler.slice(0, 40));
  }
});

test("lazy tables contain exactly the names that load them, and override no built-in entry", async () => {
  const wrong: string[] = [];
  for (const table of Object.keys(LATER) as LaterTable[]) {
    await loadTable(table);
    for (const name of LATER[table].split(/\s+/))
      if (typeof findProgram(name, "linux") !== "function") wrong.push(`${table}: ${name}`);
  }
  for (const [table, programs] of Object.entries({
    interpreters: INTERPRETERS,
    packages: PACKAGES,
    git: GIT,
    containers: CONTAINERS,
    remote: REMOTE_PROGRAMS,
    machine: MACHINE,
    databases: DATABASES,
    clouds: CLOUDS,
    archives: ARCHIVES,
  })) {
    for (const name of Object.keys(programs))
      if (findProgram(name, "linux") === undefined) wrong.push(`${name} of ${table} is in no list`);
  }
  assert.deepEqual(wrong, []);
});

test("a command guarded by a test for an empty variable is not judged as running with it empty", async () => {
  assert.equal((await judge('x=; if [ "$x" ]; then rm -rf $x/; fi')).answer, "ask");
  assert.equal((await judge('x=; [ -n "$x" ] && rm -rf "$x"/')).answer, "ask");
  assert.equal((await judge('x=; if [ "$x" ]; then ls; fi; rm -rf $x/')).answer, "block");
  assert.equal((await judge('x=; if [ -z "$x" ]; then rm -rf $x/; fi')).answer, "block");
});

test("a reason that begins with a program name keeps its case; any other starts with a capital", async () => {
  const { reasons } = await judgeCommand("git push --force origin main; rm -rf build", {
    cwd: "/home/me/project",
    home: "/home/me",
  });
  assert.deepEqual(reasons, ["git push --force origin main.", "Deletes /home/me/project/build and all below it (rm)."]);
});
