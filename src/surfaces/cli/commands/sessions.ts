import type { App } from "../../../contract/services/app.ts";
import type { SessionSummary } from "../../../contract/services/session-service.ts";
import { UserError } from "../../../contract/common/failure.ts";
import type { Call } from "../program/call.ts";
import { formatWallTime, wallTime } from "../../../contract/common/wall-time.ts";
import { openLineAsker } from "../input/ask-lines.ts";
import { EXIT } from "../../shared/process/exit-code.ts";
import { exportedSession, type ExportFormat } from "../../shared/conversation/exported-session.ts";
import { readableExcerpt } from "../../shared/conversation/readable-excerpt.ts";
import { shortCost } from "../../shared/costs/session-cost.ts";
import { sessionName } from "../../shared/conversation/session-name.ts";
import { onTerminal, type Io } from "../../shared/process/io.ts";
import { tableOn } from "../../shared/display/table.ts";
import { asTyped } from "../../shared/process/called-as.ts";

export async function listSessions(
  call: Call,
  options: { readonly json?: boolean; readonly limit: string; readonly source?: string },
): Promise<void> {
  const { io } = call;
  const { app, answer: sessions } = await query(call, ({ sessions }) =>
    sessions.list({ limit: count(options.limit, 1), surface: options.source }),
  );
  if (options.json) return io.out(`${JSON.stringify(sessions, null, 2)}\n`);
  if (sessions.length === 0)
    return io.note(
      options.source === undefined ? "No sessions yet.\n" : `No sessions of the surface "${options.source}" yet.\n`,
    );
  io.out(sessionTable(sessions, io, timesOf(app)));
}

export async function showSession(call: Call, id: string, options: { readonly json?: boolean }): Promise<void> {
  const { io } = call;
  const {
    app: { sessions, tools },
    answer: session,
  } = await query(call, ({ sessions }) => sessions.find(id));
  if (options.json) {
    for await (const { seq, at, fact } of sessions.facts(session.id))
      io.out(`${JSON.stringify({ seq, at, ...fact })}\n`);
    return;
  }
  const { sessionText } = await import("../output/session-text.ts");
  io.out(sessionText(session, await sessions.view(session.id), (name) => tools.get(name), io));
}

export async function searchSessions(
  call: Call,
  words: readonly string[],
  options: { readonly json?: boolean; readonly limit: string },
): Promise<void> {
  const { io } = call;
  if (words.join("").trim() === "")
    throw new UserError("The search is empty.", {
      hint: 'Example: hermes sessions search "flaky test"',
      exitCode: EXIT.usage,
    });
  let looked: number | undefined;
  const { app, answer: hits } = await query(call, ({ sessions }) =>
    sessions.search(words.join(" "), { limit: count(options.limit), onlyNewest: (matches) => (looked = matches) }),
  );
  if (looked !== undefined)
    io.note(
      `Only the newest ${looked.toLocaleString("en")} matching messages were searched. Add a word to find older sessions.\n`,
    );
  const when = timesOf(app);
  if (options.json) return io.out(`${JSON.stringify(hits, null, 2)}\n`);
  if (hits.length === 0) return io.note("Nothing found.\n");
  for (const hit of hits) {
    const { session, role, at } = hit;
    const excerpt = readableExcerpt(hit).replaceAll(/>>>(.*?)<<</g, (_, text: string) => io.styleOut("yellow", text));
    const about = [when(at), role, ...(session.title === undefined ? [] : [session.title])].join(" · ");
    io.out(`${io.styleOut("bold", session.id)}  ${io.styleOut("dim", about)}\n  ${excerpt}\n`);
  }
}

export async function renameSession({ io, open }: Call, id: string, title: readonly string[]): Promise<void> {
  const { sessions } = await open();
  const session = await sessions.find(id);
  await sessions.rename(session.id, title.join(" "));
  io.out(`${session.id} is now “${title.join(" ")}”.\n`);
}

export async function branchSession(call: Call, id: string, options: { readonly at?: string }): Promise<void> {
  const { io } = call;
  const {
    app: { sessions },
    answer: session,
  } = await query(call, ({ sessions }) => sessions.find(id));
  const branch = await sessions.branch(session.id, options.at === undefined ? undefined : count(options.at));
  io.out(asTyped(`Copied ${session.id} to ${branch.id}. Resume it with: hermes --resume ${branch.id}\n`));
}

