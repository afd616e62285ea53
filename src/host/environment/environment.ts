import { readFileSync, statSync } from "node:fs";
import type { Notice } from "../../contract/common/notice.ts";
import { UserError } from "../../contract/common/failure.ts";
import { systemReason } from "../../contract/common/system-reason.ts";
import { writeAtomically } from "../config/write-atomically.ts";
import { withFileLock } from "../config/file-lock.ts";
import { formatLine, parseEnvFile, type EnvFile } from "./env-file.ts";
import type { Home } from "./home.ts";
import { KEYCHAIN, readKeychain } from "./keychain.ts";
import { secretValuesOf } from "./secrets.ts";
import { decodeStored, encodeStored, NEW_TEXT, type StoredText } from "./stored-text.ts";

type Variables = { readonly [name: string]: string | undefined };

/**
 * Variables of the process and of `<home>/.env`. The process wins; what the file says is never written into the
 * process.
 */
export interface EnvironmentVariables {
  readonly file: string;
  /** `undefined` when unset or empty. */
  get(name: string): string | undefined;
  source(name: string): "process" | "file" | undefined;
  /** Writes `.env` (mode 0600), keeping its other lines. */
  set(name: string, value: string): Promise<void>;
  unset(name: string): Promise<boolean>;
  /** Later reads see the current file. */
  refresh(): void;
  /** Every value that must not be shown, longest first. */
  secretValues(): readonly string[];
  /** Names of all variables, set or empty. */
  names(): readonly string[];
  /**
   * The environment of a child process: a short list that programs need, and declared variables. Never an undeclared
   * secret.
   */
  childEnvironment(declared: readonly string[]): { [name: string]: string };
  /** Lines of `.env` that cannot be read, each with its place. */
  readonly notices: readonly Notice[];
}

export function openEnvironment(options: { readonly home: Home; readonly process: Variables }): EnvironmentVariables {
  return new Environment(options.home, options.process);
}

/** Variables that ordinary programs need, and none that could contain a secret or load code. */
const FOR_CHILDREN = new Set([
  "PATH",
  "HOME",
  "LANG",
  "LANGUAGE",
  "TERM",
  "COLORTERM",
  "TMPDIR",
  "TMP",
  "TEMP",
  "USER",
  "LOGNAME",
  "SHELL",
  "TZ",
  "HOSTNAME",
  "NO_COLOR",
  "SYSTEMROOT",
  "COMSPEC",
  "PATHEXT",
  "WINDIR",
]);
const FOR_CHILDREN_BY_PREFIX = ["LC_", "XDG_"];

/** The session bus, through which the keychain is reached. */
const KEYCHAIN_NEEDS = ["DBUS_SESSION_BUS_ADDRESS", "DISPLAY", "WAYLAND_DISPLAY"];

/** Reports unreadable lines one by one, up to a readable number. */
const LINES_SHOWN = 3;
const LINE_HINT = "Write NAME=value; quotes are optional.";

class Environment implements EnvironmentVariables {
  readonly file: string;
  readonly #home: Home;
  readonly #process: Variables;
  #parsed: EnvFile | undefined;
  /** Why nothing could be read from the file. */
  #unreadable: string | undefined;
  #secrets: readonly string[] | undefined;
  /** Values of the keychain, by account; each is requested once, when it is first needed. */
  readonly #unlocked = new Map<string, string | undefined>();

  constructor(home: Home, process: Variables) {
    this.#home = home;
    this.#process = process;
    this.file = home.file(".env");
  }

  get(name: string): string | undefined {
    const message = this.#process[name] || this.#fromFile().values.get(name) || undefined;
    return message?.startsWith(KEYCHAIN) ? this.#fromKeychain(message.slice(KEYCHAIN.length) || name) : message;
  }

  source(name: string): "process" | "file" | undefined {
    if (this.#process[name]) return "process";
    return this.#fromFile().values.get(name) ? "file" : undefined;
  }

  #fromKeychain(account: string): string | undefined {
    if (!this.#unlocked.has(account)) {
      this.#unlocked.set(account, readKeychain(account, this.childEnvironment(KEYCHAIN_NEEDS)));
      this.#secrets = undefined;
    }
    return this.#unlocked.get(account);
  }

