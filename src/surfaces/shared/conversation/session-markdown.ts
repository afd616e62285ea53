import type { SessionSummary } from "../../../contract/services/session-service.ts";
import type { SessionView } from "../../../contract/conversation/session.ts";
import { endingOfText } from "../display/call-ending.ts";

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
      case "tool": {
        // A command that ended with an error is a successful call to the model, and a failure to the user.
        const exit = entry.ok ? endingOfText(true, entry.outcome).text : "";
        return [
          `<details><summary>${entry.ok && exit === "" ? "✓" : "✗"} ${entry.tool} (${[exit, `${Math.round(entry.durationMs)} ms`].filter((text) => text !== "").join(", ")})</summary>`,
          "",
          fence(JSON.stringify(entry.args ?? {}, null, 2), "json"),
          "",
          fence(entry.outcome, ""),
          "",
          "</details>",
          "",
        ];
      }
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
