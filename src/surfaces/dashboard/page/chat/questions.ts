import type { ShownQuestion } from "../../chats/chat-state.ts";
import { element, fill } from "../element.ts";
import { approvalBox } from "../parts/approval-box.ts";
import { carryOut } from "../parts-of-page.ts";
import { say } from "../text.ts";

type Asked<Kind extends ShownQuestion["kind"]> = Extract<ShownQuestion, { kind: Kind }>;

/** The open questions of a chat above its editor. */
export class Questions {
  readonly element = element("div", { class: "questions" });
  readonly #answer: (id: string, body: object) => Promise<unknown>;
  readonly #boxes = new Map<string, HTMLElement>();

  /** @param answer Sends an answer to the server. */
  constructor(answer: (id: string, body: object) => Promise<unknown>) {
    this.#answer = answer;
  }

  /** @returns a question that was not shown before. */
  draw(questions: readonly ShownQuestion[]): ShownQuestion | undefined {
    const ids = new Set(questions.map(({ id }) => id));
    for (const [id, box] of this.#boxes) {
      if (ids.has(id)) continue;
      box.remove();
      this.#boxes.delete(id);
    }
    const fresh = questions.filter(({ id }) => !this.#boxes.has(id));
    for (const question of fresh) {
      const box = this.#draw(question);
      this.#boxes.set(question.id, box);
      this.element.append(box);
    }
    return fresh[0];
  }

  /** Moves the focus to the first question. */
  focus(): void {
    this.element.querySelector<HTMLElement>("h2")?.focus();
  }

  #draw(question: ShownQuestion): HTMLElement {
    switch (question.kind) {
      case "approval":
        return approvalBox(question, {
          untilAt: Date.now() + question.leftMs,
          decide: (choice, reason) => this.#answer(question.id, { choice, reason }),
        });
      case "choice":
        return this.#choice(question);
      case "text":
        return this.#text(question);
    }
  }

  #choice({ id, text, choices, other }: Asked<"choice">): HTMLElement {
    const notes = element("div");
    return this.#box(
      text,
      notes,
      id,
      element(
        "div",
        { class: "row choices" },
        choices.map((choice) =>
          element("button", { type: "button", onclick: (event) => this.#send(event, notes, id, choice) }, choice),
        ),
      ),
      other && this.#field(id, notes, say("Another answer"), false),
    );
  }

  #text({ id, text, secret }: Asked<"text">): HTMLElement {
    const notes = element("div");
    return this.#box(text, notes, id, this.#field(id, notes, say("Answer"), secret));
  }

  #box(text: string, notes: HTMLElement, id: string, ...content: readonly (HTMLElement | false)[]): HTMLElement {
    const heading = `question-${id}`;
    return element(
      "section",
      { class: "question", "aria-labelledby": heading },
      element("h2", { id: heading, tabindex: -1, class: "plain" }, text),
      notes,
      ...content,
      element(
        "button",
        { type: "button", class: "plain-button", onclick: (event) => this.#send(event, notes, id, null) },
        say("Dismiss"),
      ),
    );
  }

  #field(id: string, notes: HTMLElement, label: string, secret: boolean): HTMLElement {
    const field = element("input", {
      class: "wide",
      type: secret ? "password" : "text",
      autocomplete: "off",
      "aria-label": label,
      placeholder: label,
    });
    return element(
      "form",
      {
        class: "row",
        onsubmit: (event) => (event.preventDefault(), this.#send(event, notes, id, field.value)),
      },
      field,
      element("button", { class: "main" }, say("Send")),
    );
  }

  #send(event: Event, notes: HTMLElement, id: string, text: string | null): void {
    const button = event.currentTarget instanceof HTMLButtonElement ? event.currentTarget : undefined;
    void carryOut(button, notes, async () => {
      await this.#answer(id, { text });
      fill(notes);
    });
  }
}