  async set(name: string, value: string): Promise<void> {
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name))
      throw new UserError(`"${name}" is not a valid name of an environment variable.`, {
        hint: "Use letters, digits and _, and do not begin with a digit.",
        exitCode: 2,
      });
    await this.#rewrite(name, formatLine(name, value));
  }

  async unset(name: string): Promise<boolean> {
    if (!this.#fromFile().linesOf.has(name)) return false;
    await this.#rewrite(name, undefined);
    return true;
  }

  refresh(): void {
    this.#parsed = undefined;
    this.#secrets = undefined;
    // The user may have unlocked it meanwhile.
    for (const [account, value] of this.#unlocked) if (value === undefined) this.#unlocked.delete(account);
  }

  secretValues(): readonly string[] {
    if (this.#secrets !== undefined) return this.#secrets; // Every line that is logged or shown asks.
    // Keychain values must be known for masking before a tool or a model can output them.
    for (const [name, value] of this.#fromFile().values) if (value.startsWith(KEYCHAIN)) this.get(name);
    // Every keychain value is a secret, whatever its variable is called.
    const unlocked = [...this.#unlocked.values()].map((value) => ["SECRET", value] as const);
    this.#secrets ??= secretValuesOf(
      [...Object.entries(this.#process), ...this.#fromFile().values, ...unlocked].filter(
        ([, value]) => !value?.startsWith(KEYCHAIN),
      ),
    );
    return this.#secrets;
  }

  names(): readonly string[] {
    return [...new Set([...Object.keys(this.#process), ...this.#fromFile().values.keys()])];
  }

  childEnvironment(declared: readonly string[]): { [name: string]: string } {
    const child: { [name: string]: string } = {};
    for (const [name, value] of Object.entries(this.#process)) {
      if (
        value !== undefined &&
        (FOR_CHILDREN.has(name) || FOR_CHILDREN_BY_PREFIX.some((prefix) => name.startsWith(prefix)))
      )
        child[name] = value;
    }
    for (const name of declared) {
      const value = this.get(name);
      if (value !== undefined) child[name] = value;
    }
    return child;
  }

  get notices(): readonly Notice[] {
    const there = statSync(this.file, { throwIfNoEntry: false });
    const open: readonly Notice[] =
      process.platform !== "win32" && there?.isFile() && (there.mode & 0o077) !== 0
        ? [
            {
              level: "warning",
              text: `other users of this machine can read ${this.file}`,
              hint: `chmod 600 ${this.file}`,
            },
          ]
        : [];
    return [...this.#problems(), ...open];
  }

  #problems(): readonly Notice[] {
    const { problems } = this.#fromFile();
    if (this.#unreadable !== undefined)
      return [
        {
          level: "error",
          text: `${this.file} cannot be read: ${this.#unreadable}`,
          hint: "Make it a file that you can read; until then Hermes ignores its variables.",
        },
      ];
    const message = problems
      .slice(0, LINES_SHOWN)
      .map(({ line, text }): Notice => ({ level: "error", text: `${this.file}:${line}: ${text}`, hint: LINE_HINT }));
    const more = problems.length - message.length;
    return more === 0
      ? message
      : [
          ...message,
          {
            level: "error",
            text: `${this.file}: ${more} more ${more === 1 ? "line" : "lines"} have the same problem. Is it a file of variables?`,
          },
        ];
  }

  /**
   * The assignment that counts becomes this line, or the last line. Earlier ones go: once the last is gone, they would
   * count again.
   */
  async #rewrite(name: string, line: string | undefined): Promise<void> {
    this.#home.folder();
    await withFileLock(this.file, () => {
      // Read inside the lock: another process may have added a line since.
      const { text, encoding } = readText(this.file);
      const spans = parseEnvFile(text).linesOf.get(name) ?? [];
      const lines = text === "" ? [] : text.replace(/\n$/, "").split("\n");
      const counting = spans.at(-1)?.first ?? lines.length;
      const saved = lines.filter((_, at) => !spans.some(({ first, last }) => at >= first && at <= last));
      const before = counting - spans.slice(0, -1).reduce((sum, { first, last }) => sum + last - first + 1, 0);
      const next = line === undefined ? saved : saved.toSpliced(before, 0, line);
      const changed = next.length === 0 ? "" : `${next.join("\n")}\n`;
      writeAtomically(this.file, encodeStored(changed, encoding, this.file));
    });
    this.refresh();
  }

  #fromFile(): EnvFile {
    this.#parsed ??= this.#read();
    return this.#parsed;
  }

  #read(): EnvFile {
    this.#unreadable = undefined;
    try {
      return parseEnvFile(readText(this.file).text);
    } catch (error) {
      // Not a regular file, or another user's: variables of the process still apply, and the notice explains the
      // rest.
      this.#unreadable = systemReason(error) ?? String(error);
      return parseEnvFile("");
    }
  }
}

function readText(file: string): StoredText {
  if (statSync(file, { throwIfNoEntry: false }) === undefined) return NEW_TEXT;
  return decodeStored(readFileSync(file), file);
}
