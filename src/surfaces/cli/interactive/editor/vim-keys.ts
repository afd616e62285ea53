import { characterBefore, characterEnd, lineEnd, lineStart, MOTIONS, wordAt } from "./vim-motions.ts";

/** A text and the position of the cursor in it. */
export interface Buffer {
  readonly text: string;
  readonly at: number;
}

export type VimMode = "insert" | "normal";

/** The effect of a key in normal mode. */
export type VimResult =
  | { readonly kind: "changed"; readonly buffer: Buffer; readonly mode: VimMode }
  /** The key begins a command. */
  | { readonly kind: "pending" }
  | { readonly kind: "undo" | "redo" | "nothing" };

interface Register {
  readonly text: string;
  readonly linewise: boolean;
}

/**
 * Vim's normal mode: counts, the motions `h j k l w b e 0 ^ $ gg G f t F T`, the operators `d c y` with motions and the
 * objects `iw aw`, `dd cc yy D C S Y x X s r ~ J p P`, `u` and Ctrl-R, and `i a I A o O` to insert.
 */
export class VimKeys {
  #pending = "";
  #register: Register = { text: "", linewise: false };

  /** Forgets the beginning of a command. */
  reset(): void {
    this.#pending = "";
  }

  /** The keys of an unfinished command. */
  get pending(): string {
    return this.#pending;
  }

  /** @param key One character, or `\x12` for Ctrl-R. */
  press(key: string, buffer: Buffer): VimResult {
    this.#pending += key;
    const command = COMMAND.exec(this.#pending);
    if (command === null) return (this.reset(), { kind: "nothing" });
    const { count1 = "", operator = "", count2 = "", rest = "" } = command.groups ?? {};
    if (rest === "" || rest === "g" || (TAKES_CHARACTER.has(rest) && !(operator !== "" && rest === "r")))
      return { kind: "pending" };
    if (operator !== "" && (rest === "i" || rest === "a")) return { kind: "pending" };
    this.reset();
    const count = Number(count1 || 1) * Number(count2 || 1);
    return operator === ""
      ? this.#plain(rest, count, buffer, count1 !== "")
      : this.#operate(operator as Operator, rest, count, buffer);
  }

  #plain(keys: string, count: number, buffer: Buffer, counted: boolean): VimResult {
    const { text, at } = buffer;
    const [start, end] = [lineStart(text, at), lineEnd(text, at)];
    const insert = (to: number, changed = text): VimResult => done({ text: changed, at: to }, "insert");
    switch (keys[0]) {
      case "i":
        return insert(at);
      case "a":
        return insert(at < end ? characterEnd(text, at) : at);
      case "I":
        return insert(MOTIONS["^"]!.move(text, at, 1, "")!);
      case "A":
        return insert(end);
      case "o":
        return insert(end + 1, `${text.slice(0, end)}\n${text.slice(end)}`);
      case "O":
        return insert(start, `${text.slice(0, start)}\n${text.slice(start)}`);
      case "u":
        return { kind: "undo" };
      case "\x12":
        return { kind: "redo" };
      case "x":
        return this.#operate("d", "l", count, buffer);
      case "X":
        return this.#operate("d", "h", count, buffer);
      case "s":
        return this.#operate("c", "l", count, buffer);
      case "D":
        return this.#operate("d", "$", 1, buffer);
      case "C":
        return this.#operate("c", "$", 1, buffer);
      case "S":
        return this.#operate("c", "c", count, buffer);
      case "Y":
        return this.#operate("y", "y", count, buffer);
      case "p":
      case "P":
        return this.#put(keys === "p", count, buffer);
      case "r":
        return replaced(buffer, Math.min(end, steps(text, at, count)), (old) => keys.slice(1).repeat([...old].length));
      case "~":
        return moved(
          replaced(buffer, Math.min(end, steps(text, at, count)), swapCase),
          Math.min(end, steps(text, at, count)),
        );
      case "J":
        return end < text.length ? done({ text: joined(text, end), at: end }) : { kind: "nothing" };
      default:
        break;
    }
    if (keys === "G" && counted) return done({ text, at: MOTIONS["j"]!.move(text, 0, count - 1, "")! });
    const to = motion(keys, text, at, count);
    return to === undefined ? { kind: "nothing" } : done({ text, at: to });
  }

