/**
 * Texts of statements that this statement carries out: the body of `DO $$ … $$`, of a function it makes, and what
 * `EXECUTE` and `PREPARE` are given.
 */
export function carriedOut(words: readonly string[]): readonly string[] {
  const [first = ""] = words;
  const bodies = words.filter(
    (word, i) =>
      isString(word) &&
      ((first === "do" && words[i - 1] !== "language") ||
        (first === "create" &&
          words[i - 1] === "as" &&
          words.slice(1, 5).some((one) => /^(?:function|procedure)$/.test(one)))),
  );
  const given = words.flatMap((word, i) =>
    runs(words, i)
      ? [
          words
            .slice(i + 1, endOf(words, i))
            .filter(isString)
            .map(inside)
            .join(" "),
        ]
      : [],
  );
  return [...bodies.map(inside), ...given].filter((text) => text.trim() !== "");
}

/** The statements of a body that stand behind one another without a semicolon. */
export function steps(words: readonly string[]): readonly (readonly string[])[] {
  const starts = words.flatMap((word, i) => (i > 0 && /^(?:begin|then|else|loop)$/.test(words[i - 1]!) ? [i] : []));
  return [0, ...starts].map((from, i) => words.slice(from, starts[i] ?? words.length));
}

/**
 * `execute 'x'`, `execute immediate`, `exec (`, `execute format(`, `prepare p from 'x'`; not `execute p('x')`, which
 * only hands a value on.
 */
function runs(words: readonly string[], i: number): boolean {
  const next = words[i + 1] ?? "";
  if (/^exec(?:ute)?$/.test(words[i]!))
    return isString(next) || /^(?:\(|immediate|format|concat|n|(?:\w*\.)*sp_executesql)$/.test(next);
  return i === 0 && words[i] === "prepare" && words[2] === "from";
}

function endOf(words: readonly string[], from: number): number {
  const end = words.findIndex((word, i) => i > from && /^(?:using|into)$/.test(word));
  return end === -1 ? words.length : end;
}

const isString = (word: string): boolean => word.startsWith("'");

const inside = (word: string): string => word.slice(1, -1);
