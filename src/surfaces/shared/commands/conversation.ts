import { UserError } from "../../../contract/common/failure.ts";
import type { SessionSummary } from "../../../contract/services/session-service.ts";
import { sessionName } from "../conversation/session-name.ts";
import type { SlashHost } from "./slash-host.ts";

/** Commands that move between conversations or send to the present one. */

export async function startNew(host: SlashHost): Promise<string> {
  await host.switchSession?.({});
  await host.app.hooks.sessionReset({ session_id: host.session().id, platform: host.surface, reason: "new_session" });
  return "A new session.";
}

export async function recent(host: SlashHost): Promise<string> {
  const sessions = await host.app.sessions.list({ limit: 15, ...seenBy(host) });
  return (
    sessions.map((session) => `${session.id}  ${session.interrupted ? "⚠ " : ""}${sessionName(session)}`).join("\n") ||
    "No sessions yet."
  );
}

export async function resume(args: string, host: SlashHost): Promise<string> {
  const session =
    args === ""
      ? (await host.app.sessions.list({ limit: 50, ...seenBy(host) })).find(
          ({ id, messages }) => id !== host.session().id && messages > 0,
        )
      : await named(args, host);
  if (session === undefined) return "There is no other session yet.";
  await host.switchSession?.({ sessionId: session.id });
  return `Going on with ${session.title ?? session.id}.`;
}

function seenBy({ chat }: SlashHost): { readonly whose?: string } {
  return chat?.whose === undefined ? {} : { whose: chat.whose };
}

/** Of somebody else's conversation not even that it is there is told. */
async function named(text: string, { app, chat }: SlashHost): Promise<SessionSummary> {
  const found = await app.sessions.find(text).catch((cause: unknown) => {
    if (chat?.whose === undefined) throw cause;
  });
  if (found === undefined || (chat?.whose !== undefined && found.whose !== chat.whose))
    throw new UserError(`No session of yours has the id or title "${text}".`, { hint: "/sessions lists them." });
  return found;
}

export async function branch(args: string, host: SlashHost): Promise<string> {
  const from = host.session();
  needWords(host, "branch");
  const copy = await host.app.sessions.branch(from.id);
  if (args !== "") await host.app.sessions.rename(copy.id, args);
  await host.switchSession?.({ sessionId: copy.id });
  return `This is ${copy.id}, a copy of ${from.id}. The original stays as it is.`;
}

export async function title(args: string, host: SlashHost): Promise<string> {
  if (args === "") return (await titleOf(host)) ?? "No title yet. /title TEXT sets one.";
  if (host.session().view().entries.length === 0)
    return "Nothing is said yet: there is no conversation to give a title to.";
  await host.app.sessions.rename(host.session().id, args);
  host.titled?.(args);
  return `Titled “${args}”.`;
}

/** A session is stored with its first words. */
function needWords(host: SlashHost, verb: string): void {
  if (host.session().view().entries.length === 0)
    throw new UserError(`Nothing is said yet: there is no conversation to ${verb}.`);
}

/** As it is stored: it may have been given elsewhere since this session was opened. */
export async function titleOf(host: SlashHost): Promise<string | undefined> {
  const session = host.session();
  if (session.view().entries.length === 0) return undefined;
  return (await host.app.sessions.find(session.id)).title;
}

export async function save(args: string, host: SlashHost): Promise<string> {
  const { writeFile } = await import("node:fs/promises");
  const { markdownOf } = await import("../conversation/session-markdown.ts");
  needWords(host, "save");
  const session = await host.app.sessions.find(host.session().id);
  const file = args === "" ? `hermes-${session.id}.md` : args;
  await writeFile(file, markdownOf(session, host.session().view()), { flag: "wx", mode: 0o600 }).catch(
    (cause: NodeJS.ErrnoException) => {
      throw new UserError(cause.code === "EEXIST" ? `${file} exists already; name another file.` : cause.message, {
        cause,
      });
    },
  );
  return `Saved to ${file}.`;
}

/** Returns at once when a turn runs; the stored input is taken in when its time comes. */
export async function sendLater(args: string, mode: "queue" | "steer", host: SlashHost): Promise<string> {
  if (args === "") return `/${mode} needs a text.`;
  const session = host.session();
  const busy = session.busy;
  const sent = session.send(args, { mode });
  sent.catch((error: unknown) => host.app.log.error("A queued turn failed", { cause: error }));
  if (!busy) await sent;
  return busy && host.showsWaiting !== true
    ? mode === "queue"
      ? "Queued."
      : "Noted; it arrives after the next tool call."
    : "";
}

/** `/compress [TOPIC]`. */
export async function compress(args: string, host: SlashHost): Promise<string> {
  const done = await host.session().compact(args === "" ? {} : { focus: args });
  if (done === undefined) return "There is nothing to shorten yet.";
  const thousands = (tokens: number): string => `${(tokens / 1000).toFixed(1)}k`;
  return `Shortened from about ${thousands(done.tokensBefore)} to ${thousands(done.tokensAfter)} tokens. What was said before stays in /history; the model reads a summary of it.`;
}

/** `/continue`. */
export async function carryOn(host: SlashHost): Promise<string> {
  return (await host.carryOn?.()) === undefined ? "Nothing was interrupted here." : ""; // How its turn ends is shown as it does.
}

export async function stop(host: SlashHost): Promise<string> {
  if (!host.session().busy) return "Nothing is running.";
  await host.session().interrupt("/stop");
  return "Stopped.";
}
