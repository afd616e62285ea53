import { EXPIRED, type Answer, type Prompter, type Question } from "../../../../contract/conversation/question.ts";
import type { Theme } from "../view/theme.ts";
import type { PickList } from "../../../../contract/conversation/pick-list.ts";
import { dialogOf, pickerDialog, type Dialog, type DialogBody, type DialogPart, type PickerScreen } from "./dialogs.ts";

/**
 * Shows dialogs. A dialog gets the keyboard after the user stops typing, so that no key meant for the editor answers
 * it.
 */
export interface DialogHost extends PickerScreen {
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
  browse(list: PickList, part: DialogPart, signal: AbortSignal): Promise<string | undefined>;
} {
  let last: Promise<unknown> = Promise.resolve();
  return {
    atTerminal: true,
    ask: (question, signal) =>
      inTurn(() => show(asking(question), { part: partOf(question), moves: question.kind === "approval", signal })),
    async pick(text, choices, part, signal) {
      const question: Question = { kind: "choice", text, choices, other: false };
      const answer = await inTurn(() => show(asking(question), { part, own: true, signal }));
      return answer.kind === "text" ? answer.text : undefined;
    },
    async browse(list, part, signal) {
      const answer = await inTurn(() =>
        show(
          (resolve) =>
            pickerDialog(list, theme, host, {
              picked: (text) => resolve({ kind: "text", text }),
              left: () => resolve({ kind: "none", reason: "cancelled" }),
            }),
          { part, own: true, signal },
        ),
      );
      return answer.kind === "text" ? answer.text : undefined;
    },
  };

  function inTurn(work: () => Promise<Answer>): Promise<Answer> {
    const turn = last.then(work);
    last = turn.catch(() => undefined);
    return turn;
  }

  function asking(question: Question): Make {
    return (resolve, instead) => dialogOf(question, theme, host, resolve, instead);
  }

  async function show(make: Make, { part, own, moves, signal }: Showing): Promise<Answer> {
    if (signal.aborted) return { kind: "none", reason: "cancelled" };
    const { promise, resolve } = Promise.withResolvers<Answer>();
    const first = make(resolve, (next) => {
      host.close(open);
      open = { ...next, title: undefined, part };
      host.open(open, true);
    });
    let open: Dialog = { ...first, title: own === true ? undefined : first.title, part };
    const giveUp = (): void => resolve({ kind: "none", reason: signal.reason === EXPIRED ? "timeout" : "cancelled" });
    signal.addEventListener("abort", giveUp, { once: true });
    host.open(open, own);
    using _ = moves === true ? host.move() : undefined;
    try {
      return await promise;
    } finally {
      signal.removeEventListener("abort", giveUp);
      host.close(open);
    }
  }
}

/** Makes a dialog. `instead` replaces it with another one. */
type Make = (resolve: (answer: Answer) => void, instead: (next: DialogBody) => void) => DialogBody;

interface Showing {
  readonly part: DialogPart;
  /** The user opened it: nothing needs to call them. */
  readonly own?: boolean;
  /** It has a countdown. */
  readonly moves?: boolean;
  readonly signal: AbortSignal;
}

function partOf(question: Question): DialogPart {
  if (question.kind === "approval") return "approval_widget";
  return question.kind === "text" && question.secret === true ? "secret_widget" : "clarify_widget";
}
