/** A token of an expression, and its line. */
export interface Token {
  readonly kind: "number" | "name" | "text" | "sign" | "end of line";
  readonly text: string;
  readonly line: number;
}

const PIECE =
  /(?<number>0[xX][\da-fA-F]+|0[bB][01]+|0[oO][0-7]+|(?:(?:\d(?:_?\d)*)?\.\d(?:_?\d)*|\d(?:_?\d)*\.?)(?:[eE][-+]?\d+)?[jJ]?)|(?<name>[\p{L}_][\p{L}\p{N}_]*)|(?<text>"[^"\\\n]*"|'[^'\\\n]*')|(?<sign>\*\*|\/\/|<<|>>|[-+*/%(),.&|^~[\]{}])/uy;
const CLOSES: { readonly [closing: string]: string } = { ")": "(", "]": "[", "}": "{" };
const KEYWORDS = new Set(
  "False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield".split(
    " ",
  ),
);

/** @throws for text that is not a token. */
export function tokenize(expression: string): readonly Token[] {
  const tokens: Token[] = [];
  const open: string[] = [];
  let line = 1;
  let at = 0;
  while (at < expression.length) {
    const here = expression[at]!;
    if (here === "#") at = expression.indexOf("\n", at) < 0 ? expression.length : expression.indexOf("\n", at);
    else if (/\s/.test(here)) {
      if (here === "\n" && open.length === 0) tokens.push({ kind: "end of line", text: here, line });
      if (here === "\n") line += 1;
      at += 1;
    } else {
      PIECE.lastIndex = at;
      const found = PIECE.exec(expression);
      if (found === null) throw unknown(expression, at, line);
      const [text] = found;
      const [kind] = Object.entries(found.groups!).find(([, value]) => value !== undefined)! as [Token["kind"], string];
      if (kind === "number") checkNumber(text, expression[at + text.length], line);
      if (kind === "name" && KEYWORDS.has(text)) throw invalid(line);
      if (/^[([{]$/.test(text)) open.push(text);
      if (Object.hasOwn(CLOSES, text)) checkClosing(text, open.pop(), line);
      tokens.push({ kind, text, line });
      at += text.length;
    }
  }
  return tokens;
}

export function invalid(line: number, what = "invalid syntax"): Error {
  return new Error(`${what} (<string>, line ${line})`);
}

function checkNumber(text: string, next: string | undefined, line: number): void {
  if (next !== undefined && /[\p{L}\d_]/u.test(next)) throw invalid(line, "invalid decimal literal");
  if (/^0[\d_]*[1-9][\d_]*$/.test(text))
    throw invalid(
      line,
      "leading zeros in decimal integer literals are not permitted; use an 0o prefix for octal integers",
    );
}

function checkClosing(closing: string, opening: string | undefined, line: number): void {
  if (opening === undefined) throw invalid(line, `unmatched '${closing}'`);
  if (opening !== CLOSES[closing])
    throw invalid(line, `closing parenthesis '${closing}' does not match opening parenthesis '${opening}'`);
}

function unknown(expression: string, at: number, line: number): Error {
  const code = expression.codePointAt(at)!;
  return code < 128
    ? invalid(line)
    : invalid(
        line,
        `invalid character '${String.fromCodePoint(code)}' (U+${code.toString(16).toUpperCase().padStart(4, "0")})`,
      );
}
