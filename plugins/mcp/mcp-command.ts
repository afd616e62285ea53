import { parseArgs, type ParseArgsOptionsConfig } from "node:util";
import {
  definedFields,
  ToolFailure,
  UserError,
  wrongWords,
  type CliIo,
  type Json,
  type JsonObject,
  type PluginContext,
} from "hermes-agent/plugin";
import { collisionLines, driftText, type Known, type McpService } from "./mcp-service.ts";
import { isDrift } from "./tools/pin.ts";
import { passes, readEntry, shownPlace, type ServerEntry } from "./server/server-entry.ts";
import { COMMANDS } from "./commands.ts";
import { plainText } from "./tools/clean-definition.ts";
import { offeredNames } from "./tools/server-tools.ts";

const HELP: { readonly [word: string]: string } = {
  "": COMMANDS,
  list: "Usage: hermes mcp list [--json]\n\nList the configured servers, their tools and pending changes, without connecting.\n",
  add: `Usage: hermes mcp add NAME --command PROGRAM [--env NAME=VALUE]... [--args ARGUMENT...]
       hermes mcp add NAME --url ADDRESS [--header NAME=VALUE]... [--auth oauth] [--transport sse]

  --env NAME=VALUE        environment variable for the program; '\${TOKEN}' takes the value from .env
  --header NAME=VALUE     header for every request; '\${TOKEN}' as above
  --connect-timeout S     timeout for connecting, in seconds
  --timeout S             timeout for one call, in seconds
  --include A,B           offer only these tools
  --exclude A,B           offer all tools except these
  --unchecked             add the server without connecting to it
  --json                  print JSON
  --args ARGUMENT...      arguments for the program; must come last
`,
  remove: "Usage: hermes mcp remove NAME\n\nRemove the server from config.yaml and delete what was stored about it.\n",
  test: "Usage: hermes mcp test NAME [--json]\n\nConnect to the server and list its tools. Fails if the server is unreachable.\n",
  configure:
    "Usage: hermes mcp configure NAME [--include A,B | --exclude A,B | --all] [--json]\n\nChoose which of the server's tools to offer; without an option, show them. Use the server's own tool names; * matches any text.\n",
  accept:
    "Usage: hermes mcp accept NAME [--yes] [--json]\n\nShow what the server changed since you accepted it. --yes accepts the changes.\n",
  login:
    "Usage: hermes mcp login NAME [--json]\n\nSign in to a server with auth: oauth, also to replace an earlier sign-in.\n",
};
const OTHER_NAMES: { readonly [word: string]: string } = {
  ls: "list",
  rm: "remove",
  config: "configure",
  reauth: "login",
};
const ABSENT: { readonly [word: string]: string } = {
  serve: "This version of Hermes cannot act as an MCP server.",
  picker: "This version has no server catalogue. Add a server with: hermes mcp add NAME",
  catalog: "This version has no server catalogue. Add a server with: hermes mcp add NAME",
  install: "This version has no server catalogue. Add a server with: hermes mcp add NAME",
};

/** `hermes mcp …`. @returns the exit status. */
export async function mcpCommand(
  service: McpService,
  ctx: PluginContext,
  words: readonly string[],
  io: CliIo,
): Promise<number> {
  const [first = "list", ...rest] = words;
  const help = first === "--help" || first === "-h" || first === "help";
  const word = OTHER_NAMES[first] ?? first;
  if (help) return say(io, HELP[OTHER_NAMES[rest[0] ?? ""] ?? rest[0] ?? ""] ?? HELP[""]!);
  if (Object.hasOwn(ABSENT, word)) throw new UserError(ABSENT[word]!, { exitCode: 2 });
  if (!Object.hasOwn(HELP, word))
    throw new UserError(`Unknown command "hermes mcp ${first}".`, {
      hint: `Commands: ${Object.keys(HELP)
        .filter((name) => name !== "")
        .join(", ")}.`,
      exitCode: 2,
    });
  const { options, names, args } = read(word, rest);
  if (options["help"] === true) return say(io, HELP[word]!);
  if (names.length !== (word === "list" ? 0 : 1))
    throw new UserError(
      word === "list" ? "hermes mcp list takes no name." : `hermes mcp ${word} needs the name of one server.`,
      { hint: `\`hermes mcp ${word} --help\` shows the usage.`, exitCode: 2 },
    );
  await service.read();
  const command = new McpCommand(service, ctx, io, options);
  if (word === "list") return command.list();
  const [name] = names as [string];
  if (word === "add") return command.add(name, args);
  if (word === "remove") return command.remove(name);
  if (word === "test") return command.test(name);
  if (word === "login") return command.login(name);
  return word === "accept" ? command.accept(name) : command.configure(name);
}

