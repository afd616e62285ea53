/**
 * The words of a command line as a POSIX shell quotes them; nothing is expanded.
 * @throws {Error} for a quote that is not closed.
 */
export function splitCommand(line: string): readonly string[] {
  const words: string[] = [];
  let word: string | undefined;
  let quote: '"' | "'" | undefined;
  for (let at = 0; at < line.length; at++) {
    const char = line[at]!;
    const next = line[at + 1];
    if (quote !== undefined) {
      if (char === quote) quote = undefined;
      else if (char === "\\" && quote === '"' && (next === '"' || next === "\\")) word += line[++at]!;
      else word += char;
    } else if (char === "'" || char === '"') {
      quote = char;
      word ??= "";
    } else if (char === "\\" && next !== undefined) word = (word ?? "") + line[++at]!;
    else if (/\s/.test(char)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else word = (word ?? "") + char;
  }
  if (quote !== undefined) throw new Error(`a ${quote} is not closed`);
  if (word !== undefined) words.push(word);
  return words;
}
