import type { ChatState } from "../../chats/chat-state.ts";
import { ask } from "../ask.ts";
import { element } from "../element.ts";
import { doing } from "../parts-of-page.ts";
import { asked } from "../question.ts";
import { say } from "../text.ts";

interface HeadOptions {
  /** The chat has messages. */
  readonly stored: boolean;
  readonly notes: HTMLElement;
  readonly signal: AbortSignal;
}

/** The model and the folder of a chat, and what can be done with it. */
export function chatHead(
  { sessionId, model, cwd, yolo }: ChatState,
  { stored, notes, signal }: HeadOptions,
): readonly (HTMLElement | false)[] {
  const id = encodeURIComponent(sessionId);
  return [
    element("span", { class: "quiet small about" }, `${model} · ${cwd}`),
    yolo && element("span", { class: "tag bad" }, say("approvals off")),
    stored &&
      element(
        "div",
        { class: "actions" },
        element("a", { href: "#/chat", class: "button", onclick: beginAgain }, say("New")),
        doing(say("Rename"), notes, rename),
        doing(say("Branch"), notes, branch),
        element("a", { class: "button", href: `#/sessions/${id}` }, say("Trace")),
      ),
  ];

  async function rename(): Promise<void> {
    const answer = await asked({
      question: say("Title"),
      field: "text",
      yes: say("Rename"),
      no: say("Cancel"),
      signal,
    });
    const title = answer?.trim() ?? "";
    if (title !== "") await ask("PUT", `/api/sessions/${id}/title`, { title });
  }

  async function branch(): Promise<void> {
    const copy = await ask<{ readonly id: string }>("POST", `/api/chats/${id}/branch`, {});
    location.hash = `#/chat/${encodeURIComponent(copy.id)}`;
  }
}

/** The address may be the same already. */
function beginAgain(): void {
  if (location.hash === "#/chat") dispatchEvent(new HashChangeEvent("hashchange"));
}