  #operate(operator: Operator, keys: string, count: number, buffer: Buffer): VimResult {
    const range = rangeOf(operator, keys, count, buffer);
    if (range === undefined) return { kind: "nothing" };
    const { text, at } = buffer;
    const [from, to] = [range.from, range.to];
    this.#register = { text: text.slice(from, to).replace(/\n$/, ""), linewise: range.linewise };
    if (operator === "y") return done({ text, at: range.linewise ? at : from });
    if (!range.linewise)
      return done({ text: text.slice(0, from) + text.slice(to), at: from }, operator === "c" ? "insert" : "normal");
    // `cc` leaves an empty line; `dd` of the last line takes the newline before it.
    if (operator === "c")
      return done({ text: text.slice(0, from) + text.slice(text[to - 1] === "\n" ? to - 1 : to), at: from }, "insert");
    const rest = text.slice(0, from) + text.slice(to);
    const shorter = to === text.length && rest.endsWith("\n") ? rest.slice(0, -1) : rest;
    return done({ text: shorter, at: lineStart(shorter, Math.min(from, shorter.length)) });
  }

  #put(behind: boolean, count: number, { text, at }: Buffer): VimResult {
    const { text: put, linewise } = this.#register;
    if (put === "" && !linewise) return { kind: "nothing" };
    if (linewise) {
      const lines = `${put}\n`.repeat(count);
      if (!behind)
        return done({
          text: text.slice(0, lineStart(text, at)) + lines + text.slice(lineStart(text, at)),
          at: lineStart(text, at),
        });
      const end = lineEnd(text, at);
      return done({ text: `${text.slice(0, end)}\n${lines.slice(0, -1)}${text.slice(end)}`, at: end + 1 });
    }
    const to = behind && at < lineEnd(text, at) ? characterEnd(text, at) : at;
    const all = put.repeat(count);
    return done({
      text: text.slice(0, to) + all + text.slice(to),
      at: characterBefore(text.slice(0, to) + all, to + all.length),
    });
  }
}

type Operator = "d" | "c" | "y";

/** A command, or its beginning. */
const COMMAND =
  /^(?<count1>[1-9]\d*)?(?:(?<operator>[dcy])(?<count2>[1-9]\d*)?)?(?<rest>[fFtTr].?|gg?|[ia]w?|[hjklwWbBeE0^$GIAoOuxXsDCSYpP~J\x12dcy])?$/su;
const TAKES_CHARACTER = new Set(["f", "F", "t", "T", "r"]);

function rangeOf(
  operator: Operator,
  keys: string,
  count: number,
  { text, at }: Buffer,
): { readonly from: number; readonly to: number; readonly linewise: boolean } | undefined {
  if (keys === "iw" || keys === "aw") {
    const [from, to] = wordAt(text, at, keys === "aw");
    return from === to ? undefined : { from, to, linewise: false };
  }
  if (keys === operator) return lines(text, at, MOTIONS["j"]!.move(text, at, count - 1, "")!);
  const kind = MOTIONS[keys.length === 2 && keys !== "gg" ? keys[0]! : keys];
  // As in Vim, `cw` changes to the end of the word.
  const asked =
    operator === "c" && /^[wW]$/.test(keys) && /\S/.test(text[at] ?? "")
      ? keys.replace("w", "e").replace("W", "E")
      : keys;
  const to = motion(asked, text, at, count);
  if (kind === undefined || to === undefined) return undefined;
  if (kind.linewise === true) return lines(text, at, to);
  const [from, end] = to < at ? [to, at] : [at, to];
  const whole = MOTIONS[asked[0]!]?.inclusive === true && asked !== "gg" ? characterEnd(text, end) : end;
  // A word motion of an operator stays on its line.
  const last = /^[wW]$/.test(asked) ? Math.min(whole, Math.max(lineEnd(text, from), from)) : whole;
  return from === last ? undefined : { from, to: last, linewise: false };
}

function lines(text: string, one: number, other: number): { from: number; to: number; linewise: true } {
  const from = lineStart(text, Math.min(one, other));
  const end = lineEnd(text, Math.max(one, other));
  return { from, to: Math.min(text.length, end + 1), linewise: true };
}

function motion(keys: string, text: string, at: number, count: number): number | undefined {
  const takes = TAKES_CHARACTER.has(keys[0]!) && keys.length > 1;
  return MOTIONS[takes ? keys[0]! : keys]?.move(text, at, count, takes ? keys.slice(1) : "");
}

function steps(text: string, at: number, count: number): number {
  return MOTIONS["l"]!.move(text, at, count, "")!;
}

function replaced({ text, at }: Buffer, to: number, by: (old: string) => string): VimResult {
  return to === at
    ? { kind: "nothing" }
    : done({ text: text.slice(0, at) + by(text.slice(at, to)) + text.slice(to), at });
}

function moved(result: VimResult, at: number): VimResult {
  return result.kind === "changed" ? done({ text: result.buffer.text, at }) : result;
}

function swapCase(text: string): string {
  return [...text].map((each) => (each === each.toLowerCase() ? each.toUpperCase() : each.toLowerCase())).join("");
}

function joined(text: string, end: number): string {
  return `${text.slice(0, end)} ${text.slice(end + 1).trimStart()}`;
}

/** In normal mode the cursor is on a character, not behind the last one. */
function done({ text, at }: Buffer, mode: VimMode = "normal"): VimResult {
  const end = lineEnd(text, at);
  const on = mode === "normal" && at === end && at > lineStart(text, at) ? characterBefore(text, at) : at;
  return { kind: "changed", buffer: { text, at: on }, mode };
}
