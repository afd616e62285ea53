import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { fillTemplate } from "./fill-template.ts";

const NASTY = `a  b'c"d$HOME\`id\`\\ {voice} ; * $(echo ran)`;

/** The output of a shell that runs the filled template. */
function run(template: string, values: { readonly [name: string]: string }): string {
  const { command, env } = fillTemplate(template, values);
  return execFileSync("/bin/sh", ["-c", command], {
    encoding: "utf8",
    env: { PATH: process.env["PATH"], ...env },
  }).trimEnd();
}

/** The arguments into which a shell splits a command. */
const words = (command: string, values: { readonly [name: string]: string }): readonly string[] =>
  run(`printf '%s\\n' ${command}`, values).split("\n");

// req: media.tts-placeholders
test("a value stays one word unquoted, in double or single quotes, and inside a word", () => {
  const values = { voice: NASTY, input_path: "/tmp/my text.txt" };
  assert.deepEqual(words(`{voice} "{voice}" '{voice}' x={voice} "of {voice}" {voice}x {input_path}`, values), [
    NASTY,
    NASTY,
    NASTY,
    `x=${NASTY}`,
    `of ${NASTY}`,
    `${NASTY}x`,
    "/tmp/my text.txt",
  ]);
});

// req: media.tts-placeholders
test("a value does not become code inside a command substitution, a comment or a here-document", () => {
  const values = { voice: NASTY, output_path: "/tmp/my $(echo ran) 'sounds/x.mp3" };
  assert.equal(run(`printf '%s' "$(dirname {output_path})"`, values), "/tmp/my $(echo ran) 'sounds");
  assert.equal(run(`printf '%s' "$(printf '%s' "{voice}" {voice})"`, values), NASTY + NASTY);
  assert.equal(run(`# the person's own voice: {voice}\nprintf '%s' {voice}`, values), NASTY);
  assert.equal(run(`cat <<END\nit's {voice}\nEND\nprintf '%s' {voice}`, values), `it's ${NASTY}\n${NASTY}`);
  assert.equal(run(`cat <<'END'\nit's {voice}\nEND\nprintf '%s' {voice}`, values), `it's {voice}\n${NASTY}`);
  for (const template of [
    "printf %s `printf %s {voice}`",
    `printf %s $'of {voice}'`,
    `printf '%s' "\`printf '%s' "{voice}"\`"`,
  ])
    assert.doesNotMatch(
      run(`${template} 2>&1 || true`, { voice: "'; echo r'an'; '$(echo r'an')`echo r'an'`" }),
      /\bran\b/,
      template,
    );
});

test("leaves escaped braces, shell variables and unknown names, and puts no value into the command", () => {
  const { command, env } = fillTemplate("{{voice}} ${voice} {unknown} {voice} \\{voice}", { voice: "v\0w" });
  assert.equal(command, '{voice} ${voice} {unknown} "${HERMES_V_voice}" \\{voice}');
  assert.deepEqual(env, { HERMES_V_voice: "vw" });
});

// req: media.tts-placeholders
test("the alternatives named in a refusal are safe", () => {
  const nasty = `"; echo ran; '; echo ran; $(echo ran) \`echo ran\``;
  for (const template of [`sh -c 'printf %s "$1"' sh {voice}`, `sh -c 'printf %s "$HERMES_V_voice"'`]) {
    const { command, env } = fillTemplate(template, { voice: nasty });
    assert.equal(
      execFileSync("/bin/sh", ["-c", command], { encoding: "utf8", env: { PATH: process.env["PATH"], ...env } }),
      nasty,
      template,
    );
  }
});
