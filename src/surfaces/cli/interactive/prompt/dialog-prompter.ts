import { Container, Input, Spacer, Text, type Component } from "@earendil-works/pi-tui";
import { EXPIRED, type Answer, type Prompter, type Question } from "../../../../contract/conversation/question.ts";
import { approvalText, timeLeft } from "../../../shared/display/approval-text.ts";
import { printable } from "../../../shared/display/printable.ts";
import { KeyedList } from "./keyed-list.ts";
import { Labelled } from "../view/labelled.ts";
import type { Theme } from "../view/theme.ts";

/**
 * Shows dialogs. A dialog gets the keyboard after the user stops typing, so that no key meant for the editor answers
 * it.
 */
export interface DialogHost {
  open(dialog: Dialog): void;
  close(dialog: Dialog): void;
  /** Redraws until disposed, for a dialog with a countdown. */
  move(): Disposable;
}

/** Parts of the screen in which questions are asked. */
export type DialogPart = "approval_widget" | "secret_widget" | "clarify_widget" | "model_picker_widget";

export interface Dialog {
  readonly part: DialogPart;
  readonly body: Component;
  readonly focus: Component;
  /** It has the keyboard now. */
  ready(): void;
}

type Body = Omit<Dialog, "part">;

/** Asks the user of the interactive screen, one question at a time, in place of the editor. Escape denies. */
export function dialogPrompter(
  host: DialogHost,
  theme: Theme,
): Prompter & {
  pick(text: string, choices: readonly string[], part: DialogPart, signal: AbortSignal): Promise<string | undefined>;
} {
  let last: Promise<unknown> = Promise.resolve();
  return {
    ask: (question, signal) =>
      inTurn(
        question,
        question.kind === "approval"
          ? "approval_widget"
          : question.kind === "text" && question.secret === true
            ? "secret_widget"
            : "clarify_widget",
        signal,
      ),
    async pick(text, choices, part, signal) {
      const answer = await inTurn({ kind: "choice", text, choices, other: false }, part, signal);
      return answer.kind === "text" ? answer.text : undefined;
    },
  };

  function inTurn(question: Question, part: DialogPart, signal: AbortSignal): Promise<Answer> {
    const turn = last.then(() => show(question, part, signal));
    last = turn.catch(() => undefined);
    return turn;
  }

  async function show(question: Question, part: DialogPart, signal: AbortSignal): Promise<Answer> {
    if (signal.aborted) return { kind: "none", reason: "cancelled" };
    const { promise, resolve } = Promise.withResolvers<Answer>();
    let open: Dialog = {
      ...dialogOf(question, resolve, (next) => {
        host.close(open);
        open = { ...next, part };
        host.open(open);
      }),
      part,
    };
    const giveUp = (): void => resolve({ kind: "none", reason: signal.reason === EXPIRED ? "timeout" : "cancelled" });
    signal.addEventListener("abort", giveUp, { once: true });
    host.open(open);
    using _ = question.kind === "approval" ? host.move() : undefined;
    try {
      return await promise;
    } finally {
      signal.removeEventListener("abort", giveUp);
      host.close(open);
    }
  }

  function dialogOf(question: Question, resolve: (answer: Answer) => void, instead: (dialog: Body) => void): Body {
    if (question.kind === "approval") return approvalDialog(question, resolve);
    if (question.kind === "choice") return choiceDialog(question, resolve, instead);
    return textDialog(question.text, question.secret === true, resolve);
  }

  function approvalDialog(question: Extract<Question, { kind: "approval" }>, resolve: (answer: Answer) => void): Body {
    const { title, parts, choices } = approvalText(question);
    const askedAt = performance.now();
    const list = new KeyedList(choices, theme, {
      selected: choices.length - 1,
      chosen: (index) => {
        const scope = choices[index]?.scope ?? "deny";
        resolve(scope === "deny" ? { kind: "refused" } : { kind: "approved", scope });
      },
      left: () => resolve({ kind: "refused" }),
    });
    const lines = parts.map(
      ({ label, text }) => new Labelled(theme.dim(label.padEnd(6)), label === "$" ? theme.strong(text) : text),
    );
    return framed(
      theme.warn(theme.strong(`⚠ ${title}`)),
      [...lines, new Spacer(1), list],
      list,
      () => `Esc denies · ${timeLeft(question.timeoutMs, performance.now() - askedAt)} left`,
    );
  }

  function choiceDialog(
    { text, choices, other }: Extract<Question, { kind: "choice" }>,
    resolve: (answer: Answer) => void,
    instead: (dialog: Body) => void,
  ): Body {
    const labels = [...choices.map(printable), ...(other ? ["Other (type your answer)"] : [])];
    const list = new KeyedList(
      labels.map((label, index) => ({ key: index < 9 ? String(index + 1) : String.fromCharCode(88 + index), label })),
      theme,
      {
        selected: 0,
        chosen: (index) => {
          const choice = choices[index];
          if (choice === undefined) instead(textDialog(text, false, resolve));
          else resolve({ kind: "text", text: choice });
        },
        left: () => resolve({ kind: "none", reason: "cancelled" }),
      },
    );
    return framed(theme.strong(`? ${printable(text)}`), [list], list, () => "Esc skips");
  }

  function textDialog(text: string, secret: boolean, resolve: (answer: Answer) => void): Body {
    const input = secret ? new SecretInput() : new Input();
    input.onSubmit = (value) => resolve({ kind: "text", text: value });
    input.onEscape = () => resolve({ kind: "none", reason: "cancelled" });
    return framed(theme.strong(`? ${printable(text)}`), [input], input, () => "Enter answers · Esc skips");
  }

  function framed(title: string, children: readonly Component[], focus: Component, keys: () => string): Body {
    const body = new Container();
    let ready = false;
    const foot: Component = {
      render: (width) => new Text(theme.dim(ready ? keys() : "…"), 1, 0).render(width),
      invalidate: () => {},
    };
    for (const child of [new Spacer(1), new Text(title, 1, 0), ...children, new Spacer(1), foot]) body.addChild(child);
    return { body, focus, ready: () => void (ready = true) };
  }
}

/** Shows how much was typed, never what. */
class SecretInput extends Input {
  override render(_width: number): string[] {
    return [`> ${"•".repeat(Math.min(32, this.getValue().length))}`];
  }
}
