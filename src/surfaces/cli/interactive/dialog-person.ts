import { Container, Input, SelectList, Spacer, Text, type Component, type Focusable, type SelectItem, type TUI } from "@earendil-works/pi-tui";
import type { Scope } from "../../../contract/approval.ts";
import type { Answer, Person, Question } from "../../../contract/question.ts";
import { approvalText } from "../approval-text.ts";
import type { Theme } from "./theme.ts";

/** A person in front of the interactive screen: one question at a time, in place of the editor. Escape refuses. */
export function dialogPerson(tui: TUI, place: Container, focusEditor: () => void, theme: Theme): Person {
  let last: Promise<unknown> = Promise.resolve();
  return {
    ask(question, signal) {
      const turn = last.then(() => show(question, signal));
      last = turn.catch(() => undefined);
      return turn;
    },
  };

  async function show(question: Question, signal: AbortSignal): Promise<Answer> {
    if (signal.aborted) return { kind: "none", reason: "timeout" };
    const { promise, resolve } = Promise.withResolvers<Answer>();
    const dialog = question.kind === "text" ? textDialog(question.text, resolve) : question.kind === "choice" ? choiceDialog(question, resolve) : approvalDialog(question, resolve);
    const giveUp = (): void => resolve({ kind: "none", reason: "timeout" });
    signal.addEventListener("abort", giveUp, { once: true });
    place.addChild(dialog.body);
    tui.setFocus(dialog.focus);
    tui.terminal.write("\x07");
    tui.requestRender();
    try {
      return await promise;
    } finally {
      signal.removeEventListener("abort", giveUp);
      place.removeChild(dialog.body);
      focusEditor();
      tui.requestRender();
    }
  }

  function approvalDialog(question: Extract<Question, { kind: "approval" }>, resolve: (answer: Answer) => void): Dialog {
    const { title, lines, choices } = approvalText(question.request, question.scopes);
    const items = choices.map(({ scope, label, key }) => ({ value: scope, label: `${label}  (${key})` }));
    const list = new KeyedList(items, choices.map(({ key }) => key), theme);
    list.onChoice = (value) => resolve(value === "deny" ? { kind: "refused" } : { kind: "approved", scope: value as Scope });
    list.onEscape = () => resolve({ kind: "refused" });
    list.select(items.length - 1);
    return framed([new Text(theme.warn(theme.strong(`⚠ ${title}`)), 1, 0), new Text(lines.join("\n"), 1, 0), new Spacer(1), list], list);
  }

  function choiceDialog(question: Extract<Question, { kind: "choice" }>, resolve: (answer: Answer) => void): Dialog {
    const other = "Something else…";
    const items = [...question.choices.map((choice) => ({ value: choice, label: choice })), ...(question.other ? [{ value: other, label: other }] : [])];
    const list = new KeyedList(items, items.map((_, index) => String(index + 1)), theme);
    const body = new Container();
    list.onEscape = () => resolve({ kind: "none", reason: "cancelled" });
    list.onChoice = (value) => {
      if (value !== other) return resolve({ kind: "text", text: value });
      body.clear();
      const open = textDialog(question.text, resolve);
      body.addChild(open.body);
      tui.setFocus(open.focus);
      tui.requestRender();
    };
    for (const child of [new Text(theme.strong(question.text), 1, 0), list]) body.addChild(child);
    return { body, focus: list };
  }

  function textDialog(text: string, resolve: (answer: Answer) => void): Dialog {
    const input = new Input();
    input.onSubmit = (value) => resolve({ kind: "text", text: value });
    input.onEscape = () => resolve({ kind: "none", reason: "cancelled" });
    return framed([new Text(theme.strong(text), 1, 0), input], input);
  }
}

interface Dialog {
  readonly body: Container;
  readonly focus: Component;
}

function framed(children: readonly Component[], focus: Component): Dialog {
  const body = new Container();
  body.addChild(new Spacer(1));
  for (const child of children) body.addChild(child);
  return { body, focus };
}

/** A list in which a letter or digit chooses at once. */
class KeyedList implements Component, Focusable {
  focused = false;
  onChoice: (value: string) => void = () => {};
  onEscape: () => void = () => {};
  readonly #list: SelectList;
  readonly #items: readonly SelectItem[];
  readonly #keys: readonly string[];

  constructor(items: SelectItem[], keys: readonly string[], theme: Theme) {
    this.#items = items;
    this.#keys = keys;
    this.#list = new SelectList(items, Math.min(items.length, 10), theme.select, { maxPrimaryColumnWidth: 100 });
    this.#list.onSelect = (item) => this.onChoice(item.value);
    this.#list.onCancel = () => this.onEscape();
  }

  select(index: number): void {
    this.#list.setSelectedIndex(index);
  }

  handleInput(data: string): void {
    const item = this.#items[this.#keys.indexOf(data.toLowerCase())];
    if (item !== undefined) this.onChoice(item.value);
    else this.#list.handleInput(data);
  }

  render(width: number): string[] {
    return this.#list.render(width);
  }

  invalidate(): void {
    this.#list.invalidate();
  }
}
