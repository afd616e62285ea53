import type { Call } from "../evaluate/call.ts";
import { actOf } from "./code-calls.ts";
import type { Language, Token } from "./code-tokens.ts";

/** Objects whose functions act on the system: the name of the called function must be literal. */
const HOLDERS =
  /^(child_process|cp|fs|fsp|fsPromises|vm|globalThis|global|window|subprocess|FileUtils|Kernel|Process|IO|File|Dir|Open3|Object)$/;

/** Functions whose name the program computes: `fs[x](…)`, `FileUtils.send(x)`, `&{$x}(…)`. Their effect is unknown. */
export function judgeComputedCall(
  tokens: readonly Token[],
  i: number,
  language: Language,
  aliases: ReadonlyMap<string, string>,
  call: Call,
): void {
  const { text } = tokens[i]!;
  const say = (what: string): void =>
    call.by.harm("code-runs", `${call.program} calls a function with a computed name: ${what}`);
  const next = tokens[i + 1];
  if (text === "]" && next?.text === "(") {
    const open = opening(tokens, i);
    const inside = tokens.slice(open + 1, i);
    const texts = inside
      .filter(({ kind }) => kind === "string")
      .map((token) => token.text)
      .join("");
    if (
      inside.some((token) => token.text === "+")
        ? inside.some(({ kind }) => kind === "string")
        : inside.length === 1 && (actOf(texts, "") !== undefined || SPECIAL.test(texts))
    )
      say(texts);
    else if (
      language === "javascript" &&
      inside.some(({ kind }) => kind === "name") &&
      HOLDERS.test(holder(tokens, open, aliases))
    )
      say("[…]");
  } else if (
    language === "ruby" &&
    SENDS.test(text) &&
    tokens[i - 1]?.text === "." &&
    HOLDERS.test(tokens[i - 2]?.text ?? "")
  ) {
    const first = next?.text === "(" ? tokens[i + 2] : next;
    if (first?.text !== ":" && first?.kind !== "string") say(`${tokens[i - 2]!.text}.${text}(…)`);
  } else if (language === "perl" && text === "&" && next?.text === "{") {
    const close = tokens.findIndex((token, at) => at > i && token.text === "}");
    if (close > i + 2 && tokens[close + 1]?.text === "(") say("&{…}(…)");
  }
}

const SPECIAL = /^(system|execute|constructor|mainModule|__globals__)$/;
const SENDS = /^(send|public_send|__send__|method)$/;

/** `import(…)` of what is not written out, or of text or an address: it is loaded and run. */
export function judgeImport(tokens: readonly Token[], i: number, fetches: boolean, call: Call): void {
  if (tokens[i]!.text !== "import" || tokens[i + 1]?.text !== "(" || tokens[i - 1]?.text === ".") return;
  const first = tokens[i + 2];
  if (first === undefined || PLACES.test(first.text)) return;
  if (
    first.kind === "string"
      ? !/^(data|https?|blob):/.test(first.text) && (tokens[i + 3]?.text !== "+" || /^\.{0,2}\//.test(first.text))
      : first.text === "new" && tokens[i + 3]?.text === "URL"
  )
    return;
  const remote = fetches || /^https?:/.test(first.text);
  call.by.harm(
    remote ? "remote-shell" : "code-runs",
    `${call.program}: import(…) runs ${remote ? "code that came from the network" : "code that it creates at run time"}`,
  );
}

/** Functions that make the path of a file. */
const PLACES = /^(path|url|join|resolve|pathToFileURL|fileURLToPath)$/;

function opening(tokens: readonly Token[], close: number): number {
  let depth = 0;
  for (let at = close; at >= 0 && at > close - 100; at--) {
    if (tokens[at]!.kind !== "punctuation") continue;
    if (tokens[at]!.text === "]") depth++;
    else if (tokens[at]!.text === "[" && --depth === 0) return at;
  }
  return close;
}

/** The name in front of a bracket: a module that is asked for, or what a name stands for. */
function holder(tokens: readonly Token[], open: number, aliases: ReadonlyMap<string, string>): string {
  const owner = tokens[open - 1];
  if (owner?.text === ")" && tokens[open - 2]?.kind === "string") return tokens[open - 2]!.text.replace(/^node:/, "");
  return owner?.kind === "name" ? (aliases.get(owner.text) ?? owner.text) : "";
}
