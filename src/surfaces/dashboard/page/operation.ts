import type { OperationEvent } from "../operation-event.ts";
import { ask, follow } from "./ask.ts";
import { element, fill } from "./element.ts";
import { noticeBox } from "./parts-of-page.ts";
import { asked } from "./question.ts";
import { say } from "./text.ts";
import { loadServerTexts, sayServer } from "./server-text.ts";

/**
 * Runs a command of the server: shows what it prints in `notes` and asks its questions in dialogs. When the page is left,
 * the command is cancelled.
 *
 * @returns whether it succeeded.
 */
export async function operate(notes: HTMLElement, path: string, body: object, signal: AbortSignal): Promise<boolean> {
  const lines: string[] = [];
  /** Since the last question. */
  let fresh: string[] = [];
  const output = element("pre", { class: "output", tabindex: 0, "aria-label": say("Output") });
  const state = element("p", { role: "status", class: "quiet" }, say("Working …"));
  fill(notes, state, output);
  output.hidden = true;
  await loadServerTexts();
  for await (const event of follow<OperationEvent>(path, signal, body)) {
    if (event.kind === "text") {
      lines.push(event.text);
      fresh.push(event.text);
      output.hidden = false;
      output.textContent = lines.join("\n");
    } else if (event.kind === "ask") {
      const answer = await asked({
        question: sayServer(event.text),
        detail: fresh.join("\n"),
        field: event.question === "confirm" ? undefined : event.question,
        yes: event.question === "confirm" ? undefined : say("Save"),
        signal,
      });
      fresh = [];
      await ask("POST", `/api/answers/${event.id}`, {
        answer: event.question === "confirm" ? answer !== undefined : (answer ?? ""),
      });
    } else if (event.kind === "failed") {
      const hint = event.hint === undefined ? undefined : sayServer(event.hint);
      fill(notes, noticeBox("bad", sayServer(event.error), hint), lines.length > 0 && output);
      return false;
    } else {
      fill(notes, noticeBox(event.ok ? "good" : "warn", event.ok ? say("Done.") : say("Not done.")), output);
      return event.ok;
    }
  }
  return false;
}
