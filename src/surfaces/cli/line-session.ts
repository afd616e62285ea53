import type { App, Notice } from "../../contract/app.ts";
import { isSlashCommand, runSlashCommand } from "../commands/run-slash-command.ts";
import type { SlashHost } from "../commands/slash-host.ts";
import { noticesSince, openChatSession, tellNotices, type ChatOptions } from "./commands/chat.ts";
import { EXIT } from "./exit-code.ts";
import type { Io } from "./io.ts";
import { linePerson } from "./line-person.ts";
import { eventPrinter } from "./print-events.ts";

/** A session for terminals that cannot move their cursor (`TERM=dumb`): a line in, the answer below it. */
export async function lineSession(app: App, io: Io, options: ChatOptions, told: readonly Notice[]): Promise<number> {
  const { createInterface } = await import("node:readline/promises");
  await using session = await openChatSession(app, options, linePerson(io));
  tellNotices(io, noticesSince(app, told));
  const printer = eventPrinter(io, (name) => app.tools.get(name), { quiet: false });
  using _listening = session.subscribe(printer.listener);
  const ended = new AbortController();
  const host: SlashHost = { app, surface: options.source, signal: io.signal, session: () => session, quit: () => ended.abort() };
  io.note(`Hermes ${app.version} · /help lists the commands, /quit ends\n`);
  for (const line of session.interrupted()) io.note(`${line}\n`);
  const resumed = await session.resume();
  if (resumed !== undefined) printer.end();
  while (!ended.signal.aborted) {
    const text = await nextLine();
    if (text === undefined) break;
    if (text !== "") await run(text);
  }
  if (session.view().entries.length > 0) io.note(`hermes --resume ${session.id}\n`);
  return EXIT.ok;

  /** Undefined at the end of the input, or when Ctrl-C is pressed at the prompt. */
  async function nextLine(): Promise<string | undefined> {
    const lines = createInterface({ input: process.stdin, output: process.stderr });
    try {
      return await new Promise((resolve) => {
        lines.once("close", () => resolve(undefined));
        lines.once("SIGINT", () => resolve(undefined));
        lines.question("> ").then((typed) => resolve(typed.trim()), () => resolve(undefined));
      });
    } finally {
      lines.close();
    }
  }

  async function run(text: string): Promise<void> {
    if (isSlashCommand(text)) {
      const { text: shown } = await runSlashCommand(text, host);
      return shown === "" ? undefined : io.out(`${shown}\n`);
    }
    const stop = (): void => void session.interrupt("stopped by you");
    process.on("SIGINT", stop);
    try {
      const end = await session.send(text);
      printer.end();
      if (end.reason !== "done" && end.detail !== undefined) io.note(`${end.detail}\n`);
    } finally {
      process.off("SIGINT", stop);
    }
  }
}
