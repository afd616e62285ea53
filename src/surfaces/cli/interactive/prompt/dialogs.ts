import { Container, Input, Spacer, Text, type Component } from "@earendil-works/pi-tui";
import type { Answer, Question } from "../../../../contract/conversation/question.ts";
import { approvalText, timeLeft } from "../../../shared/display/approval-text.ts";
import { printable } from "../../../shared/display/printable.ts";
import type { PickList } from "../../../../contract/conversation/pick-list.ts";
import { Labelled } from "../view/labelled.ts";
import type { Theme } from "../view/theme.ts";
import { KeyedList } from "./keyed-list.ts";
import { Picker } from "./picker.ts";

/** With more choices than this, none has a key; the user filters them. */
const MOST_KEYS = 9;

/** Parts of the screen in which questions are asked. */
export type DialogPart = "approval_widget" | "secret_widget" | "clarify_widget" | "model_picker_widget";

export interface Dialog {
  readonly part: DialogPart;
  /** What the user is called to, on one line; `undefined` for a dialog that the user opened. */
  readonly title: string | undefined;
  readonly body: Component;
  readonly focus: Component;
  /** It has the keyboard now. */
  ready(): void;
}

/** The part of the screen that a picker needs. */
export interface PickerScreen {
  rows(): number;
  draw(): void;
}

/** A dialog without its place on the screen. */
export type DialogBody = Omit<Dialog, "part">;

/**
 * The dialog that asks this question.
 * @param instead Replaces the dialog with another one.
 */
export function dialogOf(
  question: Question,
  theme: Theme,
  screen: PickerScreen,
  resolve: (answer: Answer) => void,
  instead: (dialog: DialogBody) => void,
): DialogBody {
  if (question.kind === "approval") return approvalDialog(question, theme, resolve, instead);
  if (question.kind === "choice") return choiceDialog(question, theme, screen, resolve, instead);
  return answerDialog(question.text, question.secret === true, theme, resolve);
}

function approvalDialog(
  question: Extract<Question, { kind: "approval" }>,
  theme: Theme,
  resolve: (answer: Answer) => void,
  instead: (dialog: DialogBody) => void,
): DialogBody {
  const { title, parts, choices } = approvalText(question);
  const askedAt = performance.now();
  const refuse = (): void => resolve({ kind: "refused" });
  const list = new KeyedList([...choices, { key: "t", label: "deny, and tell the model why" }], theme, {
    selected: choices.length - 1,
    chosen: (index) => {
      const chosen = choices[index];
      if (chosen === undefined)
        instead(
          textDialog("Why not, or what to do instead?", new Input(), theme, {
            given: (reason) => resolve({ kind: "refused", reason: reason.trim() }),
            left: refuse,
            keys: "Enter denies and sends this to the model · Esc denies without it",
          }),
        );
      else if (chosen.scope === "deny") refuse();
      else resolve({ kind: "approved", scope: chosen.scope });
    },
    left: refuse,
  });
  const lines = parts.map(
    ({ label, text }) => new Labelled(theme.dim(label.padEnd(6)), label === "$" ? theme.strong(text) : text),
  );
  return framed(
    theme,
    { title, shown: theme.warn(theme.strong(`⚠ ${title}`)) },
    [...lines, new Spacer(1), list],
    list,
    () => `Esc denies · ${timeLeft(question.timeoutMs, performance.now() - askedAt)} left`,
  );
}

function choiceDialog(
  { text, choices, other }: Extract<Question, { kind: "choice" }>,
  theme: Theme,
  screen: PickerScreen,
  resolve: (answer: Answer) => void,
  instead: (dialog: DialogBody) => void,
): DialogBody {
  const left = (): void => resolve({ kind: "none", reason: "cancelled" });
  if (choices.length > MOST_KEYS && !other) {
    const items = [...new Set(choices)].map((value) => ({ value, label: value }));
    const picked = (value: string): void => resolve({ kind: "text", text: value });
    return pickerDialog({ title: text, items }, theme, screen, { picked, left });
  }
  const labels = [...choices.map(printable), ...(other ? ["Other (type your answer)"] : [])];
  const list = new KeyedList(
    labels.map((label, index) => ({ key: index < 9 ? String(index + 1) : String.fromCharCode(88 + index), label })),
    theme,
    {
      selected: 0,
      chosen: (index) => {
        const choice = choices[index];
        if (choice === undefined) instead(answerDialog(text, false, theme, resolve));
        else resolve({ kind: "text", text: choice });
      },
      left,
    },
  );
  return framed(theme, asked(text, theme), [list], list, () => "Esc skips");
}

/** The dialog of a list with a filter and a preview. Its last line shows its keys. */
export function pickerDialog(
  list: PickList,
  theme: Theme,
  screen: PickerScreen,
  ends: { readonly picked: (value: string) => void; readonly left: () => void },
): DialogBody {
  const picker = new Picker(list, { theme, rows: () => screen.rows(), draw: () => screen.draw(), ...ends });
  const { title, shown } = asked(list.title, theme);
  const body = new Container();
  for (const child of [new Spacer(1), new Text(shown, 1, 0), picker]) body.addChild(child);
  return { title, body, focus: picker, ready: () => {} };
}

function answerDialog(text: string, secret: boolean, theme: Theme, resolve: (answer: Answer) => void): DialogBody {
  return textDialog(text, secret ? new SecretInput() : new Input(), theme, {
    given: (value) => resolve({ kind: "text", text: value }),
    left: () => resolve({ kind: "none", reason: "cancelled" }),
    keys: "Enter answers · Esc skips",
  });
}

function textDialog(
  text: string,
  input: Input,
  theme: Theme,
  { given, left, keys }: { readonly given: (text: string) => void; readonly left: () => void; readonly keys: string },
): DialogBody {
  input.onSubmit = given;
  input.onEscape = left;
  return framed(theme, asked(text, theme), [input], input, () => keys);
}

/** The title of a dialog, and how the dialog shows it. */
interface Title {
  readonly title: string;
  readonly shown: string;
}

function asked(text: string, theme: Theme): Title {
  return { title: text, shown: theme.strong(`? ${printable(text)}`) };
}

function framed(
  theme: Theme,
  { title, shown }: Title,
  children: readonly Component[],
  focus: Component,
  keys: () => string,
): DialogBody {
  const body = new Container();
  let ready = false;
  const foot: Component = {
    render: (width) => new Text(theme.dim(ready ? keys() : "…"), 1, 0).render(width),
    invalidate: () => {},
  };
  for (const child of [new Spacer(1), new Text(shown, 1, 0), ...children, new Spacer(1), foot]) body.addChild(child);
  return { title, body, focus, ready: () => void (ready = true) };
}

/** Shows how much was typed, never what. */
class SecretInput extends Input {
  override render(_width: number): string[] {
    return [`> ${"•".repeat(Math.min(32, this.getValue().length))}`];
  }
}