export async function exportSession(
  call: Call,
  id: string,
  file: string | undefined,
  options: { readonly format?: ExportFormat },
): Promise<void> {
  const { io } = call;
  const { app, answer: session } = await query(call, ({ sessions }) => sessions.find(id));
  const text = await exportedSession(
    app,
    session,
    options.format ?? (file?.toLowerCase().endsWith(".jsonl") === true ? "jsonl" : "md"),
  );
  if (file === undefined || file === "-") return io.out(text);
  const { writeFile } = await import("node:fs/promises");
  await writeFile(file, text, { mode: 0o600, flag: "wx" }).catch((cause: NodeJS.ErrnoException) => {
    throw cause.code === "EEXIST"
      ? new UserError(`${file} already exists.`, { hint: "Choose another file name.", cause })
      : cause;
  });
  io.out(`Exported ${session.id} to ${file}.\n`);
}

export async function importSessions({ io, open }: Call, file: string | undefined): Promise<void> {
  const { sessions } = await open();
  const { imported, known, empty } = await sessions.importOriginal(file);
  const rest = [...(known === 0 ? [] : [`${known} already imported`]), ...(empty === 0 ? [] : [`${empty} empty`])];
  io.out(
    `Imported ${imported} session${imported === 1 ? "" : "s"}${rest.length === 0 ? "" : `; ${rest.join(", ")}`}.\n`,
  );
}

export async function deleteSession(
  { io, open }: Call,
  id: string,
  options: { readonly yes?: boolean },
): Promise<number> {
  const { sessions } = await open();
  const session = await sessions.find(id);
  if (
    !(await agreed(
      io,
      options.yes,
      `Delete ${session.id}${session.title === undefined ? "" : ` “${session.title}”`} permanently?`,
    ))
  )
    return EXIT.failed;
  await sessions.remove(session.id);
  io.out(`Deleted ${session.id}.\n`);
  return EXIT.ok;
}

export async function pruneSessions(
  { io, open }: Call,
  options: { readonly olderThan: string; readonly dryRun?: boolean; readonly yes?: boolean },
): Promise<number> {
  const app = await open();
  const { sessions } = app;
  const olderThanMs = count(options.olderThan) * 86_400_000;
  const old = await sessions.prune({ olderThanMs, dryRun: true });
  if (old.length === 0) {
    io.out(`No session is older than ${options.olderThan} days.\n`);
    return EXIT.ok;
  }
  io.out(sessionTable(old, io, timesOf(app)));
  if (options.dryRun) return EXIT.ok;
  if (!(await agreed(io, options.yes, `Delete these ${old.length} sessions permanently?`))) return EXIT.failed;
  const removed = await sessions.prune({ olderThanMs });
  io.out(`Deleted ${removed.length} sessions.\n`);
  return EXIT.ok;
}

/** Runs a query on the store, then shows new notices: the first query opens the store and may have repaired it. */
async function query<T>(
  { io, open }: Call,
  run: (app: App) => Promise<T>,
): Promise<{ readonly app: App; readonly answer: T }> {
  const app = await open();
  const known = app.notices;
  try {
    return { app, answer: await run(app) };
  } finally {
    if (app.notices.length > known.length) {
      const { noticesSince, reportNotices } = await import("../../shared/process/notices.ts");
      reportNotices(io, noticesSince(app, known));
    }
  }
}

function sessionTable(sessions: readonly SessionSummary[], io: Io, when: (at: number) => string): string {
  const rows = sessions.map((session) => [
    session.id,
    when(session.lastAt),
    String(session.turns),
    session.surface,
    costOf(session),
    `${session.interrupted ? "⚠ interrupted · " : ""}${sessionName(session)}`,
  ]);
  return tableOn(io, ["ID", "LAST", "TURNS", "FROM", "COST", "TITLE"], rows);
}

function costOf({ costUsd = 0, unknownCosts = 0 }: SessionSummary): string {
  return shortCost({ costUsd, unknown: unknownCosts });
}

/** Formats times in the user's time zone. */
function timesOf({ config }: App): (at: number) => string {
  const zone = config.get("timezone");
  return (at) => formatWallTime(wallTime(at, typeof zone === "string" ? zone : ""), "%F %R");
}

function count(text: string, least = 0): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= least) return value;
  throw new UserError(
    least === 0 ? `"${text}" is not a whole number.` : `"${text}" is not a whole number of at least ${least}.`,
    { exitCode: EXIT.usage },
  );
}

async function agreed(io: Io, yes: boolean | undefined, question: string): Promise<boolean> {
  if (yes) return true;
  if (!io.interactive)
    throw new UserError("Cannot ask for confirmation: there is no terminal.", {
      hint: "Repeat the command with --yes.",
    });
  using asker = await openLineAsker();
  if (/^y(es)?$/i.test(await asker.ask(`${question} [y/N] `))) return true;
  onTerminal(io).note(`${asker.ended ? "\n" : ""}Nothing was deleted.\n`);
  return false;
}
