/**
 * Whether a module's own body calls `callee(` (not inside a function, a block or an object). Reads only the text and
 * skips strings, templates, comments and regular expressions.
 */
export function callsAtTopLevel(source: string, callee: string): boolean {
  let depth = 0;
  let at = 0;
  while (at < source.length) {
    const skipped = skipText(source, at);
    if (skipped > at) {
      at = skipped;
      continue;
    }
    const char = source[at]!;
    if (
      depth === 0 &&
      source.startsWith(callee, at) &&
      !/[\w$.]/.test(source[at - 1] ?? "") &&
      /^\s*\(/.test(source.slice(at + callee.length, at + callee.length + 20))
    )
      return true;
    if ("{([".includes(char)) depth++;
    if ("})]".includes(char)) depth--;
    at++;
  }
  return false;
}

/** The end of the string, template, comment or regular expression that begins here; `at` when none does. */
function skipText(source: string, at: number): number {
  const char = source[at];
  if (char === '"' || char === "'") return endOf(source, at, new RegExp(`${char}|\\n`, "g"));
  if (char === "`") return endOfTemplate(source, at);
  if (char !== "/") return at;
  if (source[at + 1] === "/") return endOf(source, at, /\n/g);
  if (source[at + 1] === "*") return endOf(source, at + 1, /\*\//g);
  const before = source.slice(0, at).trimEnd();
  // A slash after a value divides; anywhere else it opens a regular expression.
  return before === "" || /[(,=:[!&|?{};+*%<>~^-]$|\b(?:return|typeof|case|of|in)$/.test(before)
    ? endOfRegExp(source, at)
    : at;
}

function endOf(source: string, at: number, end: RegExp): number {
  end.lastIndex = at + 1;
  for (let found = end.exec(source); found !== null; found = end.exec(source)) {
    if (!isEscaped(source, found.index)) return found.index + found[0].length;
  }
  return source.length;
}

function endOfRegExp(source: string, at: number): number {
  let inClass = false;
  for (let end = at + 1; end < source.length && source[end] !== "\n"; end++) {
    if (source[end] === "\\") end++;
    else if (source[end] === "[") inClass = true;
    else if (source[end] === "]") inClass = false;
    else if (source[end] === "/" && !inClass) return end + 1;
  }
  return at + 1;
}

function endOfTemplate(source: string, at: number): number {
  let end = at + 1;
  while (end < source.length && source[end] !== "`") {
    if (source[end] === "\\") end += 2;
    else if (source.startsWith("${", end)) end = endOfBraces(source, end + 2);
    else end++;
  }
  return end + 1;
}

function endOfBraces(source: string, at: number): number {
  let depth = 1;
  while (at < source.length && depth > 0) {
    const skipped = skipText(source, at);
    if (skipped > at) at = skipped;
    else {
      if (source[at] === "{") depth++;
      if (source[at] === "}") depth--;
      at++;
    }
  }
  return at;
}

function isEscaped(source: string, at: number): boolean {
  let backslashes = 0;
  while (source[at - 1 - backslashes] === "\\") backslashes++;
  return backslashes % 2 === 1;
}