type Options = { readonly [name: string]: string | boolean | readonly string[] | undefined };

const TEXT = { type: "string" } as const;
const FLAG = { type: "boolean" } as const;
const TAKES: { readonly [word: string]: ParseArgsOptionsConfig } = {
  add: {
    command: TEXT,
    url: TEXT,
    transport: TEXT,
    auth: TEXT,
    env: { type: "string", multiple: true },
    header: { type: "string", multiple: true },
    "connect-timeout": TEXT,
    timeout: TEXT,
    include: TEXT,
    exclude: TEXT,
    unchecked: FLAG,
  },
  configure: { include: TEXT, exclude: TEXT, all: FLAG },
  accept: { yes: { type: "boolean", short: "y" } },
};

function read(
  word: string,
  words: readonly string[],
): { readonly options: Options; readonly names: readonly string[]; readonly args: readonly string[] } {
  const at = word === "add" ? words.indexOf("--args") : -1;
  try {
    const { values, positionals } = parseArgs({
      args: [...(at < 0 ? words : words.slice(0, at))],
      options: { ...TAKES[word], json: FLAG, help: { type: "boolean", short: "h" } },
      allowPositionals: true,
    });
    return { options: values as Options, names: positionals, args: at < 0 ? [] : words.slice(at + 1) };
  } catch (cause) {
    throw wrongWords(`hermes mcp ${word}`, cause);
  }
}

class McpCommand {
  readonly #service: McpService;
  readonly #ctx: PluginContext;
  readonly #io: CliIo;
  readonly #options: Options;

  constructor(service: McpService, ctx: PluginContext, io: CliIo, options: Options) {
    this.#service = service;
    this.#ctx = ctx;
    this.#io = io;
    this.#options = options;
  }

  list(): number {
    const rows = this.#service.entries.map((read) => {
      const name = read.kind === "server" ? read.entry.name : read.name;
      if (read.kind === "off") return { name, state: "off" as const };
      if (read.kind === "wrong") return { name, state: "wrong" as const, reason: read.reason };
      const known = this.#service.get(name)!;
      const place = this.#ctx.redact(shownPlace(read.entry));
      return known.pin === undefined
        ? { name, place, state: "never connected" as const }
        : { name, place, state: "known" as const, tools: this.#service.visible(known), of: known.pin.tools.length };
    });
    if (this.#options["json"] === true) return this.#json({ servers: rows });
    if (rows.length === 0)
      return say(
        this.#io,
        "No MCP server is configured. Add one with: hermes mcp add NAME --command PROGRAM (or --url ADDRESS)\n",
      );
    const words = rows.map((row) => {
      switch (row.state) {
        case "off":
          return [row.name, "disabled"];
        case "wrong":
          return [row.name, `skipped: ${row.reason}`];
        case "never connected":
          return [row.name, "never connected", row.place];
        case "known":
          return [
            row.name,
            row.tools.length === row.of ? `${row.of} tools` : `${row.tools.length} of ${row.of} tools`,
            row.place,
          ];
      }
    });
    const width = (column: number): number => Math.max(...words.map((row) => row[column]?.length ?? 0));
    return say(
      this.#io,
      `${words.map(([name = "", state = "", place = ""]) => `${name.padEnd(width(0))}  ${state.padEnd(width(1))}  ${place}`.trimEnd()).join("\n")}\n`,
    );
  }

