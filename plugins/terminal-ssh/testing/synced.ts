import {
  type Dirent,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { JsonObject, Terminal } from "hermes-agent/plugin";
import type { SyncingAgent } from "hermes-agent/terminal";
import { SshBackend } from "../ssh-backend.ts";
import type { Sshd } from "./sshd.ts";

const { signal } = new AbortController();

/** A start directory, an agent's home and a folder on a host, for one test. */
export class Synced implements Disposable {
  readonly folder = mkdtempSync(join(tmpdir(), "hermes-sync-"));
  readonly here = join(this.folder, "here");
  readonly home = join(this.folder, "agent");
  /** On the host, which is this machine. */
  readonly there = join(this.folder, "there");
  readonly #host: Sshd;

  constructor(host: Sshd) {
    this.#host = host;
    for (const path of [this.here, this.home]) mkdirSync(path);
  }

  /** Opens a terminal there, uses it, and ends it as the agent does. */
  async with<T>(
    use: (terminal: Terminal, run: (command: string) => Promise<string>) => Promise<T>,
    more: JsonObject = {},
  ): Promise<T> {
    await using backend = this.backend(more);
    const terminal = await backend.open({ key: "task" }, signal);
    return await use(terminal, async (command) => (await terminal.run(command, { signal, timeoutMs: 120_000 })).output);
  }

  backend(more: JsonObject = {}): SshBackend {
    const { config, agent } = this.setUp(more);
    return new SshBackend(config, agent);
  }

  /** The options to create a backend with. */
  setUp(more: JsonObject = {}): { readonly config: JsonObject; readonly agent: SyncingAgent } {
    const config = this.#host.config({ sync_cwd_to_workspace: true, force_file_sync: true, cwd: this.there, ...more });
    return { config, agent: { home: this.home, startDirectory: this.here } };
  }

  write(path: string, text: string, mode = 0o644): void {
    mkdirSync(dirname(join(this.folder, path)), { recursive: true });
    writeFileSync(join(this.folder, path), text, { mode });
  }

  read(path: string): string | undefined {
    try {
      return readFileSync(join(this.folder, path), "utf8");
    } catch {
      return undefined;
    }
  }

  /** Every file below a folder, also while another process works in it. */
  files(path: string): readonly string[] {
    const found: string[] = [];
    const look = (below: string) => {
      const folder = join(this.folder, path, below);
      for (const entry of existsSync(folder) ? entriesOf(folder) : []) {
        if (entry.isDirectory()) look(join(below, entry.name));
        else found.push(join(below, entry.name));
      }
    };
    look("");
    return found.sort();
  }

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return []; // Moved away in the meantime.
  }
}
