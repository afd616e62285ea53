import type { App, OpenSession } from "../../../contract/app.ts";
import type { Notice } from "../../../contract/notice.ts";
import { UserError } from "../../../contract/failure.ts";
import type { Part, Provenance } from "../../../contract/part.ts";
import type { Session } from "../../../contract/session.ts";
import type { Call } from "../call.ts";
import { EXIT } from "../exit-code.ts";
import { isTerminal } from "../is-terminal.ts";
import type { Io } from "../io.ts";
import { truthy } from "../truthy.ts";
import { asTyped } from "../../called-as.ts";

export interface ChatOptions {
  readonly query?: string;
  readonly quiet?: boolean;
  readonly json?: boolean;
  readonly model?: string;
  readonly provider?: string;
  readonly toolsets?: string;
  readonly terminal?: string;
  readonly disableToolsets?: string;
  readonly maxTurns?: string;
  readonly continue?: string | true;
  readonly resume?: string;
  readonly yolo?: boolean;
  readonly ignoreRules?: boolean;
  /** The full screen, or with `--no-tui` the terminal's scrollback; absent: as `display.interface` says. */
  readonly tui?: boolean;
  readonly source: string;
}

/** `hermes chat`: one turn with `-q`, piped input or `--json`; else the interactive session, which needs a terminal that can move its cursor. */
export async function chat(call: Call, options: ChatOptions): Promise<number> {
  const { query, piped } = await readQuery(options, call.io);
  const app = await call.open(undefined, options.terminal === undefined ? undefined : { "terminal.backend": options.terminal });
  if (options.terminal !== undefined) await needTerminal(app, options.terminal);
  if (call.io.interactive && app.hooks.waiting().length > 0) await (await import("../ask-for-hooks.ts")).askForHooks(app, call.io);
  const notices = await noticesOf(app, options);
  const screen = query === undefined && call.io.interactive && call.io.outIsTerminal;
  if (screen && process.env.TERM !== "dumb") {
    const { interactive } = await import("../interactive/interactive.ts");
    return interactive(app, call.io, options, notices, call);
  }
  if (screen) {
    tellNotices(call.io, notices);
    const { lineSession } = await import("../line-session.ts");
    return lineSession(app, call.io, options, notices);
  }
  const { oneShot } = await import("../one-shot.ts");
  return oneShot(app, call.io, options, piped === undefined ? query : besideIt(query ?? "", piped), notices);
}

/** What a run was told to use is looked at before it costs anything. */
async function needTerminal(app: App, name: string): Promise<void> {
  const all = await app.terminals.list();
  const found = all.find(({ id }) => id === name);
  if (found === undefined) throw new UserError(`There is no terminal backend "${name}".`, { hint: `There is: ${all.map(({ id }) => id).join(", ")}.`, exitCode: EXIT.usage });
  if (!found.available.ok) throw new UserError(`Commands cannot run with the terminal backend "${name}": ${found.available.reason}`, { hint: "`hermes terminals check` says more." });
}

/** @param quiet Only what is wrong. */
export function tellNotices(io: Io, notices: readonly Notice[], quiet = false): void {
  for (const { level, text, hint } of notices) if (!quiet || level !== "info") io.note(asTyped(`${io.style(level === "info" ? "dim" : "yellow", text)}\n${hint === undefined ? "" : `  ${hint}\n`}`));
}

/** What came up since: the store is opened with the first session, and may have had to be mended. */
export function noticesSince(app: App, told: readonly Notice[]): readonly Notice[] {
  return app.notices.filter(({ text }) => !told.some((notice) => notice.text === text));
}

/** What a person should know before anything runs. */
async function noticesOf(app: App, options: ChatOptions): Promise<readonly Notice[]> {
  if (options.model !== undefined || options.provider !== undefined || options.quiet === true || options.query?.startsWith("/") === true) return app.notices;
  const { notice } = await app.models.current();
  return notice === undefined ? app.notices : [{ level: "warning", text: notice }, ...app.notices];
}

/** Beside a question of the person's own, what comes through a pipe may be anybody's: a page, a mail, a log. */
const PIPED: Provenance = { trust: "foreign", owner: "cli", source: "what was piped in" };

function besideIt(query: string, piped: string): string | readonly Part[] {
  return query.startsWith("/") ? `${query}\n\n${piped}` : [{ type: "text", text: `${query}\n\n` }, { type: "text", text: piped, from: PIPED }];
}

/** The question, from `-q` or the pipe, and what was piped in beside it. */
async function readQuery(options: ChatOptions, io: Io): Promise<{ readonly query?: string; readonly piped?: string }> {
  const waits = options.query === undefined || options.query === "-";
  const piped = isTerminal(0) ? undefined : await (await import("../piped-input.ts")).pipedInput({ waits, note: io.note });
  if (waits) return piped === undefined || piped.trim() === "" ? {} : { query: piped };
  return { query: options.query, ...(piped === undefined || piped.trim() === "" ? {} : { piped }) };
}

/** The session that the flags ask for: a new one, the latest, or a named one. */
export async function openChatSession(app: App, options: ChatOptions, person: OpenSession["person"]): Promise<Session> {
  return app.openSession({ ...openingOf(options, person), sessionId: await sessionOf(app, options) });
}

/** What the flags say of every session of this run. */
export function openingOf(options: ChatOptions, person: OpenSession["person"]): OpenSession {
  const maxTurns = options.maxTurns === undefined ? undefined : Number(options.maxTurns);
  if (maxTurns !== undefined && !(Number.isInteger(maxTurns) && maxTurns > 0)) throw new UserError(`--max-turns must be a whole number above 0, not "${options.maxTurns}".`, { exitCode: EXIT.usage });
  return {
    surface: options.source,
    person,
    cwd: process.cwd(),
    toolsets: { enabled: names(options.toolsets), disabled: names(options.disableToolsets) },
    maxTurns,
    yolo: options.yolo ?? truthy(process.env.HERMES_YOLO_MODE),
    ignoreRules: options.ignoreRules ?? truthy(process.env.HERMES_IGNORE_RULES),
    model: { name: options.model, provider: options.provider },
  };
}

async function sessionOf(app: App, options: ChatOptions): Promise<string | undefined> {
  if (options.resume !== undefined) return (await app.sessions.find(options.resume)).id;
  if (typeof options.continue === "string") return (await app.sessions.find(options.continue)).id;
  if (options.continue !== true) return undefined;
  const latest = await app.sessions.latest(options.source);
  if (latest === undefined) throw new UserError("There is no session to continue yet.", { hint: "Start one with `hermes` or `hermes chat -q \"…\"`." });
  return latest.id;
}

function names(list: string | undefined): readonly string[] | undefined {
  return list?.split(",").map((name) => name.trim()).filter((name) => name !== "");
}
