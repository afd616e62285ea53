import type { App } from "../../../contract/services/app.ts";
import type { Notice } from "../../../contract/common/notice.ts";
import { UserError } from "../../../contract/common/failure.ts";
import type { Part } from "../../../contract/conversation/part.ts";
import type { Prompter } from "../../../contract/conversation/question.ts";
import type { Session, TurnEnd } from "../../../contract/conversation/session.ts";
import { NO_USAGE } from "../../../contract/common/usage.ts";
import { openChatSession, type ChatOptions } from "./chat-session.ts";
import { dueNotices } from "../../shared/process/daily-notices.ts";
import { noticesSince, reportNotices } from "../../shared/process/notices.ts";
import { EXIT, exitCodeOf } from "../../shared/process/exit-code.ts";
import type { Io } from "../../shared/process/io.ts";
import { jsonPrinter, jsonResult } from "../output/json-events.ts";
import { onInterrupt } from "../../shared/process/on-interrupt.ts";
import { linePrompter } from "../input/line-prompter.ts";
import { displayOf } from "../../shared/display/display.ts";
import { costText, sessionCost } from "../../shared/costs/session-cost.ts";
import type { AnswerDrawer } from "../output/drawn-answer.ts";
import { eventPrinter } from "../output/print-events.ts";
import { asTyped } from "../../shared/process/called-as.ts";

/** Runs one turn (after resuming an interrupted one) and returns the exit status. */
export async function oneShot(
  app: App,
  io: Io,
  options: ChatOptions,
  query: string | readonly Part[] | undefined,
  notices: readonly Notice[],
): Promise<number> {
  const continues = options.continue !== undefined || options.resume !== undefined;
  if (query === undefined && !continues)
    throw new UserError("No question was given, and stdin is not a terminal.", {
      hint: 'Pass it with -q "…", or pipe it in.',
      exitCode: EXIT.usage,
    });
  if (typeof query === "string" && query.trim() === "")
    throw new UserError("The question is empty.", { hint: 'Pass it with -q "…".', exitCode: EXIT.usage });
  if (typeof query === "string" && query.startsWith("/")) return slashCommand(app, io, options, query, notices);
  let printed = (): Promise<void> => Promise.resolve();
  await using session = await openChatSession(
    app,
    options,
    prompterOf(app, io, () => printed()),
  );
  const known = [...notices, ...noticesSince(app, notices)];
  reportNotices(io, dueNotices(app, known), options.quiet);
  using _listener = session.subscribe(options.json ? jsonPrinter(io) : () => {});
  using interrupts = onInterrupt(io, (reason) => session.interrupt(reason));
  const display = displayOf(app.config, "cli");
  const printer = options.json
    ? undefined
    : eventPrinter(io, (name) => app.tools.get(name), {
        quiet: options.quiet ?? false,
        display: () => display,
        drawer: drawerOf(io),
      });
  if (printer !== undefined) printed = printer.ready;
  using _printed = session.subscribe(printer?.listener ?? (() => {}));

  for (const line of session.interrupted()) if (!options.json) io.note(`${io.style("yellow", line)}\n`);
  const resumed = continues ? await session.resume() : undefined;
  // If the user interrupts the resumed turn, skip the question too.
  const end = query === undefined || interrupts.count > 0 ? (resumed ?? NOTHING_LEFT) : await session.send(query);
  await printer?.end();
  reportNotices(io, noticesSince(app, known), options.quiet);
  if (options.json) jsonResult(io, session.id, end, await app.costs.ofTurn(session.id, end.turnId));
  else if (end === NOTHING_LEFT)
    io.note(
      asTyped(`${session.id} has no interrupted turn. Ask it something with: hermes --resume ${session.id} -q "…"\n`),
    );
  else {
    const cost =
      !display.cost || options.quiet || !io.moving
        ? ""
        : costText(await sessionCost(app, session.id, () => session.view()));
    report(end, session, io, { ...options, cost });
  }
  return interrupts.count > 0 ? EXIT.interrupted : exitCodeOf(end);
}

function report(end: TurnEnd, session: Session, io: Io, options: ChatOptions & { readonly cost: string }): void {
  if (options.quiet) io.out(end.text === "" || end.text.endsWith("\n") ? end.text : `${end.text}\n`);
  if (end.reason === "failed") io.note(`${io.style("red", "Error:")} ${asTyped(end.detail ?? "The turn failed.")}\n`);
  else if (end.reason !== "done" && end.detail !== undefined) io.note(`${io.style("yellow", asTyped(end.detail))}\n`);
  if (!options.quiet && io.moving)
    io.note(
      `${io.style("dim", `session ${session.id}${options.cost === "" ? "" : ` · ${options.cost}`} · resume with ${asTyped("hermes --continue")}`)}\n`,
    );
}

/** `--continue` without a question, when no turn was interrupted. */
const NOTHING_LEFT: TurnEnd = { turnId: "", reason: "done", text: "", usage: NO_USAGE, requests: 0, toolCalls: 0 };

/** A question appears below what led to it. */
function prompterOf(app: App, io: Io, printed: () => Promise<void>): Prompter | undefined {
  if (!io.interactive) return undefined;
  const prompter = linePrompter(io, () => displayOf(app.config, "cli").notify !== "off");
  return {
    ...prompter,
    async ask(question, signal) {
      await printed();
      return prompter.ask(question, signal);
    },
  };
}

/** Answers are drawn on a terminal that can move its cursor. A pipe gets the Markdown. */
function drawerOf(io: Io): (() => Promise<AnswerDrawer>) | undefined {
  if (!io.outIsTerminal || process.env["TERM"] === "dumb") return undefined;
  return async () => new (await import("../output/drawn-answer.ts")).AnswerDrawer(io);
}

async function slashCommand(
  app: App,
  io: Io,
  options: ChatOptions,
  query: string,
  notices: readonly Notice[],
): Promise<number> {
  const { RunningCommands } = await import("../../shared/commands/running-commands.ts");
  const commands = new RunningCommands();
  let printed = (): Promise<void> => Promise.resolve();
  await using session = await openChatSession(
    app,
    options,
    prompterOf(app, io, () => printed()),
  );
  reportNotices(io, dueNotices(app, [...notices, ...noticesSince(app, notices)]), options.quiet);
  using interrupts = onInterrupt(io, (reason) => {
    commands.stop();
    return session.interrupt(reason);
  });
  const display = displayOf(app.config, "cli");
  const printer = eventPrinter(io, (name) => app.tools.get(name), {
    quiet: options.quiet ?? false,
    display: () => display,
    drawer: drawerOf(io),
  });
  printed = printer.ready;
  using _printed = session.subscribe(printer.listener);
  const shown = await commands.run(query, {
    app,
    session: () => session,
    surface: options.source,
    signal: io.signal,
    terminal: true,
    columns: io.outIsTerminal ? () => io.columns : undefined,
  });
  await printer.end();
  if (shown.text !== "") io.out(shown.text.endsWith("\n") ? shown.text : `${shown.text}\n`);
  return interrupts.count > 0 ? EXIT.interrupted : shown.ok ? EXIT.ok : EXIT.usage;
}
