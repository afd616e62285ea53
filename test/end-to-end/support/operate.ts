import type { OperationEvent } from "../../../src/surfaces/dashboard/operation-event.ts";
import type { DashboardScene } from "./dashboard-scene.ts";

/**
 * Runs an operation of the dashboard as its page does.
 *
 * @param answers For its questions, in order; further ones are denied.
 * @returns the questions, and what it showed with its end as the last line.
 */
export async function operate(
  scene: DashboardScene,
  path: string,
  body: object,
  answers: readonly (boolean | string)[] = [],
): Promise<{ readonly questions: readonly string[]; readonly text: string }> {
  const headers = { "x-hermes-session-token": scene.token, "content-type": "application/json" };
  const response = await fetch(new URL(path, scene.url), { method: "POST", headers, body: JSON.stringify(body) });
  const [questions, lines]: [string[], string[]] = [[], []];
  let rest = "";
  for await (const piece of response.body!.pipeThrough(new TextDecoderStream())) {
    const whole = (rest + piece).split("\n");
    rest = whole.pop()!;
    for (const line of whole) {
      const event = JSON.parse(line) as OperationEvent;
      if (event.kind === "text") lines.push(event.text);
      else if (event.kind === "failed") lines.push(`${event.error} | ${event.hint ?? ""}`);
      else if (event.kind === "end") lines.push(event.ok ? "ok" : "not done");
      else {
        const answer = answers[questions.length] ?? false;
        questions.push(event.text);
        await scene.ask("POST", `/api/answers/${event.id}`, { answer });
      }
    }
  }
  return { questions, text: lines.join("\n") };
}
