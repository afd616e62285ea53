import type { App } from "../../../contract/services/app.ts";
import { maskField } from "../../../safety/secrets/mask-value.ts";
import type { SessionSummary } from "../../../contract/services/session-service.ts";

export type ExportFormat = "md" | "jsonl";

/**
 * A session as a document to share: Markdown, or one line for each fact. The store masks stored secrets; this also
 * masks text that looks like a secret.
 */
export async function exportedSession(app: App, session: SessionSummary, format: ExportFormat): Promise<string> {
  if (format === "md") {
    const { markdownOf } = await import("./session-markdown.ts");
    return app.mask(markdownOf(session, await app.sessions.view(session.id)));
  }
  let text = "";
  for await (const { seq, at, fact } of app.sessions.facts(session.id))
    text += `${JSON.stringify({ seq, at, ...fact }, masked)}\n`;
  return text;

  function masked(key: string, value: unknown): unknown {
    return typeof value === "string" ? maskField(key, value, (one) => app.mask(one)) : value;
  }
}
