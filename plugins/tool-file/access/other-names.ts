import { join } from "node:path/posix";
import { credentialPaths, ToolFailure, type FileStat, type RiskContext, type TerminalFiles } from "hermes-agent/plugin";

/**
 * Maximum depth below a folder of credentials, and entries of one folder; a browser profile has its secrets near the
 * top.
 */
const MAX_DEPTH = 2;
const MAX_ENTRIES = 500;

/** Detects hard links to protected files. Created for each call, because files change. */
export class OtherNames {
  readonly #files: TerminalFiles;
  readonly #call: RiskContext;
  readonly #isProtected: (path: string) => boolean;
  #known: Promise<ReadonlyMap<string, string>> | undefined;

  constructor(files: TerminalFiles, call: RiskContext, isProtected: (path: string) => boolean) {
    this.#files = files;
    this.#call = call;
    this.#isProtected = isProtected;
  }

  /** The protected path of a hard-linked file, if it has one. */
  async protectedName({ identity }: FileStat): Promise<string | undefined> {
    return identity === undefined ? undefined : (await (this.#known ??= this.#look())).get(identity);
  }

  /** @throws {ToolFailure} `blocked` for a hard link to a protected file. */
  async refuse(opened: FileStat, path: string): Promise<void> {
    const name = await this.protectedName(opened);
    if (name !== undefined && name !== path)
      throw new ToolFailure("blocked", `${path} is a hard link to ${name}, which tools may not read.`);
  }

  /** Filters out paths that may not be shown; returns all if the environment provides no file identities. */
  async shown(paths: readonly string[]): Promise<ReadonlySet<string>> {
    if (this.#files.reportsIdentity !== true) return new Set(paths);
    const allowed = await Promise.all(
      paths.map(async (path) => {
        const stat = await this.#files.stat(path).catch(() => undefined);
        return stat === undefined || (await this.protectedName(stat)) === undefined ? path : undefined;
      }),
    );
    return new Set(allowed.filter((path) => path !== undefined));
  }

  async #look(): Promise<ReadonlyMap<string, string>> {
    const { home, agentHome, cwd } = this.#call;
    const found = new Map<string, string>();
    const look = async (path: string, depth: number): Promise<void> => {
      const stat = await this.#files.stat(path).catch(() => undefined);
      if (stat?.kind === "file" && stat.identity !== undefined && this.#isProtected(path))
        found.set(stat.identity, path);
      if (stat?.kind !== "directory" || depth > MAX_DEPTH) return;
      const entries = await this.#files.list(path).catch(() => []);
      await Promise.all(entries.slice(0, MAX_ENTRIES).map(({ name }) => look(join(path, name), depth + 1)));
    };
    await Promise.all([...credentialPaths(home), agentHome].map((path) => look(path, 0)));
    // In the project, only its top folder.
    await look(cwd, MAX_DEPTH);
    return found;
  }
}
