import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { buildProgram } from "../program/command-tree.ts";
import { completionScript, SHELLS, type Shell } from "./scripts.ts";
import { completionPoints } from "./complete-line.ts";

const points = completionPoints(buildProgram(() => async () => {}));

/** How each shell is asked what it would offer; the script is `$1`, or `argv[1]`. */
const ASK: { readonly [shell in Shell]: readonly string[] } = {
  bash: [
    "-c",
    'source "$1"; ask() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMPREPLY=(); _hermes; echo "${COMPREPLY[*]}"; }; ask hermes sess; ask hermes tools e; ask hermes sessions export --format ""; ask hermes -p work mod',
    "bash",
  ],
  zsh: [
    "-f",
    "-c",
    'compdef() { :; }; _describe() { print -r -- ${(M)${(@)found%%:*}:#$PREFIX*}; }; compadd() { print -r -- ${@[2,-1]}; }; source "$1"; ask() { words=("$@"); CURRENT=$#; PREFIX=${@[-1]}; _hermes; }; ask hermes sess; ask hermes tools e; ask hermes sessions export --format ""; ask hermes -p work mod',
    "zsh",
  ],
  fish: [
    "--no-config",
    "-c",
    'source $argv[1]; for line in "hermes sess" "hermes tools e" "hermes sessions export --format " "hermes -p work mod"; echo (complete -C $line | string replace -r "\\t.*" ""); end',
  ],
};

for (const shell of SHELLS) {
  const installed = spawnSync(shell, ["--version"]).status === 0;
  // req: cli.completion
  test(
    `the script for ${shell} loads and offers subcommands, their subcommands, and the values of options`,
    { skip: installed ? false : `${shell} is not installed` },
    () => {
      const folder = mkdtempSync(join(tmpdir(), "hermes-completion-"));
      try {
        const file = join(folder, `hermes.${shell}`);
        writeFileSync(file, completionScript(shell, points));
        const { stdout, stderr, status } = spawnSync(shell, [...ASK[shell], file], {
          encoding: "utf8",
          env: { PATH: process.env["PATH"], HOME: folder },
        });
        assert.deepEqual(
          {
            stdout: stdout
              .trim()
              .split("\n")
              .map((line) => line.trim().split(" ").sort().join(" ")),
            stderr,
            status,
          },
          { stdout: ["sessions", "enable", "jsonl md", "model"], stderr: "", status: 0 },
        );
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    },
  );
}
