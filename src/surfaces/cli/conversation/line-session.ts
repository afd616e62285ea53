import type { App } from "../../../contract/services/app.ts";
import type { BackgroundEnd } from "../../../contract/services/agent-service.ts";
import type { Notice } from "../../../contract/common/notice.ts";
import { textOf } from "../../../contract/conversation/part.ts";
import type { Session } from "../../../contract/conversation/session.ts";
import type { Prompter } from "../../../contract/conversation/question.ts";
import { isSlashCommand } from "../../shared/commands/run-slash-command.ts";
import { RunningCommands } from "../../shared/commands/running-commands.ts";
import type { BusyMode, SlashHost } from "../../shared/commands/slash-host.ts";
import { busyModeOf } from "../../shared/conversation/busy-mode.ts";
import { liveDisplay } from "../../shared/display/live-display.ts";
import { openChatSession, openingOf, type ChatOptions } from "./chat-session.ts";
import { noticesSince, rereadNotices, reportNotices } from "../../shared/process/notices.ts";
import { EXIT } from "../../shared/process/exit-code.ts";
import { reportEnding, reportLeft } from "./left-background.ts";
import { FrontSession } from "./front-session.ts";
import { questionStream, type Io } from "../../shared/process/io.ts";
import { linePrompter } from "../input/line-prompter.ts";
import { eventPrinter } from "../output/print-events.ts";
import { TypedLines } from "../input/typed-lines.ts";
import { printable } from "../../shared/display/printable.ts";
import { asTyped } from "../../shared/process/called-as.ts";
import { onHangup } from "../../shared/process/on-hangup.ts";

/**
 * A session for terminals that cannot move their cursor (`TERM=dumb`): one line of input, then the answer. `/busy`
 * decides what happens to input during a turn.
 */
export async function lineSession(app: App, io: Io, options: ChatOptions, notices: readonly Notice[]): Promise<number> {
  const { createInterface } = await import("node:readline/promises");
  const display = liveDisplay(app);
  const fail = (error: unknown): void => reportFailure(app, io, error);
  let busyMode: BusyMode = busyModeOf(app);
  const commands = new RunningCommands();
  let running = 0;
  let status: number = EXIT.ok;
  const prompter = oneQuestionAtATime(
    linePrompter(io, () => display.get().notify !== "off"),
    () => lines.pause(),
  );
  const printer = eventPrinter(io, (name) => app.tools.get(name), { quiet: false, display: display.get });
  await using front = new FrontSession(
    app,
    openingOf(options, prompter),
    await openChatSession(app, options, prompter, { attended: true }),
    printer.listener,
  );
  let known = [...notices, ...noticesSince(app, notices)];
  reportNotices(io, known.slice(notices.length));
  io.note(`Hermes ${app.version} · /help lists the commands, /quit exits\n`);
  using lines = new TypedLines(() => createInterface({ input: process.stdin, output: questionStream() }), onInterrupt);
  const host: SlashHost = {
    app,
    surface: options.source,
    signal: io.signal,
    terminal: true,
    session: () => front.session,
    switchSession: async (target) => {
      await front.switchTo(target);
      await resumeTurn();
    },
    busyMode: { get: () => busyMode, set: (mode) => (busyMode = mode) },
    yolo: { get: () => front.yolo, set: (on) => void front.setYolo(on).catch(fail) },
    display,
    background: {
      opening: () => front.opening,
      announce: async (end) => io.out(`${printable(await announcement(end))}\n`),
    },
    notify: (text) => io.out(`${text}\n`),
    reload: reread,
    quit: () => lines.end(),
  };
  process.on("SIGINT", onInterrupt);
  process.on("SIGTERM", onTerminate);
  using _hangup = onHangup(onTerminate);
  try {
    await resumeTurn();
    await reportLeft(app, options.source, (text) => io.note(`${text}\n`));
    for (let typed = await ask(); typed !== undefined; typed = await ask()) await take(typed.trim());
    if (lines.prompted) io.note("\n");
    await front.session.interrupt(status === EXIT.ok ? "the session ends" : "the terminal is closing");
  } finally {
    process.off("SIGINT", onInterrupt);
    process.off("SIGTERM", onTerminate);
  }
  await reportEnding(app, (text) => io.note(`${text}\n`));
  if (front.session.view().entries.length > 0) io.note(asTyped(`hermes --resume ${front.session.id}\n`));
  return status;

  function ask(): Promise<string | undefined> {
    if (running === 0) lines.prompt();
    return lines.next();
  }

  /** Stops a running turn or command, else clears the typed line, else ends the session. */
  function onInterrupt(): void {
    if (commands.stop()) return;
    if (running > 0 || front.session.busy) {
      reportWithdrawn(io, front.session);
      return void front.session.interrupt("stopped by you").catch(fail);
    }
    if (!lines.drop()) return lines.end();
    io.note("\n");
    lines.prompt();
  }

  function onTerminate(): void {
    status = EXIT.interrupted;
    commands.stop();
    lines.end();
  }

  async function resumeTurn(): Promise<void> {
    for (const line of front.session.interrupted()) io.note(`${line}\n`);
    if ((await front.session.resume()) !== undefined) await printer.end();
  }

  async function reread(): Promise<void> {
    const news = await rereadNotices(app, known);
    known = [...known, ...news];
    reportNotices(io, news);
    display.reread();
  }

  async function take(text: string): Promise<void> {
    if (text === "") return;
    if (isSlashCommand(text)) {
      const { text: shown } = await commands.run(text, host);
      return shown === "" ? undefined : io.out(`${shown}\n`);
    }
    await reread();
    await front.refresh();
    void turn(text).catch(fail);
  }

  async function turn(text: string): Promise<void> {
    const mode = running > 0 ? busyMode : "queue";
    running++;
    try {
      const end = await front.session.send(text, { mode });
      await printer.end();
      if (end.reason !== "done" && end.detail !== undefined) io.note(`${asTyped(end.detail)}\n`);
    } finally {
      running--;
      if (running === 0) lines.prompt();
    }
  }
}

function reportFailure(app: App, io: Io, error: unknown): void {
  app.log.error("A turn failed", { cause: error });
  io.note(`${asTyped(error instanceof Error ? error.message : String(error))}\n`);
}

/** Takes back the messages that wait for the running turn, and shows that they were not sent. */
function reportWithdrawn(io: Io, session: Session): void {
  for (const parts of session.withdraw()) io.note(`\nNot sent: ${printable(textOf(parts))}\n`);
}

async function announcement(end: BackgroundEnd): Promise<string> {
  return (await import("../../shared/commands/agents.ts")).backgroundText(end);
}

/** A background session may ask, too. @param pause Stops reading input until disposed. */
function oneQuestionAtATime(prompter: Prompter, pause: () => Disposable): Prompter {
  let asking: Promise<unknown> = Promise.resolve();
  return {
    atTerminal: true,
    ask(question, signal) {
      const answer = asking.then(async () => {
        using _ = pause();
        return await prompter.ask(question, signal);
      });
      asking = answer.catch(() => undefined);
      return answer;
    },
  };
}
