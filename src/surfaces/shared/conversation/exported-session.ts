import type { App } from "../../../contract/services/app.ts";
import type { SessionSummary } from "../../../contract/services/session-service.ts";

export type ExportFormat = "md" | "jsonl";

/**
 * A session as a document to share: Markdown, or one line for each fact. The store masks stored secrets; this also
 * masks text that looks like a secret.
 */
export async function exportedSession(app: App, session: SessionSummary, format: ExportFormat): Promise<string> {
  if (format === "md") {
    const { markdownOf } = await import("./session-markdown.ts");
    return markdownOf(app.maskValue(session), app.maskValue(await app.sessions.view(session.id)));
  }
  let text = "";
  for await (const { seq, at, fact } of app.sessions.facts(session.id))
    text += `${JSON.stringify(app.maskValue({ seq, at, ...fact }))}\n`;
  return text;
}
