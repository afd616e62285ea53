import { execFile, spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import type { RecordedRequest, ScriptedReply } from "../../servers/script.ts";
import type { NewUser } from "./test-user.ts";
import { waitFor } from "../../../src/testing/wait-for.ts";

const run = promisify(execFile);
const root = join(import.meta.dirname, "../../..");

/** Why terminal tests cannot run here, or `false`; `test({ skip })` prints it. */
export const NO_TMUX: string | false =
  spawnSync("tmux", ["-V"]).status === 0 ? false : "tmux is not installed: a terminal cannot be driven here";

/** The end of the banner: the session accepts input. */
export const READY = /Ctrl-D exits/;

let made = 0;

/** Plays the reply that a keyword in the last message selects, so that a test reads like the conversation. */
export function obliging(replies: {
  readonly [word: string]: ScriptedReply;
}): (request: RecordedRequest) => ScriptedReply {
  return ({ body }) => {
    const { messages } = JSON.parse(body) as { messages: readonly { role: string; content: unknown }[] };
    const last = messages.at(-1);
    if (last?.role === "tool") return { text: "I have seen the result." };
    const text =
      JSON.stringify(last?.content ?? "")
        .split("\\n\\n")
        .at(-1) ?? "";
    const word = Object.keys(replies).findLast((each) => text.includes(each));
    return (word === undefined ? undefined : replies[word]) ?? { text: "Yes?" };
  };
}

/**
 * A real terminal (tmux on a separate socket) in which a user has started `hermes`. Disposal closes it and everything
 * in it.
 */
export class UserTerminal implements AsyncDisposable {
  readonly #socket: string;
  /** Where tmux creates the socket: it is deleted with the user's home. */
  readonly #home: string;

  private constructor(socket: string, home: string) {
    this.#socket = socket;
    this.#home = home;
  }

  /**
   * Runs `hermes ARGS`. When it ends, the screen shows `[ended STATUS]` and the state of the terminal. Its output goes
   * to the file `into`, if given.
   */
  static async open(
    user: NewUser,
    args: readonly string[] = [],
    options: {
      readonly columns?: number;
      readonly rows?: number;
      readonly env?: { readonly [name: string]: string };
      readonly main?: string;
      readonly into?: string;
      /** Like `into`, for its errors and notes. */
      readonly errorsInto?: string;
      /** An interactive shell instead: it runs hermes as `$HERMES`, which is not quoted. */
      readonly shell?: boolean;
    } = {},
  ): Promise<UserTerminal> {
    const terminal = new UserTerminal(`hermes-test-${process.pid}-${++made}`, user.home);
    const { columns = 100, rows = 32, env = {}, main = "src/main.ts", into, errorsInto, shell = false } = options;
    const program = [process.execPath, "--conditions=hermes-source", join(root, main), ...args];
    const variables = {
      PATH: process.env["PATH"] ?? "",
      HOME: user.home,
      TERM: "tmux-256color",
      LANG: "C.UTF-8",
      HERMES_NOTICES: "always",
      ...(shell ? { HERMES: program.join(" "), PS1: "shell> " } : {}),
      ...env,
    };
    const command =
      program.map(quote).join(" ") +
      (into === undefined ? "" : ` > ${quote(into)}`) +
      (errorsInto === undefined ? "" : ` 2> ${quote(errorsInto)}`);
    const script = shell
      ? "exec bash --norc --noprofile -i"
      : `${command}; echo "[ended $?]"; stty -a | grep -oE -- '-?(icanon|echo) ' | tr -d '\\n'; exec sleep 600`;
    await terminal.#tmux(
      "-f",
      "/dev/null",
      "new-session",
      "-d",
      "-x",
      String(columns),
      "-y",
      String(rows),
      "-c",
      user.folder,
      "env",
      "-i",
      ...Object.entries(variables).map(([name, value]) => `${name}=${value}`),
      "sh",
      "-c",
      script,
      ";",
      "set",
      "-g",
      "status",
      "off",
      ";",
      "set",
      "-g",
      "escape-time",
      "0",
    );
    return terminal;
  }

  /** The current screen, without trailing spaces. */
  async screen(options: { readonly scrollback?: boolean; readonly colours?: boolean } = {}): Promise<string> {
    const { stdout } = await this.#tmux(
      "capture-pane",
      "-p",
      ...(options.scrollback ? ["-S", "-"] : []),
      ...(options.colours ? ["-e", "-N"] : []),
    );
    return stdout.replaceAll(/ +$/gm, "");
  }

  /** Waits until the screen matches, and returns it. Fails if it never does. */
  async until(fits: RegExp | ((screen: string) => boolean)): Promise<string> {
    let screen = "";
    await waitFor(
      async () => {
        screen = await this.screen();
        return typeof fits === "function" ? fits(screen) : fits.test(screen);
      },
      { what: `the screen fits ${String(fits)}`, state: () => screen },
    );
    return screen;
  }

  /** Types text literally. */
  async type(text: string): Promise<void> {
    await this.#tmux("send-keys", "-l", "--", text);
  }

  /** Presses keys by tmux's names: `Enter`, `Escape`, `C-c`, `Up`. */
  async press(...keys: readonly string[]): Promise<void> {
    await this.#tmux("send-keys", ...keys);
  }

  /** Sends bytes as a terminal would, all at once; numbers are pauses in milliseconds. */
  async send(...steps: readonly (string | number)[]): Promise<void> {
    for (const step of steps)
      if (typeof step === "number") await sleep(step);
      else
        await this.#tmux(
          "send-keys",
          "-H",
          ...[...Buffer.from(step)].map((byte) => byte.toString(16).padStart(2, "0")),
        );
  }

  /** Everything the program writes from now on, as it writes it. */
  async record(): Promise<() => string> {
    const file = join(this.#home, `output-${made}`);
    writeFileSync(file, "");
    await this.#tmux("pipe-pane", `cat >> ${quote(file)}`);
    return () => readFileSync(file, "utf8");
  }

  /** The title of the window. */
  async title(): Promise<string> {
    return (await this.#tmux("display-message", "-p", "#{pane_title}")).stdout.trim();
  }

  /** Types a line and sends it. */
  async say(text: string): Promise<void> {
    await this.type(text);
    await this.until((screen) => screen.replaceAll(/\s/g, "").includes(text.slice(-20).replaceAll(/\s/g, "")));
    await this.press("Enter");
  }

  /** Pastes as terminals do, with bracketed paste. */
  async paste(text: string): Promise<void> {
    await this.#tmux("set-buffer", "--", text);
    await this.#tmux("paste-buffer", "-p", "-r");
  }

  async resize(columns: number, rows: number): Promise<void> {
    await this.#tmux("resize-window", "-x", String(columns), "-y", String(rows));
  }

  /** The state of the terminal after the program: cursor shown, no bracketed paste, no mouse, main screen. */
  async modes(): Promise<string> {
    return (
      await this.#tmux(
        "display-message",
        "-p",
        "cursor=#{cursor_flag} mouse=#{mouse_any_flag} alternate=#{alternate_on} keypad=#{keypad_flag}",
      )
    ).stdout.trim();
  }

  /** The process id of `hermes` itself. */
  async pid(): Promise<number> {
    const shell = (await this.#tmux("display-message", "-p", "#{pane_pid}")).stdout.trim();
    return Number((await run("ps", ["-o", "pid=", "--ppid", shell])).stdout.trim().split("\n")[0]);
  }

  /** Its programs have ended by then, so nothing writes to the user's folders. */
  async [Symbol.asyncDispose](): Promise<void> {
    const pid = await this.pid().catch(() => 0);
    await this.#tmux("kill-server").catch(() => {}); // It has already ended, as wanted.
    await waitFor(() => !runs(pid), { what: `process ${pid} of the terminal ends` });
  }

  #tmux(...args: readonly string[]): Promise<{ readonly stdout: string }> {
    return run("tmux", ["-L", this.#socket, ...args], {
      maxBuffer: 1 << 26,
      env: { ...process.env, TMUX_TMPDIR: this.#home },
    });
  }
}

/** A zombie does not count as running. */
export function runs(pid: number): boolean {
  const { stdout } = spawnSync("ps", ["-o", "stat=", "-p", String(pid)], { encoding: "utf8" });
  return stdout.trim() !== "" && !stdout.trim().startsWith("Z");
}

function quote(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
