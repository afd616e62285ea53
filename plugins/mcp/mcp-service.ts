import { isDeepStrictEqual } from "node:util";
import type { AnyTool, Check, PluginContext } from "hermes-agent/plugin";
import { serverWays } from "./server/server-transports.ts";
import { driftOf, identityOf, isDrift, NO_DRIFT, readPin, type Drift, type Pin } from "./tools/pin.ts";
import type { Listing } from "./tools/list-tools.ts";
import { McpServer } from "./server/server.ts";
import { passes, readEntries, type ReadEntry, type ServerEntry } from "./server/server-entry.ts";
import { ServerLog } from "./server/server-log.ts";
import { ServerRequests } from "./server/server-requests.ts";
import { plainText } from "./tools/clean-definition.ts";
import { serverTools, type ToolPorts } from "./tools/server-tools.ts";
import { collisions, digestedName } from "./tools/tool-name.ts";

/** A server in use, and what the user accepted of it. */
export interface Known {
  readonly server: McpServer;
  pin: Pin | undefined;
  drift: Drift;
  /** The server's tools, resources and prompts at the last connection in this process. */
  latest: Listing | undefined;
  offered: readonly Disposable[];
}

/** After a failure, the next starts do not wait for that server. */
const UNWAITED_MS = 300_000;

/**
 * All servers of `mcp_servers`. The offer of a server at the first connection is stored (pinned), and sessions get this
 * offer whether the
 * server is connected or not, so a start does not wait for known servers. Later changes wait until the user accepts
 * them.
 */
export class McpService {
  readonly #ctx: PluginContext;
  readonly #log: ServerLog;
  readonly #known = new Map<string, Known>();
  #entries: readonly ReadEntry[] = [];
  /** Connection attempts that store their result when they end. */
  readonly #meeting = new Set<Promise<unknown>>();

  constructor(ctx: PluginContext) {
    this.#ctx = ctx;
    this.#log = new ServerLog(ctx.home, (text) => ctx.redact(text));
  }

  get entries(): readonly ReadEntry[] {
    return this.#entries;
  }

  get(name: string): Known | undefined {
    return this.#known.get(name);
  }

