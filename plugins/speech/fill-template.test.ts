import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { fillTemplate } from "./fill-template.ts";

const NASTY = `a b'c"d$HOME\`id\`\\ {voice} ; *`;

/** The words that a shell makes of a command. */
const words = (command: string): readonly string[] => execFileSync("/bin/sh", ["-c", `printf '%s\\n' ${command}`], { encoding: "utf8" }).trimEnd().split("\n");

// req: media.tts-placeholders
test("a value stays one word where it stands: bare, in double quotes, in single quotes, in the middle of a word", () => {
  const values = { voice: NASTY, input_path: "/tmp/my text.txt" };
  assert.deepEqual(words(fillTemplate(`{voice} "{voice}" '{voice}' x={voice} "of {voice}" {input_path}`, values)), [NASTY, NASTY, NASTY, `x=${NASTY}`, `of ${NASTY}`, "/tmp/my text.txt"]);
});

test("braces that stand for themselves, the shell's own and unknown names are left", () => {
  assert.equal(fillTemplate("{{voice}} ${voice} {unknown} {voice} \\{voice}", { voice: "v" }), "{voice} ${voice} {unknown} 'v' \\{voice}");
});
