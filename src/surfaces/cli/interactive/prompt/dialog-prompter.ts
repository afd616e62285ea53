import { EXPIRED, type Answer, type Prompter, type Question } from "../../../../contract/conversation/question.ts";
import type { Theme } from "../view/theme.ts";
import { dialogOf, type Dialog, type DialogPart } from "./dialogs.ts";

/**
 * Shows dialogs. A dialog gets the keyboard after the user stops typing, so that no key meant for the editor answers
 * it.
 */
export interface DialogHost {
  /** @param atOnce The user opened it from another dialog: it gets the keyboard at once. */
  open(dialog: Dialog, atOnce?: boolean): void;
  close(dialog: Dialog): void;
  /** Redraws until disposed, for a dialog with a countdown. */
  move(): Disposable;
}

/** Asks the user of the interactive screen, one question at a time, in place of the editor. Escape denies. */
export function dialogPrompter(
  host: DialogHost,
  theme: Theme,
): Prompter & {
  pick(text: string, choices: readonly string[], part: DialogPart, signal: AbortSignal): Promise<string | undefined>;
} {
  let last: Promise<unknown> = Promise.resolve();
  return {
    atTerminal: true,
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
      const answer = await inTurn({ kind: "choice", text, choices, other: false }, part, signal, true);
      return answer.kind === "text" ? answer.text : undefined;
    },
  };

  /** @param own The user opened it: nothing needs to call them. */
  function inTurn(question: Question, part: DialogPart, signal: AbortSignal, own = false): Promise<Answer> {
    const turn = last.then(() => show(question, part, signal, own));
    last = turn.catch(() => undefined);
    return turn;
  }

  async function show(question: Question, part: DialogPart, signal: AbortSignal, own: boolean): Promise<Answer> {
    if (signal.aborted) return { kind: "none", reason: "cancelled" };
    const { promise, resolve } = Promise.withResolvers<Answer>();
    const first = dialogOf(question, theme, resolve, (next) => {
      host.close(open);
      open = { ...next, title: undefined, part };
      host.open(open, true);
    });
    let open: Dialog = { ...first, title: own ? undefined : first.title, part };
    const giveUp = (): void => resolve({ kind: "none", reason: signal.reason === EXPIRED ? "timeout" : "cancelled" });
    signal.addEventListener("abort", giveUp, { once: true });
    host.open(open, own);
    using _ = question.kind === "approval" ? host.move() : undefined;
    try {
      return await promise;
    } finally {
      signal.removeEventListener("abort", giveUp);
      host.close(open);
    }
  }
}
