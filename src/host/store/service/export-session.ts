import type { SessionSummary } from "../../../contract/services/session-service.ts";
import type { Recorded } from "../../../contract/conversation/fact.ts";
import type { SessionView, ViewEntry } from "../../../contract/conversation/session.ts";

export type ExportFormat = "json" | "markdown";

/** One session as a document: `json` is complete (every fact), `markdown` is for reading. */
export async function* exportSession(
  session: SessionSummary,
  facts: () => AsyncIterable<Recorded>,
  view: () => Promise<SessionView>,
  format: ExportFormat,
): AsyncGenerator<string, void, undefined> {
  if (format === "json") yield* asJson(session, facts());
  else yield* asMarkdown(session, await view());
}

async function* asJson(
  session: SessionSummary,
  facts: AsyncIterable<Recorded>,
): AsyncGenerator<string, void, undefined> {
  const head = JSON.stringify({ format: "hermes-session", version: 1, session }, undefined, 2);
  yield `${head.slice(0, -2)},\n  "facts": [`;
  let comma = "";
  for await (const recorded of facts) {
    yield `${comma}\n    ${JSON.stringify(recorded)}`;
    comma = ",";
  }
  yield "\n  ]\n}\n";
}

function* asMarkdown(session: SessionSummary, view: SessionView): Generator<string, void, undefined> {
  yield `# ${oneLine(session.title ?? (session.preview || session.id))}\n\n`;
  const details = [
    `Session \`${session.id}\``,
    `${new Date(session.startedAt).toISOString()}`,
    `on ${session.surface}`,
    ...(session.model === undefined ? [] : [`with ${session.model}`]),
  ];
  yield `${details.join(", ")}.\n`;
  for (const entry of view.entries) yield `\n${entryText(entry)}\n`;
}

function entryText(entry: ViewEntry): string {
  switch (entry.kind) {
    case "user":
      return `## ${entry.origin === "person" ? "You" : `Input (${entry.origin})`}\n\n${entry.text}`;
    case "assistant":
      return `## Hermes\n\n${entry.text}`;
    case "tool":
      return `### ${entry.tool}${entry.ok ? "" : " (failed)"}\n\n${entry.args === undefined ? "" : `${fenced(JSON.stringify(entry.args, undefined, 2), "json")}\n\n`}${fenced(entry.outcome, "")}`;
    case "note":
      return `> ${oneLine(entry.text)}`;
  }
}

/** A fence longer than any run of backticks inside. */
function fenced(text: string, language: string): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map((run) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
