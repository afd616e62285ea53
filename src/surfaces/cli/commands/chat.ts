import type { App } from "../../../contract/services/app.ts";
import type { Notice } from "../../../contract/common/notice.ts";
import { UserError } from "../../../contract/common/failure.ts";
import type { Part, Provenance } from "../../../contract/conversation/part.ts";
import type { Call } from "../program/call.ts";
import { EXIT } from "../../shared/process/exit-code.ts";
import { isTerminal } from "../../shared/process/is-terminal.ts";
import { onTerminal, type Io } from "../../shared/process/io.ts";
import { type ChatOptions } from "../conversation/chat-session.ts";
import { reportNotices } from "../../shared/process/notices.ts";

/**
 * `hermes chat`: one turn with `-q`, piped input or `--json`; else an interactive session, which needs a terminal
 * that can move its cursor.
 */
export async function chat(call: Call, options: ChatOptions): Promise<number> {
  const { query, piped } = await readQuery(options, call.io);
  const screen = query === undefined && call.io.interactive && call.io.outIsTerminal;
  if (options.resume === true && (!screen || process.env.TERM === "dumb"))
    throw new UserError("--resume needs the id of a session here: there is no screen to pick one from.", {
      hint: "`hermes sessions list` lists them; `hermes --continue` resumes the latest.",
      exitCode: EXIT.usage,
    });
  const app = await call.open(
    undefined,
    options.terminal === undefined ? undefined : { "terminal.backend": options.terminal },
  );
  if (options.terminal !== undefined) await needTerminal(app, options.terminal);
  // For screen readers: as on a terminal without cursor control, for readline and the commands of the agent, too.
  const plain = app.config.get("display.interface") === "plain" && options.tui !== true;
  if (plain) process.env.TERM = "dumb";
  if (call.io.interactive && app.hooks.waiting().length > 0)
    await (await import("../input/ask-for-hooks.ts")).askForHooks(app, call.io);
  const notices = await noticesOf(app, options).catch((error: unknown) => {
    // A mistake in config.yaml may be the cause: the last valid file may name a model that is gone.
    reportNotices(
      call.io,
      app.notices.filter(({ level }) => level === "error"),
    );
    throw error;
  });
  const onScreen = screen ? onTerminal(call.io) : call.io;
  const io = plain ? { ...onScreen, moving: false } : onScreen;
  if (screen && process.env.TERM !== "dumb") {
    const { interactive } = await import("../interactive/interactive.ts");
    return interactive(app, io, options, notices, call);
  }
  if (screen) {
    reportNotices(io, notices);
    const { lineSession } = await import("../conversation/line-session.ts");
    return lineSession(app, io, options, notices);
  }
  const { oneShot } = await import("../conversation/one-shot.ts");
  return oneShot(app, io, options, piped === undefined ? query : withPiped(query ?? "", piped), notices);
}

/** Checks the requested terminal backend before the run costs anything. */
async function needTerminal(app: App, name: string): Promise<void> {
  const all = await app.terminals.list();
  const found = all.find(({ id }) => id === name);
  if (found === undefined)
    throw new UserError(`There is no terminal backend "${name}".`, {
      hint: `Backends: ${all.map(({ id }) => id).join(", ")}.`,
      exitCode: EXIT.usage,
    });
  if (!found.available.ok)
    throw new UserError(`The terminal backend "${name}" is not available: ${found.available.reason}`, {
      hint: "`hermes terminals check` shows details.",
    });
}

/** Notices to show before the run. */
async function noticesOf(app: App, options: ChatOptions): Promise<readonly Notice[]> {
  if (
    options.model !== undefined ||
    options.provider !== undefined ||
    options.quiet === true ||
    options.query?.startsWith("/") === true
  )
    return app.notices;
  const { notice } = await app.models.current();
  return notice === undefined ? app.notices : [{ level: "warning", text: notice }, ...app.notices];
}

/** Piped input beside a question may contain untrusted content: a page, an email, a log. */
const PIPED: Provenance = { trust: "foreign", owner: "cli", source: "piped input" };

function withPiped(query: string, piped: string): string | readonly Part[] {
  return query.startsWith("/")
    ? `${query}\n\n${piped}`
    : [
        { type: "text", text: `${query}\n\n` },
        { type: "text", text: piped, from: PIPED },
      ];
}

/** The question from `-q` or the pipe, and any piped input beside it. */
async function readQuery(options: ChatOptions, io: Io): Promise<{ readonly query?: string; readonly piped?: string }> {
  const waits = options.query === undefined || options.query === "-";
  const piped = isTerminal(0)
    ? undefined
    : await (await import("../input/piped-input.ts")).pipedInput({ waits, note: io.note });
  if (waits) return piped === undefined || piped.trim() === "" ? {} : { query: piped };
  return { query: options.query, piped: piped === undefined || piped.trim() === "" ? undefined : piped };
}
