import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import type { Terminal } from "hermes-agent/plugin";
import { giveVariables } from "../../../plugins/tool-terminal/run/secret-environment.ts";

const KEY = "wander \"Blaue7\" $katze \\n 'x'";
const LINES = "first line\nsecond line";
const { signal } = new AbortController();

// Uses shell builtins only: the environment may have few programs, and an argument of one would reveal the value that
// it looks for.
const LOOKS = `
printf '[%s][%s]\n' "$DOOR_KEY" "$DOOR_LINES"
found=0; for list in /proc/[0-9]*/cmdline; do { while IFS= read -r -d '' word; do [[ $word == *"$DOOR_KEY"* ]] && found=$((found + 1)); done < "$list"; } 2>/dev/null; done
echo "in arguments: $found"; sleep 1
`;

/**
 * Stored secrets reach a command's environment in this backend, appear in no argument list there or here, and leave no
 * trace.
 */
export async function givesSecrets(terminal: Terminal): Promise<void> {
  let output: string;
  let here: readonly string[] = [];
  {
    await using given = await giveVariables({ DOOR_KEY: KEY, DOOR_LINES: LINES }, terminal);
    assert.ok(!given.take.includes("wander") && !given.take.includes("second"));
    const onOutput = (text: string) =>
      void (
        text.includes("in arguments") &&
        (here = argumentLists().filter((words) => words.includes(KEY) || words.includes(LINES)))
      );
    ({ output } = await terminal.run(`${given.take}${LOOKS}`, { signal, timeoutMs: 120_000, beside: true, onOutput }));
  }
  assert.equal(output, `[${KEY}][${LINES}]\nin arguments: 0\n`);
  assert.deepEqual(here, []);
  assert.equal(
    (
      await terminal.run(
        'echo "left: $DOOR_KEY$DOOR_LINES"; for ((n = 0; n < 100; n++)); do ls -d "${TMPDIR:-/tmp}"/hermes-env-* >/dev/null 2>&1 || break; sleep 0.1; done; ls -d "${TMPDIR:-/tmp}"/hermes-env-* 2>/dev/null',
        { signal, timeoutMs: 60_000 },
      )
    ).output,
    "left: \n",
  );
}

function argumentLists(): readonly string[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        return [readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ")];
      } catch {
        return []; // It has ended in the meantime.
      }
    });
}
