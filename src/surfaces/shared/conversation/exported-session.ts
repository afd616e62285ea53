import type { App } from "../../../contract/services/app.ts";
import type { SessionSummary } from "../../../contract/services/session-service.ts";

export type ExportFormat = "md" | "jsonl";

/**
 * A session as a document to hand on: Markdown for reading, or every fact on a line of its own. The store knows stored secrets; here what
 * looks like one is masked, too.
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

  // Text by text, so that each line stays JSON.
  function masked(_key: string, value: unknown): unknown {
    return typeof value === "string" ? app.mask(value) : value;
  }
}
