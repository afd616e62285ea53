import { shownOf } from "../../../contract/tools/outcome.ts";
import { textOf } from "../../../contract/conversation/part.ts";
import type { Fact } from "../../../contract/conversation/fact.ts";
import type { ToolDeclaration } from "../../../contract/tools/tool.ts";
import { endingOf } from "../../shared/display/call-ending.ts";
import { subjectOf } from "../../shared/display/call-subject.ts";
import { oneLine } from "../../shared/display/printable.ts";
import type { ToolProgress } from "../../shared/display/display.ts";

export interface ProgressWays {
  readonly mode: ToolProgress;
  /** Maximum characters of an argument. */
  readonly previewLength: number;
}

interface ShownLine {
  readonly text: string;
  readonly count: number;
  /** How the call ended; with `verbose` also its input and result. */
  readonly notes: readonly string[];
}

const VERBOSE_CHARS = 200;

/** The calls of one turn, one line each. Equal consecutive calls share a line. */
export class ProgressLines {
  readonly #toolOf: (name: string) => Pick<ToolDeclaration, "emoji" | "interactive"> | undefined;
  readonly #lines: ShownLine[] = [];
  readonly #called = new Map<string, Extract<Fact, { readonly type: "tool.called" }>>();
  /** Maps a call to its line. */
  readonly #at = new Map<string, number>();
  #lastTool: string | undefined;

  constructor(toolOf: (name: string) => Pick<ToolDeclaration, "emoji" | "interactive"> | undefined) {
    this.#toolOf = toolOf;
  }

  get lines(): readonly string[] {
    return this.#lines.map(({ text, count, notes }) =>
      [`${text}${count > 1 ? ` (×${count})` : ""}`, ...notes].join("\n"),
    );
  }

  /** @returns whether the lines changed. */
  onFact(fact: Fact, { mode, previewLength }: ProgressWays): boolean {
    if (mode === "off") return false;
    if (fact.type === "tool.called") this.#called.set(fact.callId, fact);
    if (fact.type === "tool.started") return this.#started(fact.callId, mode, previewLength);
    return fact.type === "tool.settled" && this.#settled(fact, mode);
  }

  #started(callId: string, mode: ToolProgress, previewLength: number): boolean {
    const call = this.#called.get(callId);
    if (call === undefined) return false;
    const declared = this.#toolOf(call.tool);
    const another = call.tool !== this.#lastTool;
    // The chat shows a question separately.
    if (declared?.interactive === true || (mode === "new" && !another)) return false;
    this.#lastTool = call.tool;
    const subject = quoted(subjectOf(call.args), previewLength);
    const text = `${declared?.emoji || "⚡"} ${oneLine(call.tool)}${subject === "" ? "" : `: ${subject}`}`;
    const last = this.#lines.at(-1);
    if (last?.text === text && mode !== "verbose")
      this.#lines[this.#lines.length - 1] = { ...last, count: last.count + 1 };
    else
      this.#lines.push({
        text,
        count: 1,
        notes:
          mode === "verbose" && call.args !== undefined
            ? [`  ← ${quoted(JSON.stringify(call.args), VERBOSE_CHARS)}`]
            : [],
      });
    this.#at.set(callId, this.#lines.length - 1);
    return true;
  }

  #settled({ callId, outcome }: Extract<Fact, { readonly type: "tool.settled" }>, mode: ToolProgress): boolean {
    const at = this.#at.get(callId);
    const line = at === undefined ? undefined : this.#lines[at];
    this.#called.delete(callId);
    this.#at.delete(callId);
    if (at === undefined || line === undefined) return false;
    const ending = endingOf(outcome);
    const bad = ending.kind === "ok" && ending.text === "" ? [] : [`  ✗ ${quoted(ending.text, VERBOSE_CHARS)}`];
    const out = mode === "verbose" ? quoted(textOf(shownOf(outcome)), VERBOSE_CHARS) : "";
    const notes = [...bad, ...(out === "" || bad.length > 0 ? [] : [`  → ${out}`])];
    if (notes.length === 0) return false;
    this.#lines[at] = { ...line, notes: [...line.notes, ...notes] };
    return true;
  }
}

/** One line as inline code, so that platforms do not interpret markup in it. */
function quoted(text: string, most: number): string {
  const line = oneLine(text).replaceAll("`", "'");
  const cut = [...line].length > most ? `${[...line].slice(0, most - 1).join("")}…` : line;
  return cut === "" ? "" : `\`${cut}\``;
}
