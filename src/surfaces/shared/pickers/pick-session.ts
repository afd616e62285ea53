import type { App } from "../../../contract/services/app.ts";
import type { PickItem } from "../../../contract/conversation/pick-list.ts";
import type { SessionSummary } from "../../../contract/services/session-service.ts";
import type { SlashHost } from "../commands/slash-host.ts";
import { sessionName } from "../conversation/session-name.ts";
import { dollars } from "../display/dollars.ts";
import { homePath } from "../display/home-path.ts";
import { printable } from "../display/printable.ts";
import { ageText } from "./age-text.ts";

const MOST = 10_000;
/** Messages at the end of a session that its preview shows. */
const SHOWN_MESSAGES = 8;
const MESSAGE_LINES = 4;

/** Lets the user pick an earlier session: its id, `undefined` if they left, `"none"` if there is no other one. */
export async function pickSession(host: SlashHost): Promise<{ readonly id: string } | undefined | "none"> {
  const all = await host.app.sessions.list({ limit: MOST });
  const sessions = all.filter(({ id, messages }) => id !== host.session().id && messages > 0);
  if (sessions.length === 0) return "none";
  const byId = new Map(sessions.map((session) => [session.id, session]));
  const id = await host.browse?.({
    title: "Resume which session?",
    items: sessionItems(sessions, Date.now()),
    verb: "resumes",
    preview: (value) => previewOf(host.app, byId.get(value)!),
  });
  return id === undefined ? undefined : { id };
}

/** Newest first, each branch below the session that it left. */
export function sessionItems(sessions: readonly SessionSummary[], now: number): readonly PickItem[] {
  const ids = new Set(sessions.map(({ id }) => id));
  const children = Map.groupBy(sessions, ({ parentId }) =>
    parentId !== undefined && ids.has(parentId) ? parentId : "",
  );
  const items: PickItem[] = [];
  const add = (session: SessionSummary, depth: number): void => {
    items.push({
      value: session.id,
      label: `${session.interrupted ? "⚠ " : ""}${sessionName(session)}`,
      detail: `${ageText(session.lastAt, now)} · ${session.messages} msg · ${folderName(session.cwd)}`,
      depth,
    });
    for (const child of children.get(session.id) ?? []) add(child, depth + 1);
  };
  for (const session of children.get("") ?? []) add(session, 0);
  return items;
}

function folderName(cwd: string): string {
  return homePath(cwd).split("/").at(-1) || "/";
}

async function previewOf(app: App, session: SessionSummary): Promise<string> {
  const { entries } = await app.sessions.view(session.id);
  const spoken = entries.filter(({ kind }) => kind === "user" || kind === "assistant");
  const last = spoken.slice(-SHOWN_MESSAGES).flatMap((entry) => {
    if (entry.kind !== "user" && entry.kind !== "assistant") return [];
    const lines = printable(entry.text)
      .split("\n")
      .filter((line) => line.trim() !== "");
    return lines.slice(0, MESSAGE_LINES).map((line, at) => `${entry.kind === "user" && at === 0 ? "› " : "  "}${line}`);
  });
  return [
    sessionName(session),
    `${homePath(session.cwd)} · ${session.surface}`,
    [
      `${session.messages} messages`,
      ...(session.toolCalls === 0 ? [] : [`${session.toolCalls} calls`]),
      ...(session.costUsd === undefined || session.costUsd === 0 ? [] : [dollars(session.costUsd)]),
      ...(session.model === undefined ? [] : [session.model]),
    ].join(" · "),
    `${session.id}${session.interrupted ? " · interrupted" : ""}`,
    "",
    ...last,
  ].join("\n");
}
