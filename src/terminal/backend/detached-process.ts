import { TerminalUnavailable, type DetachedHandle, type Terminal } from "../../contract/providers/terminal.ts";
import { BORN, TREE } from "../shell/process-script.ts";
import { bytesWord } from "../shell/backend-script.ts";
import { quoted } from "../../contract/common/quoted.ts";

const LIMIT_MS = 10_000;
const LOOK_MS = 40;

/**
 * The state of a detached process: `gone` if nothing shows its end, because its environment was recreated or another
 * process killed all of it.
 */
export type DetachedState =
  | { readonly kind: "runs" }
  | { readonly kind: "ended"; readonly exitCode: number }
  | { readonly kind: "gone" };

/**
 * A process that was left in a place elsewhere, seen from a terminal there. Each method rejects with
 * `TerminalUnavailable` when the place does not do it.
 */
export class DetachedProcess {
  /** Where what it writes is kept; the part before that in the same name with `.1`. */
  readonly log: string;
  readonly #terminal: Terminal;
  readonly #grip: DetachedHandle;
  readonly #signal: AbortSignal;

  /** @param terminal Its own: a visit. @throws When the grip is none of ours. */
  constructor(terminal: Terminal, grip: DetachedHandle, signal: AbortSignal) {
    if (
      !/\/hermes-terminal-[0-9a-f]+$/.test(grip.folder) ||
      !/^[0-9a-f]+\.\d+\.$/.test(grip.mark) ||
      !Number.isInteger(grip.pid)
    )
      throw new Error("This is not a detached process.");
    this.#terminal = terminal;
    this.#grip = grip;
    this.#signal = signal;
    this.log = `${grip.folder}/log`;
  }

  async state(): Promise<DetachedState> {
    const answer = await this.#run(`
if [ -s "$h/exit" ]; then read -r c <"$h/exit"; echo "ended $c"
elif [ -r "$h/kept" ] && read -r p b <"$h/kept" && [ "$(born "$p")" = "$b" ]; then echo runs
else round; [ \${#run[@]} = 0 ] && echo gone || echo runs; fi`);
    const [, word, code] = /^(runs|gone|ended)(?: (\d+))?\n$/.exec(answer) ?? [];
    if (word === "ended" && code !== undefined) return { kind: "ended", exitCode: Number(code) };
    if (word !== "runs" && word !== "gone")
      throw new TerminalUnavailable(
        `The terminal backend sent an answer that cannot be read: ${answer.trim().slice(0, 200)}`,
      );
    return { kind: word };
  }

  /** Asks all of it to end, kills what has not ended after the grace, and waits until its end is written down. */
  async stop(graceMs: number): Promise<void> {
    await this.#run(
      `
n=${Math.ceil(graceMs / LOOK_MS)} signalled=" "
while round; [ \${#run[@]} -gt 0 ] && [ "$n" -gt 0 ]; do
  for p in "\${run[@]}"; do case $signalled in *" $p "*) ;; *) signalled="$signalled$p "; kill -TERM "$p"; kill -CONT "$p" ;; esac; done
  n=$((n - 1)); sleep 0.04 || sleep 1
done
for n in 1 2 3 4 5 6 7 8 9; do round; [ \${#run[@]} -gt 0 ] || break; kill -KILL "\${run[@]}"; sleep 0.02 || sleep 1; done
for n in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do [ ! -s "$h/exit" ] && [ -e "$h/kept" ] || break; sleep 0.05 || sleep 1; done`,
      graceMs,
    );
  }

  async write(text: string): Promise<void> {
    await this.#feed(`:${bytesWord(Buffer.from(text))}`);
  }

  async endInput(): Promise<void> {
    await this.#feed(".");
  }

  /** Takes its folder away. */
  async forget(): Promise<void> {
    await this.#run('[ ! -s "$h/exit" ] || rm -rf "$h"');
  }

  async #feed(word: string): Promise<void> {
    const id = this.#grip.mark.split(".")[1]!;
    const answer = await this.#run(
      `[ ! -s "$h/exit" ] && [ -p "$h/${id}.feed" ] && printf '%s\\n' ${word} 1<>"$h/${id}.feed" && echo taken`,
    );
    if (answer !== "taken\n") throw new TerminalUnavailable("The process accepts no more input: it has ended.");
  }

  async #run(script: string, moreMs = 0): Promise<string> {
    const { folder, mark, pid } = this.#grip;
    const known = `${BORN}${TREE}
round() {
  local r roots
  tree=(); marked 'HERMES_RUN=${mark}'
  [ -e "/proc/$$/stat" ] || tree=(${pid})
  roots=("\${tree[@]}"); for r in "\${roots[@]}"; do below "$r"; done
  living
}
h=${quoted(folder)}
`;
    const { endedBy, output, reason } = await this.#terminal.run(`{ ${known}${script}\n} 2>/dev/null`, {
      signal: this.#signal,
      timeoutMs: LIMIT_MS + moreMs,
    });
    if (endedBy !== "exit")
      throw new TerminalUnavailable(`The process's terminal backend does not answer (${reason ?? endedBy}).`);
    return output;
  }
}