  async add(name: string, args: readonly string[]): Promise<number> {
    if (this.#service.entries.some((read) => (read.kind === "server" ? read.entry.name : read.name) === name))
      throw new UserError(`An MCP server "${name}" already exists.`, {
        hint: `Remove it first with: hermes mcp remove ${name}`,
        exitCode: 2,
      });
    const value = this.#entryFromWords(args);
    const read = readEntry(name, value);
    if (read.kind !== "server")
      throw new UserError(
        `Cannot add the MCP server "${name}": ${read.kind === "wrong" ? read.reason : "it is disabled"}.`,
        { hint: "Run: hermes mcp add --help", exitCode: 2 },
      );
    await this.#ctx.saveConfig(name, value);
    if (read.entry.place.kind === "http" && read.entry.place.oauth !== undefined) {
      await this.#service.read();
      return this.login(name);
    }
    if (this.#options["unchecked"] === true)
      return this.#options["json"] === true
        ? this.#json({ name, added: true })
        : say(this.#io, `Added "${name}". Hermes connects to it when the next session starts.\n`);
    await this.#service.read();
    const known = this.#known(name);
    try {
      await known.server.connect();
    } catch (cause) {
      await this.#ctx.saveConfig(name, undefined);
      await this.#service.forget(name);
      throw new UserError(`${cause instanceof Error ? cause.message : String(cause)} The server was not added.`, {
        hint: "Use --unchecked to add it without connecting.",
        cause,
      });
    }
    await this.#service.accept(known);
    if (this.#options["json"] === true) return this.#json({ name, added: true, ...this.#toolsOf(known) });
    this.#report(known);
    return say(this.#io, `Added "${name}". New sessions get its tools.\n`);
  }

  async remove(name: string): Promise<number> {
    const there = this.#service.entries.some((read) => (read.kind === "server" ? read.entry.name : read.name) === name);
    if (!there) throw this.#unknown(name);
    await this.#ctx.saveConfig(name, undefined);
    await this.#service.forget(name);
    return this.#options["json"] === true ? this.#json({ name, removed: true }) : say(this.#io, `Removed "${name}".\n`);
  }

  async test(name: string): Promise<number> {
    const known = this.#known(name);
    const began = performance.now();
    try {
      await this.#connect(known);
    } catch (cause) {
      if (this.#options["json"] !== true) throw cause;
      this.#json({ name, ok: false, error: cause instanceof Error ? cause.message : String(cause) });
      return 1;
    }
    const ms = Math.round(performance.now() - began);
    if (this.#options["json"] === true)
      return this.#json({
        name,
        ok: true,
        ms,
        ...this.#toolsOf(known),
        ...definedFields({ changed: isDrift(known.drift) ? (known.drift as unknown as Json) : undefined }),
      });
    this.#report(known);
    if (isDrift(known.drift))
      this.#io.out(
        `Changed since you accepted it (${driftText(known.drift)}). Review with: hermes mcp accept ${name}\n`,
      );
    return say(this.#io, `Connected to "${name}" in ${ms} ms.\n`);
  }

  async configure(name: string): Promise<number> {
    const known = this.#known(name);
    const { include, exclude, all } = this.#options;
    if ([include, exclude, all].filter((given) => given !== undefined).length > 1)
      throw new UserError("Use only one of --include, --exclude and --all.", { exitCode: 2 });
    if (known.pin === undefined) await this.#connect(known);
    const offered = known.latest?.tools ?? known.pin?.tools ?? [];
    if (typeof include === "string" || typeof exclude === "string" || all === true) {
      const picked = listOf(include ?? exclude);
      const strange = picked.find(
        (pattern) =>
          !offered.some((tool) =>
            passes({ include: [pattern], exclude: [], resources: true, prompts: true }, tool.name),
          ),
      );
      if (strange !== undefined)
        throw new UserError(`"${name}" has no tool "${strange}".`, {
          hint: `Its tools: ${offered.map((tool) => tool.name).join(", ") || "none"}.`,
          exitCode: 2,
        });
      await this.#ctx.saveConfig(`${name}.tools.include`, include === undefined ? undefined : picked);
      await this.#ctx.saveConfig(`${name}.tools.exclude`, exclude === undefined ? undefined : picked);
    }
    const read = readEntry(name, (this.#ctx.config[name] ?? {}) as JsonObject);
    const filter = read.kind === "server" ? read.entry.filter : known.server.entry.filter;
    if (this.#options["json"] === true)
      return this.#json({
        name,
        tools: offered.map((tool) => ({ name: tool.name, offered: passes(filter, tool.name) })),
      });
    return say(
      this.#io,
      `${offered.map((tool) => `${passes(filter, tool.name) ? "✓" : "✗"} ${tool.name}`).join("\n") || "The server has no tools."}\n`,
    );
  }

  async accept(name: string): Promise<number> {
    const known = this.#known(name);
    await this.#connect(known);
    const drift = known.drift;
    const taken = isDrift(drift) && this.#options["yes"] === true;
    if (this.#options["json"] !== true && isDrift(drift)) this.#reportDrift(known);
    if (taken) await this.#service.accept(known);
    if (this.#options["json"] === true) return this.#json({ name, changed: drift as unknown as Json, accepted: taken });
    return say(
      this.#io,
      !isDrift(drift)
        ? `"${name}" offers what you accepted.\n`
        : taken
          ? "Accepted. New sessions get the changes.\n"
          : `Accept with: hermes mcp accept ${name} --yes\n`,
    );
  }

  async login(name: string): Promise<number> {
    const known = this.#known(name);
    const { place } = known.server.entry;
    if (place.kind !== "http" || place.oauth === undefined)
      throw new UserError(`Cannot sign in to the MCP server "${name}": its configuration does not have auth: oauth.`, {
        hint: `If the server uses OAuth, run: hermes config set mcp_servers.${name}.auth oauth`,
        exitCode: 2,
      });
    const [{ signIn }, { guardedFetch }] = await Promise.all([
      import("./sign-in/sign-in.ts"),
      import("./server/http-transport.ts"),
    ]);
    await signIn(name, place, place.oauth, {
      home: this.#ctx.home,
      env: this.#ctx.env,
      log: this.#ctx.log,
      browserReturn: this.#ctx.browserReturn,
      fetch: guardedFetch(this.#ctx.fetch, `${name}.url`),
      io: this.#options["json"] === true ? { ...this.#io, out: this.#io.error } : this.#io,
    });
    await this.#connect(known);
    if (known.pin === undefined) await this.#service.accept(known);
    if (this.#options["json"] === true) return this.#json({ name, signedIn: true, ...this.#toolsOf(known) });
    this.#report(known);
    return say(this.#io, `Signed in to "${name}".\n`);
  }

  /** @throws {UserError} with what to do, if the server does not answer. */
  async #connect({ server }: Known): Promise<void> {
    try {
      await server.connect();
    } catch (cause) {
      if (!(cause instanceof ToolFailure)) throw cause;
      const { name, place } = server.entry;
      const check =
        place.kind === "http"
          ? `Check that the server runs at ${this.#ctx.redact(place.url)}; to change its entry: hermes config edit`
          : `Check mcp_servers.${name} with \`hermes config edit\`. The program's error output is in ${this.#ctx.home}/logs/mcp-stderr.log.`;
      throw new UserError(cause.message, { hint: cause.code === "unreachable" ? check : cause.hint, cause });
    }
  }

  #reportDrift({ pin, latest, drift, server }: Known): void {
    const names = offeredNames(server.entry, latest ?? { tools: [], has: [] });
    for (const tool of drift.removed) this.#io.out(`gone: ${tool}\n`);
    for (const tool of [...drift.added, ...drift.changed]) {
      const before = pin?.tools.find(({ name }) => name === tool);
      const now = latest?.tools.find(({ name }) => name === tool);
      this.#io.out(`${before === undefined ? "new" : "changed"}: ${this.#shownName(tool, names.get(tool))}\n`);
      if (before !== undefined)
        this.#io.out(`  before: ${before.description}\n          ${JSON.stringify(before.input)}\n`);
      this.#io.out(`  now:    ${now?.description}\n          ${JSON.stringify(now?.input)}\n`);
    }
  }

  #report({ latest, server: { entry } }: Known): void {
    const names = offeredNames(entry, latest ?? { tools: [], has: [] });
    for (const { name, description } of latest?.tools ?? [])
      this.#io.out(
        `${passes(entry.filter, name) ? "✓" : "✗"} ${this.#shownName(name, names.get(name))}  ${description.split("\n", 1)[0]!.slice(0, 90)}\n`,
      );
    for (const reason of latest?.refused ?? []) this.#io.error(`Skipped: ${reason}.\n`);
    for (const line of collisionLines(latest?.tools ?? [])) this.#io.error(`${line}\n`);
  }

  /** The server's own name, and the model's where that ends in a digest. */
  #shownName(tool: string, name: string | undefined): string {
    const shown = plainText(tool, 200);
    return name === undefined || name.endsWith(`__${tool.replaceAll(/\W/g, "_")}`) ? shown : `${shown} (as ${name})`;
  }

  #toolsOf({ latest, server: { entry } }: Known): JsonObject {
    const names = offeredNames(entry, latest ?? { tools: [], has: [] });
    return {
      tools: (latest?.tools ?? [])
        .filter(({ name }) => passes(entry.filter, name))
        .map(({ name, description }) => ({ name, calledAs: names.get(name) ?? name, description })),
      leftOut: [...(latest?.refused ?? [])],
    };
  }

  #entryFromWords(args: readonly string[]): JsonObject {
    const { command, url, transport, auth, env, header, include, exclude } = this.#options;
    const seconds = (name: string): JsonObject => {
      const given = this.#options[name];
      if (given === undefined) return {};
      if (!(Number(given) > 0))
        throw new UserError(`--${name} must be a number of seconds, not ${JSON.stringify(given)}.`, { exitCode: 2 });
      return { [name.replace("-", "_")]: Number(given) };
    };
    const tools = definedFields({
      include: include === undefined ? undefined : listOf(include),
      exclude: exclude === undefined ? undefined : listOf(exclude),
    });
    return {
      ...definedFields({
        command: typeof command === "string" ? command : undefined,
        args: args.length === 0 ? undefined : [...args],
        env: env === undefined ? undefined : pairs("env", env as readonly string[]),
        url: typeof url === "string" ? url : undefined,
        headers: header === undefined ? undefined : pairs("header", header as readonly string[]),
        transport: typeof transport === "string" ? transport : undefined,
        auth: typeof auth === "string" ? auth : undefined,
      }),
      ...seconds("connect-timeout"),
      ...seconds("timeout"),
      ...definedFields({ tools: Object.keys(tools).length === 0 ? undefined : tools }),
    };
  }

  #known(name: string): Known {
    const known = this.#service.get(name);
    if (known !== undefined) return known;
    const read = this.#service.entries.find((one) => one.kind !== "server" && one.name === name);
    if (read?.kind === "wrong") throw new UserError(`Cannot use the MCP server "${name}": ${read.reason}.`);
    if (read?.kind === "off")
      throw new UserError(`The MCP server "${name}" is disabled.`, {
        hint: `Enable it with: hermes config set mcp_servers.${name}.enabled true`,
      });
    throw this.#unknown(name);
  }

  #unknown(name: string): UserError {
    const names = this.#service.entries.map((read) =>
      read.kind === "server" ? (read.entry as ServerEntry).name : read.name,
    );
    return new UserError(`There is no MCP server "${name}".`, {
      hint: names.length === 0 ? "Add one with: hermes mcp add NAME" : `Configured servers: ${names.join(", ")}.`,
      exitCode: 2,
    });
  }

  #json(value: unknown): number {
    this.#io.out(`${JSON.stringify(value, null, 2)}\n`);
    return 0;
  }
}

function say(io: CliIo, text: string): number {
  io.out(text);
  return 0;
}

function listOf(value: Options[string]): string[] {
  return typeof value === "string"
    ? value
        .split(",")
        .map((name) => name.trim())
        .filter((name) => name !== "")
    : [];
}

function pairs(what: string, given: readonly string[]): { readonly [name: string]: string } {
  return Object.fromEntries(
    given.map((pair) => {
      const at = pair.indexOf("=");
      if (at < 1)
        throw new UserError(`--${what} must be NAME=VALUE, not ${JSON.stringify(pair.split("=")[0])}.`, {
          exitCode: 2,
        });
      return [pair.slice(0, at), pair.slice(at + 1)];
    }),
  );
}
