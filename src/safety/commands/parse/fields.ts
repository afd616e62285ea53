import { activateGlobs, EVERY_PROCESS, hasMark, isKnown, MANY } from "./marks.ts";
import type { ShellState, Value } from "./state.ts";

/** More than a command may have, so that a caller that counts sees that there were too many. */
const MAX_FIELDS = 4002;

/** The fields a word becomes, gathered from left to right. */
export class Fields {
  private readonly done: string[] = [];
  private current: string | undefined;
  private readonly state: ShellState;

  constructor(state: ShellState) {
    this.state = state;
  }

  quoted(text: string, literal = false): void {
    if (literal && text === "") return;
    const joined = (this.current ?? "") + text;
    this.state.budget.spend(0.1 + text.length / 100);
    this.current = joined;
  }

  /** An expansion outside quotes: split by IFS, its pattern characters alive. */
  split(text: string): void {
    const ifs = this.state.variables.get("IFS");
    const separators = typeof ifs === "string" && isKnown(ifs) ? ifs : " \t\n";
    if (![...separators].some((separator) => text.includes(separator))) {
      if (text !== "") this.quoted(activateGlobs(text));
      return;
    }
    this.state.budget.spend(text.length / 8);
    let piece = "";
    for (const char of text) {
      if (!separators.includes(char)) {
        piece += char;
        continue;
      }
      if (piece !== "") this.quoted(activateGlobs(piece));
      piece = "";
      this.cut();
    }
    if (piece !== "") this.quoted(activateGlobs(piece));
  }

  /** `"$@"`: each its own field. */
  list(items: readonly string[], quoted: boolean): void {
    items.forEach((item, index) => {
      if (index > 0) this.cut();
      if (quoted) this.quoted(item);
      else this.split(item);
    });
  }

  cut(): void {
    if (this.current !== undefined && this.done.length < MAX_FIELDS) this.done.push(this.current);
    this.current = undefined;
  }

  finish(): readonly string[] {
    this.cut();
    return this.done;
  }
}

export function addValue(value: Value, fields: Fields, quoted: boolean): void {
  if (typeof value !== "string") fields.list(value, quoted);
  else if (quoted) fields.quoted(value);
  else if (value === EVERY_PROCESS || (value.length === 1 && hasMark(value))) fields.quoted(value + MANY);
  else fields.split(value);
}
