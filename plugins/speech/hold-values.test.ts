import assert from "node:assert/strict";
import { test } from "node:test";
import { ToolFailure } from "hermes-agent/plugin";
import { fillTemplate } from "./fill-template.ts";
import { holdValues } from "./hold-values.ts";

const held = async (template: string): Promise<string | undefined> => {
  try {
    await holdValues(
      fillTemplate(template, { voice: "ann", input_path: "/tmp/in", output_path: "/tmp/out" }),
      "tts.providers.mine",
    );
    return undefined;
  } catch (cause) {
    assert.ok(cause instanceof ToolFailure, String(cause));
    return `${cause.message} ${cause.hint}`;
  }
};

// req: media.tts-placeholders
test("refuses a placeholder inside a script that another shell or interpreter parses, with its name and advice", async () => {
  const refused: readonly string[] = [
    `sh -c "{voice}"`,
    `sh -c "say {voice}"`,
    `sh -c 'say {voice}'`,
    `bash -lc "say '{voice}' {input_path}"`,
    `env sh -c "say {voice}"`,
    `timeout 9 nice bash -c "say {voice}"`,
    `eval say {voice}`,
    `ssh host "say {voice}"`,
    `ssh host say {voice}`,
    `xargs -I@ sh -c "say @ {voice}"`,
    `find . -exec sh -c "say {voice}" \\;`,
    `docker run image sh -c "say {voice}"`,
    `su -c "say {voice}"`,
    `trap "say {voice}" EXIT`,
    `echo {voice} | sh`,
    `sh <<END\nsay {voice}\nEND`,
    `a={voice}; sh -c "say $a"`,
    `python3 -c "print('{voice}')"`,
    `node -e "say('{voice}')"`,
    `perl -e "print '{voice}'"`,
    `ruby -e "puts '{voice}'"`,
    `$(sh -c "say {voice}")`,
  ];
  for (const template of refused) {
    const text = await held(template);
    assert.match(
      text ?? "let through",
      /^Refused the command of tts\.providers\.mine: \{voice\} is inside a script that another shell or interpreter parses.*sh -c 'say "\$1"' sh \{voice\}/,
      template,
    );
  }
});

// req: media.tts-placeholders
test("accepts a placeholder that is a word, part of a word, or an argument of a script", async () => {
  const fine: readonly string[] = [
    `say -v {voice} -f {input_path} -o {output_path}`,
    `say "of {voice}" '{voice}' x={voice}`,
    `sh -c 'say "$1" <"$2"' sh {voice} {input_path}`,
    `sh -c 'say "$HERMES_V_voice"'`,
    `piper --model {voice} <{input_path} >{output_path}`,
    `cat {input_path} | piper --model {voice}`,
    `echo {voice} | festival --tts`,
    `printf %s "$(dirname {output_path})"`,
    `python3 speak.py {voice} {input_path}`,
    `python3 -c 'import sys; print(sys.argv)' {voice}`,
    `# {voice}'s own\nsay {voice}`,
    `curl -d {voice} http://127.0.0.1:9/`,
    `ffmpeg -y -i {input_path} {output_path} && rm -f {input_path}`,
    `cat <<END | say\n{voice}\nEND`,
  ];
  for (const template of fine) assert.equal(await held(template), undefined, template);
});
