import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { judgeCommand } from "../../src/safety/commands/command.ts";
import { randomScript, STUBS } from "./random-scripts.ts";

const root = mkdtempSync(join(tmpdir(), "hermes-differential-"));
const stubs = join(root, "bin");
const log = join(root, "log");
const place = join(root, "place");
const bash = ["/bin/bash", "/usr/bin/bash", "/usr/local/bin/bash"].find(
  (path) => spawnSync(path, ["-c", "exit 0"]).status === 0,
);
const bubblewrap = ["/usr/bin/bwrap", "/usr/local/bin/bwrap"].find(
  (path) =>
    spawnSync(path, ["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--unshare-all", "/bin/true"])
      .status === 0,
);

mkdirSync(stubs);
mkdirSync(place);
for (const name of STUBS) {
  // One line a call: its name and words, each with what would break the line made visible.
  writeFileSync(
    join(stubs, name),
    `#!${bash}\n{ printf '%s' "\${0##*/}"; for word; do printf ' %s' "\${word//$'\\n'/⏎}"; done; printf '\\n'; } >> ${log}\n`,
  );
  chmodSync(join(stubs, name), 0o755);
}
if (bash !== undefined) symlinkSync(bash, join(stubs, "bash"));
symlinkSync("/usr/bin/env", join(stubs, "env"));
after(() => rmSync(root, { recursive: true }));

/** The programs that a real bash ran, in an empty directory where only the stubs can be found. */
function ran(script: string): readonly string[] {
  writeFileSync(log, "");
  const sandbox = bubblewrap
    ? [
        bubblewrap,
        "--ro-bind",
        "/",
        "/",
        "--dev",
        "/dev",
        "--proc",
        "/proc",
        "--bind",
        root,
        root,
        "--unshare-all",
        "--die-with-parent",
        "--chdir",
        place,
      ]
    : [];
  const [program = "", ...args] = [...sandbox, bash!, "--norc", "--noprofile", "-c", script];
  const result = spawnSync(program, args, {
    cwd: place,
    env: { PATH: stubs, HOME: place },
    timeout: 120_000,
    encoding: "utf8",
    input: "",
  });
  assert.deepEqual([result.error, result.signal], [undefined, null], script);
  return readFileSync(log, "utf8")
    .split("\n")
    .filter((line) => line !== "");
}

/**
 * A predicted line, with `…` for words that only the running shell knows. A program's name is never one of them: that
 * would have asked.
 */
function predicts(line: string): RegExp {
  const parts = line
    .replaceAll("\n", "⏎")
    .trimEnd()
    .split(/ ?…/)
    .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${parts.join(".*")}$`);
}

// req: R-30
test(
  "predicts whatever a real bash runs of a random script, or asks about the script",
  { skip: bash === undefined ? "no bash here" : false },
  async () => {
    const wrong: string[] = [];
    let commands = 0;
    let asked = 0;
    const first = Number(process.env.HERMES_DIFFERENTIAL_SEED ?? 1);
    for (let seed = first; seed < first + 250; seed++) {
      const script = randomScript(seed);
      const judgement = await judgeCommand(script, { cwd: place, home: place });
      if (judgement.answer !== "allow") {
        asked++;
        continue;
      }
      const predicted = judgement.lines.map(predicts);
      for (const line of ran(script)) {
        commands++;
        if (!predicted.some((pattern) => pattern.test(line.trimEnd())))
          wrong.push(`seed ${seed}: ${line}\n${script}\n`);
      }
    }
    assert.deepEqual(wrong, []);
    assert.ok(commands > 500, `${commands} commands ran`);
    assert.ok(asked < 125, `${asked} scripts of 250 were asked about`);
  },
);
