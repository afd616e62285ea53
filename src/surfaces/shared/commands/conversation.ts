import { UserError } from "../../../contract/common/failure.ts";
import type { SessionSummary } from "../../../contract/services/session-service.ts";
import { sessionName } from "../conversation/session-name.ts";
import type { SlashHost } from "./slash-host.ts";

/** Commands that switch between conversations or send to the current one. */

export async function startNew(host: SlashHost): Promise<string> {
  await host.switchSession?.({});
  await host.app.hooks.sessionReset({ session_id: host.session().id, platform: host.surface, reason: "new_session" });
  return "Started a new session.";
}

export async function recent(host: SlashHost): Promise<string> {
  const sessions = await host.app.sessions.list({ limit: 15, ...seenBy(host) });
  return (
    sessions.map((session) => `${session.id}  ${session.interrupted ? "⚠ " : ""}${sessionName(session)}`).join("\n") ||
    "No sessions yet."
  );
}

export async function resume(args: string, host: SlashHost): Promise<string> {
  if (args === "" && host.browse !== undefined) {
    const picked = await (await import("../pickers/pick-session.ts")).pickSession(host);
    return picked === undefined ? "" : picked === "none" ? "There is no other session yet." : resume(picked.id, host);
  }
  const session =
    args === ""
      ? (await host.app.sessions.list({ limit: 50, ...seenBy(host) })).find(
          ({ id, messages }) => id !== host.session().id && messages > 0,
        )
      : await named(args, host);
  if (session === undefined) return "There is no other session yet.";
  await host.switchSession?.({ sessionId: session.id });
  return `Resumed ${session.title ?? session.id}.`;
}

function seenBy({ chat }: SlashHost): { readonly whose?: string } {
  return chat?.whose === undefined ? {} : { whose: chat.whose };
}

/** Does not reveal whether another user's conversation exists. */
async function named(text: string, { app, chat }: SlashHost): Promise<SessionSummary> {
  const found = await app.sessions.find(text).catch((cause: unknown) => {
    if (chat?.whose === undefined) throw cause;
  });
  if (found === undefined || (chat?.whose !== undefined && found.whose !== chat.whose))
    throw new UserError(`You have no session with the id or title "${text}".`, { hint: "/sessions lists them." });
  return found;
}

export async function branch(args: string, host: SlashHost): Promise<string> {
  const from = host.session();
  requireMessages(host, "branch");
  const copy = await host.app.sessions.branch(from.id);
  if (args !== "") await host.app.sessions.rename(copy.id, args);
  await host.switchSession?.({ sessionId: copy.id });
  return `Copied ${from.id} to ${copy.id}, which is now open. The original is unchanged.`;
}

export async function title(args: string, host: SlashHost): Promise<string> {
  if (args === "") return (await titleOf(host)) ?? "No title yet. Set one with: /title TEXT";
  if (host.session().view().entries.length === 0) return "The conversation is empty, so it cannot have a title yet.";
  await host.app.sessions.rename(host.session().id, args);
  host.titled?.(args);
  return `Titled “${args}”.`;
}

/** A session is stored only with its first message. */
function requireMessages(host: SlashHost, verb: string): void {
  if (host.session().view().entries.length === 0) throw new UserError(`The conversation is empty: nothing to ${verb}.`);
}

/** Reads the stored title: another process may have set it since this session was opened. */
export async function titleOf(host: SlashHost): Promise<string | undefined> {
  const session = host.session();
  if (session.view().entries.length === 0) return undefined;
  return (await host.app.sessions.find(session.id)).title;
}

export async function save(args: string, host: SlashHost): Promise<string> {
  const { writeFile } = await import("node:fs/promises");
  const { markdownOf } = await import("../conversation/session-markdown.ts");
  requireMessages(host, "save");
  const session = await host.app.sessions.find(host.session().id);
  const file = args === "" ? `hermes-${session.id}.md` : args;
  await writeFile(file, markdownOf(session, host.session().view()), { flag: "wx", mode: 0o600 }).catch(
    (cause: NodeJS.ErrnoException) => {
      throw new UserError(
        cause.code === "EEXIST" ? `${file} already exists. Choose another file name.` : cause.message,
        {
          cause,
        },
      );
    },
  );
  return `Saved to ${file}.`;
}

/** Returns at once if a turn runs; the engine reads the stored input later. */
export async function sendLater(args: string, mode: "queue" | "steer", host: SlashHost): Promise<string> {
  if (args === "") return `Usage: /${mode} TEXT`;
  const session = host.session();
  const busy = session.busy;
  const sent = session.send(args, { mode });
  sent.catch((error: unknown) => host.app.log.error("A queued turn failed", { cause: error }));
  if (!busy) await sent;
  return busy && host.showsWaiting !== true
    ? mode === "queue"
      ? "Queued."
      : "Saved. The agent gets it after the next tool call."
    : "";
}

/** `/compress [TOPIC]`. */
export async function compress(args: string, host: SlashHost): Promise<string> {
  const done = await host.session().compact(args === "" ? {} : { focus: args });
  if (done === undefined) return "The conversation is too short to compress.";
  const thousands = (tokens: number): string => `${(tokens / 1000).toFixed(1)}k`;
  return `Compressed from about ${thousands(done.tokensBefore)} to ${thousands(done.tokensAfter)} tokens. The model now reads a summary; /history still shows the whole conversation.`;
}

/** `/continue`. */
export async function carryOn(host: SlashHost): Promise<string> {
  return (await host.carryOn?.()) === undefined ? "There is no interrupted turn." : ""; // The turn shows its own end.
}

export async function stop(host: SlashHost): Promise<string> {
  if (!host.session().busy) return "Nothing is running.";
  await host.session().interrupt("/stop");
  return "Stopped.";
}
