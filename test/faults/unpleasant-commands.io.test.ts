import assert from "node:assert/strict";
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { lacksProgram } from "../../src/testing/lacks-program.ts";
import { LocalBackend } from "../../plugins/terminal-local/local-backend.ts";
import { quietLog } from "../../src/testing/index.ts";

/** A string or pattern of its output; its exit code. */
type Row = readonly [command: string, says: string | RegExp, exitCode: number];

const ROWS: readonly Row[] = [
  ['read x; echo "[$x] $?"', "[] 1\n", 0],
  ["cat; cat -; bash; sh; tee made", "", 0],
  ["select x in a b; do echo $x; break; done", /^1\) a\n2\) b\n/, 1],
  ["rm -i kept; cp -i kept made; ls kept", /kept\n$/, 0],
  ...(lacksProgram("less") === false ? [["less kept", "kept\n", 0] as const] : []),
  ["yes | head -2", "y\ny\n", 0],
  ["printf '%s' \"no line end\"", "no line end", 0],
  ["head -c 300000 /dev/zero | tr '\\0' x | wc -c", /^300000\n$/, 0],
  ["printf 'a\\0b\\n'", "a\0b\n", 0],
  ["exec bash", "", 0],
  ["exec bash -c 'echo replaced; exit 5'", "replaced\n", 5],
  ["exec >/dev/null; echo gone", "", 0],
  ["exec 1>&-; echo x", /write error/, 1],
  ["exec 0<&-; cat", /Bad file descriptor/, 1],
  ["exit 3", "", 3],
  ["set -e; false; echo not reached", "", 1],
  ["set -u; echo $UNDEFINED; echo not reached", /unbound variable/, 1],
  ["set -o pipefail; false | true", "", 1],
  ["return 4; echo on", /can only[^]*\non\n$/, 0],
  ["break; continue; echo on", /on\n$/, 0],
  ["trap 'echo failed' ERR; false; trap - ERR; false; echo on", "failed\non\n", 0],
  ["trap 'echo step' DEBUG; :; trap - DEBUG", /^step\n/, 0],
  ["trap 'echo bye' EXIT; echo in", "in\nbye\n", 0],
  ["kill -9 $$", "", 137],
  ["kill -INT $$; echo not reached", "", 130],
  ["kill $$; echo not reached", "", 143],
  ["trap 'echo told' TERM; kill $$; trap - TERM; echo on", "told\non\n", 0],
  ["echo 'unclosed", /unexpected EOF/, 2],
  ["cat <<E\nit's \"quoted\nE", "it's \"quoted\n", 0],
  ["cat <<E\nno end", /no end\n$/, 0],
  ["if true; then", /syntax error/, 2],
  [")", /syntax error/, 2],
  ["unset PATH; ls", /No such file/, 127],
  ["PATH=/usr/local/bin:/usr/bin:/bin", "", 0],
  ["alias builtin=echo eval=false printf=false export=false cd=false command=false shopt=false", "", 0],
  ["exit 6", "", 6],
  ["unalias -a", "", 0],
  ["eval() { :; }; printf() { :; }; cd() { :; }; export() { :; }; exit() { :; }; true", "", 0],
  ["unset -f eval printf cd export exit", "", 0],
  ["IFS=,; unset IFS; echo a b", "a b\n", 0],
  ["declare -r FIXED=1; FIXED=2; echo not reached", /readonly variable/, 1],
  ["exit 0", "", 0],
  ["echo $FIXED; unset HOME; cd", /^1\n/, 1],
  ["BASH=/nowhere; BASH_ENV=/nowhere; PS1=x; PROMPT_COMMAND=false; HISTFILE=x; echo on", "on\n", 0],
  ["stty -a; tput clear; reset; true", /stty/, 0],
  ["printf 'echo with returns\\r\\n' >returns.sh; sh returns.sh", "with returns\r\n", 0],
  ["umask 777; touch sealed; umask 022; rm -f sealed", "", 0],
  ["ulimit -n 40; ls kept", "kept\n", 0],
  ["mkdir gone && cd gone && rmdir ../gone; pwd >/dev/null; cd ..", "", 0],
  ["coproc cat; echo hi >&${COPROC[1]}; read -r said <&${COPROC[0]}; kill $COPROC_PID; echo $said", "hi\n", 0],
  ["fg; bg; jobs; history; true", /no job control/, 0],
  ["(sleep 30 >/dev/null 2>&1 &); nohup sleep 30 >/dev/null 2>&1 & disown; echo left", "left\n", 0],
  ["f() { f; }; ulimit -s 256; (f) 2>/dev/null; echo $?", /1\d\d\n$/, 0],
  [`: ${"x".repeat(150_000)}; echo long`, "long\n", 0],
  ["echo ünï 漢字 🎉; printf '\\377\\376\\n' | od -An -tx1", "ünï 漢字 🎉\n ff fe 0a\n", 0],
  ["", "", 0],
  ["# nothing", "", 0],
];

// req: terminal.backend-local
test("whatever a command does to its shell, it gets a result, and the next command continues in its state", async (t) => {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), "unpleasant-")));
  t.after(() => rmSync(directory, { recursive: true, force: true }));
  await using backend = new LocalBackend({ auto_source_bashrc: false }, quietLog());
  const { signal } = new AbortController();
  const terminal = await backend.open({ key: "unpleasant", cwd: directory }, signal);
  await terminal.run("echo kept >kept; export KEPT=42", { signal, timeoutMs: 120_000 });
  for (const [command, says, exitCode] of ROWS) {
    const name = command.slice(0, 60);
    const result = await terminal.run(command, { signal, timeoutMs: 120_000 });
    assert.deepEqual(
      [name, result.endedBy === "signal" ? 137 : result.exitCode],
      [name, exitCode],
      result.output.slice(0, 300),
    );
    if (typeof says === "string") assert.equal(result.output, says, name);
    else assert.match(result.output, says, name);
    const next = await terminal.run('echo "$KEPT $PWD"', { signal, timeoutMs: 120_000 });
    assert.match(next.output, new RegExp(`^(step\\n)*42 ${directory}\\n$`), `after ${name}`);
  }
});
