/** What the input begins with: a complete sequence, one whose rest is missing, or one that cannot be completed. */
export interface SequenceAt {
  readonly state: "complete" | "begun" | "broken";
  readonly length: number;
}

/** The escape sequence at the beginning of `input`, which begins with an Escape byte (ECMA-48). */
export function sequenceAt(input: string): SequenceAt {
  switch (input[1]) {
    case undefined:
      return { state: "begun", length: 1 };
    case "[":
      return controlSequence(input);
    case "O":
      return input.length < 3 ? { state: "begun", length: 2 } : { state: "complete", length: 3 };
    case "]":
    case "P":
    case "_":
    case "^":
    case "X":
      return controlString(input);
    // The Escape key, and then a sequence or the beginning of one.
    case "\x1b":
      return { state: "complete", length: 1 };
    default:
      return { state: "complete", length: 1 + String.fromCodePoint(input.codePointAt(1)!).length };
  }
}

/** `ESC [`, parameters, and a final byte from `@` to `~`. Old mouse reports have three bytes behind `M`. */
function controlSequence(input: string): SequenceAt {
  const parameters = /^[\x20-\x3f]*/.exec(input.slice(2))![0].length;
  const final = input[2 + parameters];
  if (final === undefined) return { state: "begun", length: input.length };
  if (final < "@" || final > "~") return { state: "broken", length: 2 + parameters };
  if (final === "M" && parameters === 0)
    return input.length < 6 ? { state: "begun", length: input.length } : { state: "complete", length: 6 };
  return { state: "complete", length: 3 + parameters };
}

/** A reply of the terminal: ends with BEL or `ESC \`. */
function controlString(input: string): SequenceAt {
  const end = /\x07|\x1b\\/.exec(input.slice(2));
  return end === null
    ? { state: "begun", length: input.length }
    : { state: "complete", length: 2 + end.index + end[0].length };
}
