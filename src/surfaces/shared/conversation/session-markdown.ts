import type { SessionSummary } from "../../../contract/services/session-service.ts";
import type { SessionView } from "../../../contract/conversation/session.ts";

/** A conversation as a Markdown document. */
export function markdownOf(session: SessionSummary, view: SessionView): string {
  const head = [
    `# ${view.title ?? session.id}`,
    "",
    `Session ${session.id} · ${new Date(session.startedAt).toISOString()} · ${view.model ?? "no model"} · ${view.turns} ${view.turns === 1 ? "turn" : "turns"}`,
    "",
  ];
  const body = view.entries.flatMap((entry) => {
    switch (entry.kind) {
      case "user":
        return [`## ${entry.origin === "person" ? "You" : entry.origin}`, "", entry.text, ""];
      case "assistant":
        return entry.text === "" ? [] : ["## Hermes", "", entry.text, ""];
      case "tool":
        return [
          `<details><summary>${entry.ok ? "✓" : "✗"} ${entry.tool} (${Math.round(entry.durationMs)} ms)</summary>`,
          "",
          fence(JSON.stringify(entry.args ?? {}, null, 2), "json"),
          "",
          fence(entry.outcome, ""),
          "",
          "</details>",
          "",
        ];
      case "note":
        return [`> ${entry.text.replaceAll("\n", "\n> ")}`, ""];
    }
  });
  return `${[...head, ...body].join("\n").trimEnd()}\n`;
}

function fence(text: string, language: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map((run) => run[0].length));
  const ticks = "`".repeat(longest + 1);
  return `${ticks}${language}\n${text}\n${ticks}`;
}
