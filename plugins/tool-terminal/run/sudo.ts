import { setTimeout as wait } from "node:timers/promises";
import { ToolFailure, type Terminal, type ToolContext } from "hermes-agent/plugin";
import type { CommandShape } from "./command-shape.ts";
import { firstLine } from "./first-line.ts";
import { plainText } from "hermes-agent/terminal";

const TRIES = 3;
const PROBE_MS = 20_000;
const GONE_MS = 2_000;
const FAILED = { output: "", exit_code: -1, status: "error", sudo_auth_failed: true };

// Answers sudo's password prompts while a command runs. The password comes through stdin and goes into a named pipe,
// once for each
// possible prompt; one read of its length takes one copy, even with concurrent readers. $1 is that length. `dd` is the
// system's, because sudo runs the askpass program with fewer rights than the caller's PATH may need.
const HELPER = `
d=$(mktemp -d "\${TMPDIR:-/tmp}/hermes-sudo-XXXXXXXXXX") || exit 1
mkfifo -m 600 "$d/answer" && exec 3<>"$d/answer" || exit 1
IFS= read -r password
for ((n = 0; n < 20; n++)); do printf '%s\\n' "$password" >&3; done
unset password
printf '#!/bin/sh\\ncommand -p dd bs=%d count=1 2>/dev/null <"\${0%%/*}/answer"\\n' "$1" >"$d/ask"
printf '#!/bin/sh\\nSUDO_ASKPASS="\${0%%/*}/ask" exec sudo -A "$@"\\n' >"$d/sudo"
chmod 700 "$d/ask" "$d/sudo"
printf '%s\\n' "$d"
read -r _
rm -rf -- "$d"
`;

/** A command whose `sudo` gets a password; disposed when it has ended. */
export interface AnsweredCommand extends AsyncDisposable {
  readonly command: string;
}

/**
 * Passwords for sudo: from the settings or from the user, once a session, in memory only. Never in a command, variable
 * or file.
 */
export class Sudo {
  /** By session and environment: a password for one machine is never sent to another. */
  readonly #passwords = new Map<string, Map<string, string>>();

  forget(sessionId: string | null): void {
    if (sessionId === null) this.#passwords.clear();
    else this.#passwords.delete(sessionId);
  }

  /** The command to run; unchanged if it needs no password, or none would help. */
  async answered(
    command: string,
    shape: CommandShape,
    call: ToolContext,
    terminal: Terminal,
    place: string,
  ): Promise<AnsweredCommand> {
    const asItIs: AnsweredCommand = { command, [Symbol.asyncDispose]: async () => {} };
    if (shape.sudo.length === 0 || !(await asksForPassword(terminal, call))) return asItIs;
    const password = await this.#password(command, call, terminal, place);
    const helper = await terminal.spawn(`set -- ${Buffer.byteLength(password) + 1}\n${HELPER}`, {
      maxOutputBytes: 1_000,
    });
    await helper.write(`${password}\n`);
    const folder = await firstLine(
      helper,
      () =>
        new ToolFailure("unavailable", "Cannot pass the password to sudo: no temporary directory could be created.", {
          data: FAILED,
        }),
    );
    const gone = async () => {
      await helper.end().catch(() => {});
      // Wait until its folder is removed, because the caller may end the shell right after this.
      await Promise.race([helper.ended, wait(GONE_MS, undefined, { ref: false })]);
    };
    return { command: withSudo(command, shape, `${folder}/sudo`), [Symbol.asyncDispose]: gone };
  }

  async #password(command: string, call: ToolContext, terminal: Terminal, place: string): Promise<string> {
    const ours = this.#passwords.get(call.sessionId) ?? new Map<string, string>();
    this.#passwords.set(call.sessionId, ours);
    const known = ours.get(place);
    if (known !== undefined && (await this.#accepted(known, call, terminal))) return known;
    ours.delete(place);
    const saved = (password: string): string => (ours.set(place, password), password);
    const configured = call.config("terminal.sudo_password");
    if (typeof configured === "string" && (await this.#accepted(configured, call, terminal))) return saved(configured);
    let complaint = typeof configured === "string" ? "sudo rejected the password of terminal.sudo_password. " : "";
    for (let tries = 0; tries < TRIES; tries += 1) {
      const password = await ask(`${complaint}Password for sudo (${place}), for this session: ${shown(command)}`, call);
      if (await this.#accepted(password, call, terminal)) return saved(password);
      complaint = "Wrong password, try again. ";
    }
    throw new ToolFailure("blocked", `sudo rejected the password ${TRIES} times. The command was not run.`, {
      hint: "Do it without sudo, or ask the user what to do.",
      data: FAILED,
    });
  }

  async #accepted(password: string, call: ToolContext, terminal: Terminal): Promise<boolean> {
    // Through stdin of a running process, because initial input may be in a file for a moment.
    const check = await terminal.spawn("LC_ALL=C exec sudo -k -S -v -p ''", { maxOutputBytes: 10_000 });
    using _ = onAbort(AbortSignal.any([call.signal, AbortSignal.timeout(PROBE_MS)]), () => void check.kill());
    await check.write(`${password}\n`).catch(() => {}); // It may end without reading.
    await check.end().catch(() => {});
    const { exitCode } = await check.ended;
    // If the password is correct but the user has no rights, the command itself reports it.
    return exitCode === 0 || /may not run sudo|not in the sudoers file|not allowed to/.test(check.output().text);
  }
}

/** False for root, if no password is needed, without sudo, and in a sandbox that prevents changing the user. */
async function asksForPassword(terminal: Terminal, call: ToolContext): Promise<boolean> {
  const { exitCode, output } = await terminal.run("LC_ALL=C command sudo -n true", {
    signal: call.signal,
    timeoutMs: PROBE_MS,
    beside: true,
  });
  return exitCode !== 0 && /(password|authentication) is required/.test(output);
}

async function ask(text: string, call: ToolContext): Promise<string> {
  const hint =
    "Ask the user to set SUDO_PASSWORD or terminal.sudo_password, or to allow sudo without a password (NOPASSWD); or do it without sudo.";
  const answer = await call.ask({ kind: "text", text, secret: true }).catch((cause: unknown) => {
    if (cause instanceof ToolFailure && cause.code === "nobody")
      throw new ToolFailure(
        "nobody",
        "sudo needs a password, and no user is connected who could enter it. The command was not run.",
        { hint, data: FAILED, cause },
      );
    throw cause;
  });
  if (answer.kind === "text" && answer.text !== "" && !/[\n\0]/.test(answer.text)) return answer.text;
  throw new ToolFailure("nobody", "sudo needs a password, and the user entered none. The command was not run.", {
    hint,
    data: FAILED,
  });
}

function onAbort(signal: AbortSignal, act: () => void): Disposable {
  signal.addEventListener("abort", act, { once: true });
  if (signal.aborted) act();
  return { [Symbol.dispose]: () => signal.removeEventListener("abort", act) };
}

/** Replaces each `sudo` by the wrapper that asks the helper. */
function withSudo(command: string, shape: CommandShape, path: string): string {
  return shape.sudo
    .toReversed()
    .reduce(
      (text, { from, to }) => `${text.slice(0, from)}'${path.replaceAll("'", "'\\''")}'${text.slice(to)}`,
      command,
    );
}

function shown(command: string): string {
  const line = plainText(command).replaceAll(/\s+/g, " ");
  return line.length > 120 ? `${line.slice(0, 120)}…` : line;
}
