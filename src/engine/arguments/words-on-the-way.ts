/**
 * What a call in a format of `FORMATS` begins with. A separate list, because every start needs it, and the code that
 * reads the formats loads only with an answer that may hold a call.
 */
export const CALL_MARKS: readonly string[] = [
  "<tool_call>",
  "<minimax:tool_call>",
  "<｜DSML｜function_calls>",
  "<｜DSML｜tool_calls>",
  "<|tool_call>call:",
  "<start_function_call>call:",
  "<|action_start|><|plugin|>",
  "<TOOLCALL>",
  "<tool_calls>",
  "<|tool_call_start|>",
  "<seed:tool_call>",
  "<|tools_prefix|>",
  "<｜tool_calls_begin｜>",
  "<|python_start|>",
  "<|tool_call|>",
  "<|START_ACTION|>",
  "<|channel|>commentary to=",
  "<|start|>assistant to=",
  "<|channel|>analysis to=",
  "commentary to=functions.",
  "<|tool_calls_section_begin|>",
  "<|tool_call_begin|>",
  "<｜tool▁calls▁begin｜>",
  "<｜tool▁call▁begin｜>",
  "<function_calls>",
  '<invoke name="',
  "[TOOL_CALLS]",
  "<|python_tag|>",
  "<function=",
];

/** Every text that holds a call in a form that Hermes reads matches. */
const CALL_SIGN = /[<[{(]|Action\s*:|commentary to=/i;

/** Whether a text may hold a call; most answers do not. */
export function mayHoldCall(text: string): boolean {
  return CALL_SIGN.test(text);
}

const LONGEST_MARK = Math.max(...CALL_MARKS.map((mark) => mark.length));

/** Text that streams to the user: a possible call is not shown until it is clear. */
export class WordsOnTheWay {
  /** From where a call begins, or may begin when more comes. */
  pending = "";
  #begun = false;

  /** @returns What can be shown now: whole characters, of which a stream may bring the halves apart. */
  take(text: string): string {
    const all = this.pending + text;
    const begins = this.#begun ? 0 : this.#begins(all);
    const ready = begins === all.length && isFirstHalf(all) ? begins - 1 : begins;
    this.pending = all.slice(ready);
    return all.slice(0, ready).toWellFormed();
  }

  #begins(text: string): number {
    if (!/[<[]/.test(text)) return text.length;
    const begins = CALL_MARKS.map((mark) => text.indexOf(mark)).filter((at) => at >= 0);
    this.#begun = begins.length > 0;
    if (this.#begun) return Math.min(...begins);
    for (let at = Math.max(0, text.length - LONGEST_MARK + 1); at < text.length; at++) {
      if (CALL_MARKS.some((mark) => mark.startsWith(text.slice(at)))) return at;
    }
    return text.length;
  }
}

/** It ends in the middle of a character of two code units. */
function isFirstHalf(text: string): boolean {
  const last = text.charCodeAt(text.length - 1);
  return last >= 0xd800 && last < 0xdc00;
}