  /** Offers the pinned tools; connects to servers without a pin when the first session begins. */
  async start(): Promise<void> {
    await this.read();
    const wrong = this.#entries.flatMap((read) =>
      read.kind === "wrong" ? [`Cannot use the MCP server "${read.name}": ${read.reason}.`] : [],
    );
    for (const known of this.#known.values()) this.#offer(known);
    const unknown = [...this.#known.values()].filter(({ pin }) => pin === undefined);
    const recent = await Promise.all(unknown.map(async ({ server }) => this.#failedAt(server)));
    const awaited = unknown.filter((_, at) => Date.now() - (recent[at] ?? 0) > UNWAITED_MS);
    const others = unknown.filter((known) => !awaited.includes(known));
    if (wrong.length + unknown.length === 0) return;
    const seconds = Number(this.#ctx.setting("mcp_discovery_timeout") ?? 1.5);
    const work = async (): Promise<readonly string[]> => {
      // If they connect later, the next session gets their tools.
      for (const known of others) void this.#meet(known);
      const message = others.map(
        ({ server }) =>
          `The MCP server "${server.entry.name}" did not answer at the last attempt; continuing without it.`,
      );
      return [...wrong, ...message, ...(await Promise.all(awaited.map((known) => this.#meet(known)))).flat()];
    };
    const late = (): string => {
      const names = awaited
        .filter(({ pin, server }) => pin === undefined && server.state === "connecting")
        .map(({ server }) => server.entry.name);
      return `Still connecting to ${names.map((name) => `"${name}"`).join(", ")}; a later session gets the tools once it answers. To wait for it: hermes mcp test ${names[0] ?? "NAME"}`;
    };
    this.#ctx.registering(work, { patienceMs: seconds * 1000, late });
  }

  /** Reads the settings and the pins, without connecting or offering anything. */
  async read(): Promise<void> {
    this.#entries = readEntries(this.#ctx.config);
    for (const { server } of this.#known.values()) {
      const now = this.#entries.find((read) => read.kind === "server" && read.entry.name === server.entry.name);
      if (now?.kind !== "server" || !isDeepStrictEqual(now.entry, server.entry)) await this.#drop(server.entry.name);
    }
    for (const read of this.#entries) {
      if (read.kind !== "server" || this.#known.has(read.entry.name)) continue;
      const pin = readPin(await this.#ctx.storage.get(pinKey(read.entry.name)), identityOf(read.entry));
      this.#known.set(read.entry.name, this.#knownOf(read.entry, pin));
    }
  }

  /** `/reload-mcp`: reconnects to all servers with the current settings. */
  async reload(args: string): Promise<string> {
    const [word, only] = args.trim().split(/\s+/);
    if (word === "accept") return this.#acceptAll(only);
    if (word !== "" && word !== undefined)
      return `Usage: /reload-mcp or /reload-mcp accept [NAME]; not ${JSON.stringify(word)}.`;
    await this.close();
    this.#known.clear();
    await this.read();
    if (this.#known.size === 0)
      return this.#entries.length === 0
        ? "No MCP server is configured. Add one with: hermes mcp add NAME"
        : "All MCP servers are disabled.";
    const lines = await Promise.all(
      [...this.#known.values()].map(async (known) => {
        this.#offer(known);
        const trouble = await this.#meet(known);
        return trouble.length > 0 ? trouble.join("\n") : this.#line(known);
      }),
    );
    return [...lines, "Changes take effect after /new."].join("\n");
  }

  /** Accepts the current offer of a server. */
  async accept(known: Known): Promise<void> {
    if (known.latest === undefined) return;
    known.pin = pinOf(known.server.entry, known.latest);
    known.drift = NO_DRIFT;
    await this.#ctx.storage.set(pinKey(known.server.entry.name), known.pin as never);
    this.#offer(known);
  }

  /** A line for each server, without connecting. */
  async checks(): Promise<readonly Check[]> {
    return Promise.all(
      this.#entries.map(async (read): Promise<Check> => {
        if (read.kind === "off") return { name: `mcp ${read.name}`, ok: true, detail: "disabled" };
        if (read.kind === "wrong")
          return {
            name: `mcp ${read.name}`,
            ok: false,
            detail: read.reason,
            hint: `Fix mcp_servers.${read.name} with: hermes config edit`,
          };
        const { name } = read.entry;
        const known = this.#known.get(name)!;
        if (known.pin !== undefined)
          return {
            name: `mcp ${name}`,
            ok: true,
            detail: `${this.visible(known).length} of ${known.pin.tools.length} tools offered`,
          };
        const failed = (await this.#failedAt(known.server)) > 0;
        return {
          name: `mcp ${name}`,
          ok: !failed,
          detail: failed ? "did not answer at the last attempt" : "never connected",
          hint: failed ? `Check it with: hermes mcp test ${name}` : undefined,
        };
      }),
    );
  }

  async forget(name: string): Promise<void> {
    await this.#drop(name);
    await this.#ctx.storage.delete(pinKey(name));
    await this.#ctx.storage.delete(failedKey(name));
    const { TokenFiles } = await import("./sign-in/token-files.ts");
    new TokenFiles(this.#ctx.home, name).remove("tokens", "client", "meta");
  }

  async close(): Promise<void> {
    await Promise.all(
      [...this.#known.values()].map(async ({ server, offered }) => {
        for (const one of offered) one[Symbol.dispose]();
        await server.close();
      }),
    );
    await Promise.all(this.#meeting);
  }

  /** Its entry changed or is gone. */
  async #drop(name: string): Promise<void> {
    const known = this.#known.get(name);
    this.#known.delete(name);
    for (const one of known?.offered ?? []) one[Symbol.dispose]();
    await known?.server.close();
  }

  /** The server's own names of the tools that pass its filter. */
  visible(known: Known): readonly string[] {
    return (known.pin?.tools ?? []).flatMap(({ name }) => (passes(known.server.entry.filter, name) ? [name] : []));
  }

  async #acceptAll(only: string | undefined): Promise<string> {
    const wanted = [...this.#known.values()].filter(({ server, drift }) =>
      only === undefined ? isDrift(drift) : server.entry.name === only,
    );
    if (wanted.length === 0)
      return only === undefined ? "No server has changed its tools." : `There is no MCP server "${only}".`;
    for (const known of wanted) await this.accept(known);
    return `${wanted.map((known) => this.#line(known)).join("\n")}\nChanges take effect after /new.`;
  }

  /** Connects. @returns Problems, one sentence each. */
  #meet(known: Known): Promise<readonly string[]> {
    const meeting = this.#connected(known).finally(() => this.#meeting.delete(meeting));
    this.#meeting.add(meeting);
    return meeting;
  }

  async #connected(known: Known): Promise<readonly string[]> {
    const { name } = known.server.entry;
    try {
      await known.server.connect();
      await this.#ctx.storage.delete(failedKey(name));
      const { refused = [], tools = [] } = known.latest ?? {};
      return [
        ...refused.map((reason) => `Skipped from the MCP server "${name}": ${reason}.`),
        ...collisionLines(tools).map((line) => `${line} See: hermes mcp test ${name}`),
      ];
    } catch (cause) {
      if (known.pin === undefined) await this.#ctx.storage.set(failedKey(name), Date.now());
      if (known.server.closed) return []; // The agent ends or reads its settings again.
      return [cause instanceof Error ? cause.message : String(cause)];
    }
  }

  #knownOf(entry: ServerEntry, pin: Pin | undefined): Known {
    const ctx = this.#ctx;
    const server = new McpServer(entry, {
      log: ctx.log,
      version: ctx.version,
      ways: () => serverWays(entry, ctx, this.#log),
      requests: (call) =>
        new ServerRequests(entry, {
          call,
          llm: (request, signal) => ctx.llm(request, signal),
          now: () => performance.now(),
        }),
      now: () => performance.now(),
      listed: (listing) => this.#listed(known, listing),
    });
    const known: Known = { server, pin, drift: NO_DRIFT, latest: undefined, offered: [] };
    return known;
  }

  /**
   * The first offer counts as accepted, since the user has just added this server. Later changes need the user's
   * consent.
   */
  #listed(known: Known, listing: Listing): void {
    const { name, filter } = known.server.entry;
    known.latest = listing;
    if (known.pin === undefined) {
      this.accept(known).catch((cause: unknown) =>
        this.#ctx.log.error(`Cannot store what the MCP server "${name}" offers.`, { cause }),
      );
      return;
    }
    const before = driftText(known.drift);
    const all = driftOf(known.pin, listing.tools);
    const seen = (names: readonly string[]) => names.filter((tool) => passes(filter, tool));
    known.drift = { added: seen(all.added), changed: seen(all.changed), removed: seen(all.removed) };
    const now = driftText(known.drift);
    if (now !== "" && now !== before)
      this.#ctx.log.warning(
        `The MCP server "${name}" changed its tools since you accepted them (${now}). Review with: hermes mcp accept ${name}`,
      );
  }

  #offer(known: Known): void {
    for (const one of known.offered) one[Symbol.dispose]();
    const { entry } = known.server;
    if (known.pin === undefined) return;
    const taken = new Map(this.#ctx.tools().map(({ name, owner }) => [name, owner]));
    const ports: ToolPorts = { server: known.server, drift: () => known.drift };
    const offered: Disposable[] = [];
    for (const { original, tool: given } of serverTools(entry, known.pin, ports)) {
      const owner = taken.get(given.name);
      const tool = owner === undefined ? given : { ...given, name: digestedName(entry.name, original), aliases: [] };
      if (owner !== undefined)
        this.#ctx.log.warning(
          `The tool "${original}" of the MCP server "${entry.name}" is offered as ${tool.name}, because there already is a tool ${given.name}.`,
        );
      offered.push(this.#ctx.tool(withFreeAliases(tool, taken)));
      taken.set(tool.name, this.#ctx.id);
      for (const alias of tool.aliases ?? []) taken.set(alias, this.#ctx.id);
    }
    known.offered = offered;
  }

  #line(known: Known): string {
    const { entry } = known.server;
    const count = this.visible(known).length;
    return `${entry.name}: ${count} ${count === 1 ? "tool" : "tools"}${isDrift(known.drift) ? `; changed since you accepted it (${driftText(known.drift)}): /reload-mcp accept ${entry.name}` : ""}`;
  }

  async #failedAt({ entry }: McpServer): Promise<number> {
    const at = await this.#ctx.storage.get(failedKey(entry.name));
    return typeof at === "number" ? at : 0;
  }
}

/** Reports tools whose names differ only in characters that models cannot use. */
export function collisionLines(tools: Listing["tools"]): readonly string[] {
  return collisions(tools.map(({ name }) => name)).map(
    (group) =>
      `The tools ${group.map((tool) => `"${plainText(tool, 60)}"`).join(", ")} would have the same name for the model, so their names end in a digest.`,
  );
}

export function driftText({ added, changed, removed }: Drift): string {
  const part = (word: string, names: readonly string[]) =>
    names.length === 0
      ? []
      : [`${word} ${names.slice(0, 8).join(", ")}${names.length > 8 ? ` and ${names.length - 8} more` : ""}`];
  return [...part("changed:", changed), ...part("new:", added), ...part("gone:", removed)].join("; ");
}

function withFreeAliases(tool: AnyTool, taken: ReadonlyMap<string, string>): AnyTool {
  return { ...tool, aliases: (tool.aliases ?? []).filter((alias) => !taken.has(alias)) };
}

function pinOf(entry: ServerEntry, { tools, has }: Listing): Pin {
  return { server: identityOf(entry), tools, has };
}

function pinKey(name: string): string {
  return `pin:${name}`;
}

function failedKey(name: string): string {
  return `failed:${name}`;
}
