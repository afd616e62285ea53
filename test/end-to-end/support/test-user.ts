import { spawn, type ChildProcess } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { withTimeout } from "../../../src/testing/wait-for.ts";

const root = join(import.meta.dirname, "../../..");
/** A whole run of the program, with a subprocess or an installation in it. */
const LONGEST_RUN_MS = 30_000;

export interface Ended {
  readonly status: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly out: string;
  readonly err: string;
}

/**
 * A user with an empty home and a working folder, who types commands. Disposal deletes both and ends their processes.
 */
export class NewUser implements Disposable {
  readonly home = mkdtempSync(join(tmpdir(), "hermes-home-"));
  readonly folder = mkdtempSync(join(tmpdir(), "hermes-work-"));
  readonly #env: { readonly [name: string]: string };
  readonly #children = new Set<ChildProcess>();

  constructor(env: { readonly [name: string]: string } = {}) {
    this.#env = env;
  }

  get agentHome(): string {
    return join(this.home, ".hermes");
  }

  /** A file of the working folder, or of `~/.hermes` if the path starts with `~/.hermes/`. */
  write(path: string, text: string): string {
    const file = path.startsWith("~/") ? join(this.home, path.slice(2)) : join(this.folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text, { mode: path.endsWith("/.env") ? 0o600 : 0o666 });
    return file;
  }

  /** Points the configuration at a model server. */
  connect(provider: "custom" | "anthropic", baseUrl: string, extra = ""): void {
    this.write(
      "~/.hermes/config.yaml",
      `model:\n  provider: ${provider}\n  default: loopback\n  base_url: ${baseUrl}\n${extra}`,
    );
    this.write(
      "~/.hermes/.env",
      provider === "anthropic" ? "ANTHROPIC_API_KEY=key-of-the-test\n" : "OPENAI_API_KEY=key-of-the-test\n",
    );
  }

  start(
    args: readonly string[],
    input?: string,
    main = join(root, "src/main.ts"),
    env: { readonly [name: string]: string } = {},
  ): ChildProcess {
    const child = spawn(process.execPath, ["--conditions=hermes-source", main, ...args], {
      cwd: this.folder,
      env: {
        PATH: process.env["PATH"],
        HOME: this.home,
        TERM: "dumb",
        LANG: "C.UTF-8",
        // Tests read notices in pipes, from every run.
        HERMES_NOTICES: "always",
        ...this.#env,
        ...env,
      },
      stdio: [input === undefined ? "ignore" : "pipe", "pipe", "pipe"],
    });
    this.#children.add(child);
    child.on("exit", () => this.#children.delete(child));
    if (input !== undefined && input !== "open") child.stdin?.end(input);
    return child;
  }

  /** @param env In addition to this user's environment. */
  async run(args: readonly string[], input?: string, env?: { readonly [name: string]: string }): Promise<Ended> {
    return ended(this.start(args, input, undefined, env));
  }

  /** The same commands, run with another copy of the program. */
  async runMain(main: string, args: readonly string[]): Promise<Ended> {
    return ended(this.start(args, undefined, main));
  }

  [Symbol.dispose](): void {
    for (const child of this.#children) child.kill("SIGKILL");
    // A process that was just killed may still write.
    for (const folder of [this.home, this.folder])
      rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  }
}

/** Waits until a process ends. If it hangs, kills it and fails the test with its output. */
export async function ended(child: ChildProcess, timeoutMs = LONGEST_RUN_MS): Promise<Ended> {
  let out = "";
  let err = "";
  child.stdout?.on("data", (text: Buffer) => (out += text.toString()));
  child.stderr?.on("data", (text: Buffer) => (err += text.toString()));
  const closed = new Promise<Ended>((resolve) =>
    child.on("close", (status, signal) => resolve({ status, signal, out, err })),
  );
  const command = child.spawnargs.slice(1, 8).join(" ");
  try {
    return await withTimeout(closed, { what: `this ends: ${command}`, timeoutMs, state: () => `${out}\n${err}` });
  } catch (error) {
    child.kill("SIGKILL");
    throw error;
  }
}
