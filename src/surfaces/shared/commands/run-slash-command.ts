import type { CommandContext, SlashCommand } from "../../../contract/conversation/command.ts";
import { UserError } from "../../../contract/common/failure.ts";
import { nearest } from "../../../contract/common/nearest.ts";
import { ABSENT_COMMANDS } from "./absent-commands.ts";
import { CORE_COMMANDS, coreCommands, pluginCommands } from "./core-commands.ts";
import type { CoreSlashCommand, SlashHost } from "./slash-host.ts";
import { asTyped } from "../process/called-as.ts";

export interface SlashResult {
  readonly ok: boolean;
  readonly text: string;
}

/** `/name …` and a lone `/` are commands; a path (`/etc/hosts is odd`) is a message. */
export function isSlashCommand(text: string): boolean {
  return /^\/[\w-]*(\s|$)/.test(text);
}

/**
 * Runs `/name arguments`: a built-in by name or alias, then a plugin's, then a skill, then the only command that
 * begins so. Returns a command's error as text; never throws.
 */
export async function runSlashCommand(line: string, host: SlashHost): Promise<SlashResult> {
  const { name, args } = parse(line);
  if (name !== "" && exact(name, host) === undefined) {
    const sent = await sendSkill(line, host);
    if (sent !== undefined) return sent;
  }
  const found = find(name, host);
  if (found.kind !== "core" && found.kind !== "plugin") return notFound(name, found, host);
  const verdict = await host.app.hooks.beforeCommand({
    session_id: host.session().id,
    platform: host.surface,
    command: found.command.name,
    raw_command: name,
    args,
  });
  if (verdict === undefined) return run(found, args, host);
  if (verdict.action === "block") return { ok: false, text: verdict.message };
  if (verdict.action === "handled") return { ok: true, text: verdict.message ?? "" };
  // Do not run the hooks on their own rewrite: that could loop forever.
  const instead = find(verdict.command.replace(/^\//, "").toLowerCase(), host);
  return instead.kind === "core" || instead.kind === "plugin"
    ? run(instead, verdict.args ?? args, host)
    : notFound(verdict.command, instead, host);
}

type Runnable = Extract<Found, { readonly kind: "core" | "plugin" }>;

function notFound(name: string, found: Exclude<Found, Runnable>, { terminal }: SlashHost): SlashResult {
  if (found.kind === "ambiguous")
    return {
      ok: false,
      text: `Ambiguous command: /${name} could be ${found.names.map((each) => `/${each}`).join(", ")}.`,
    };
  if (found.kind === "elsewhere")
    return {
      ok: false,
      text:
        terminal === true
          ? asTyped(`/${found.command.name} works only in an interactive session. Start one with: hermes`)
          : found.command.cliOnly === true
            ? `/${found.command.name} works only in the CLI.`
            : `/${found.command.name} does not work here.`,
    };
  const absent = Object.hasOwn(ABSENT_COMMANDS, name) ? ABSENT_COMMANDS[name] : undefined;
  if (absent !== undefined) return { ok: false, text: asTyped(absent) };
  return {
    ok: false,
    text: `Unknown command: /${name}.${found.near === undefined ? "" : ` Did you mean /${found.near}?`} /help lists all commands.`,
  };
}

async function run(found: Runnable, args: string, host: SlashHost): Promise<SlashResult> {
  if (host.chat?.mayRun(found.command.name) === false)
    return {
      ok: false,
      text: `Only admins of this chat may run /${found.command.name}. /whoami lists the commands you may run.`,
    };
  if (found.kind === "plugin" && found.command.ownerOnly === true && !isOwners(host))
    return { ok: false, text: `/${found.command.name} works only in a direct chat with my owner.` };
  try {
    const text =
      found.kind === "core" ? await found.command.run(args, host) : await found.command.run(args, commandContext(host));
    return { ok: true, text: typeof text === "string" ? text : "" };
  } catch (error) {
    host.app.log.warning(`/${found.command.name} failed`, { cause: error });
    return {
      ok: false,
      text: asTyped(
        `/${found.command.name}: ${error instanceof Error ? error.message : String(error)}${error instanceof UserError && error.hint !== undefined ? `\n${error.hint}` : ""}`,
      ),
    };
  }
}

/** No one but the owner reads here. */
function isOwners({ chat }: SlashHost): boolean {
  return chat === undefined || (chat.whose === undefined && chat.group !== true);
}

function commandContext(host: SlashHost): CommandContext {
  const { switchSession, browse } = host;
  return {
    sessionId: host.session().id,
    surface: host.surface,
    signal: host.signal,
    goTo: switchSession === undefined ? undefined : (sessionId) => switchSession({ sessionId }),
    browse,
  };
}

type Found =
  | { readonly kind: "core"; readonly command: CoreSlashCommand }
  | { readonly kind: "plugin"; readonly command: SlashCommand }
  /** A built-in command that this surface does not support. */
  | { readonly kind: "elsewhere"; readonly command: Pick<SlashCommand, "name" | "cliOnly"> | CoreSlashCommand }
  | { readonly kind: "ambiguous"; readonly names: readonly string[] }
  | { readonly kind: "unknown"; readonly near: string | undefined };

function find(name: string, host: SlashHost): Found {
  const named = exact(name, host);
  if (named !== undefined) return named;
  const core = coreCommands(host);
  const plugins = pluginCommands(host);
  const begins = [...core, ...plugins].filter((command) => command.name.startsWith(name));
  if (name === "" || begins.length === 0)
    return {
      kind: "unknown",
      near: nearest(name, [
        ...core.flatMap((command) => [command.name, ...command.aliases]),
        ...plugins.map((command) => command.name),
      ]),
    };
  // Resolve /tool to /tools, although /toolsets also matches: the shortest name is a prefix of the others.
  const [shortest] = begins.toSorted((one, other) => one.name.length - other.name.length);
  if (shortest === undefined || !begins.every((command) => command.name.startsWith(shortest.name)))
    return { kind: "ambiguous", names: begins.map((command) => command.name) };
  return find(shortest.name, host);
}

/** The command with exactly this name, even one of another surface. */
function exact(name: string, host: SlashHost): Found | undefined {
  const core = coreCommands(host).find((command) => command.name === name || command.aliases.includes(name));
  if (core !== undefined) return { kind: "core", command: core };
  const plugin = host.app.commands.get(name) ?? host.app.commands.get(name.replaceAll("_", "-"));
  if (plugin !== undefined)
    return { kind: plugin.cliOnly === true && host.terminal !== true ? "elsewhere" : "plugin", command: plugin };
  const elsewhere = CORE_COMMANDS.find((command) => command.name === name || command.aliases.includes(name));
  return elsewhere === undefined ? undefined : { kind: "elsewhere", command: elsewhere };
}

/** `/SKILL …`: sends the skills' texts and the words behind their names as the user's next message. */
async function sendSkill(line: string, host: SlashHost): Promise<SlashResult | undefined> {
  try {
    const { skillMessage } = await import("./skill-message.ts");
    const message = await skillMessage(line, host);
    if (message === undefined) return undefined;
    const { sendLater } = await import("./conversation.ts");
    return { ok: true, text: await sendLater(message, "queue", host) };
  } catch (error) {
    host.app.log.warning("Cannot send a skill", { cause: error });
    return { ok: false, text: error instanceof Error ? error.message : String(error) };
  }
}

function parse(line: string): { readonly name: string; readonly args: string } {
  const text = line.trim().replace(/^\//, "");
  const space = text.search(/\s/);
  return space < 0
    ? { name: text.toLowerCase(), args: "" }
    : { name: text.slice(0, space).toLowerCase(), args: text.slice(space).trim() };
}
