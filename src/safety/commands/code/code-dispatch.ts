import type { Language, Token } from "./code-tokens.ts";

const IDENTIFIER = /^[A-Za-z_$][\w$]*[?!]?$/;
const name = (text: string): Token => ({ kind: "name", text });
const DOT: Token = { kind: "punctuation", text: "." };

/** The end of the tokens read so far, when it calls a function by a name in a text: the name takes its place. */
export function directCall(out: Token[], language: Language, next: Token | undefined): void {
  const last = out.at(-1)!;
  if (language === "php" && last.kind === "string" && next?.text === "(" && IDENTIFIER.test(last.text))
    out.splice(-1, 1, name(last.text));
  else if (language === "perl") perlCall(out, next);
  else if (language === "ruby") rubyCall(out);
  if (last.text === ")") byFunction(out, language);
  if (last.text === "," && (language === "php" || language === "ruby")) byFirstWord(out, language);
  if (language === "javascript" && (last.text === "(" || last.text === ",")) throughItself(out);
  withoutSurroundings(out);
}

/** `getattr(os, "system")`, `__import__("os")`, `Object.const_get(:FileUtils)`, `Reflect.get(fs, "rmSync")`. */
function byFunction(out: Token[], language: Language): void {
  const open = opening(out);
  const called = out[open - 1];
  if (open < 1 || called?.kind !== "name") return;
  const args = out.slice(open + 1, -1).filter(({ text }) => language !== "ruby" || text !== ":");
  const owner = out[open - 2]?.text === "." ? out[open - 3]?.text : undefined;
  const whole = (count: number): number => out.length - open + 1 + count;
  if (called.text === "__import__" || called.text === "import_module" || called.text === "const_get") {
    const module = args[0];
    const fits =
      module !== undefined &&
      /^[\w.]+$/.test(module.text) &&
      (module.kind === "string" || (language === "ruby" && module.kind === "name"));
    if (fits) out.splice(-whole(owner === undefined ? 0 : 2), out.length, ...dotted(module.text));
    return;
  }
  const comma = args.findLastIndex(({ text }) => text === ",");
  const wanted = args[comma + 1];
  if (
    (called.text === "getattr" || (called.text === "get" && owner === "Reflect")) &&
    comma > 0 &&
    wanted?.kind === "string" &&
    IDENTIFIER.test(wanted.text)
  )
    out.splice(-whole(owner === undefined ? 0 : 2), out.length, ...args.slice(0, comma), DOT, name(wanted.text));
}

/** Where the parenthesis that stands last opens. */
function opening(out: readonly Token[]): number {
  let depth = 0;
  for (let at = out.length - 1; at >= 0 && at > out.length - 60; at--) {
    if (out[at]!.kind !== "punctuation") continue;
    if (out[at]!.text === ")") depth++;
    else if (out[at]!.text === "(" && --depth === 0) return at;
  }
  return -1;
}

const dotted = (text: string): readonly Token[] =>
  text.split(".").flatMap((part, at) => (at === 0 ? [name(part)] : [DOT, name(part)]));

/** `call_user_func("system", …`, `FileUtils.send(:rm_rf, …`: what follows are the arguments. */
function byFirstWord(out: Token[], language: Language): void {
  const open = out.findLastIndex(({ kind, text }) => kind === "punctuation" && text === "(");
  const called = out[open - 1];
  if (called?.kind !== "name") return;
  const words = out.slice(open + 1, -1).filter(({ text }) => text !== ":");
  if (words.length !== 1 || !IDENTIFIER.test(words[0]!.text)) return;
  const php =
    /^(call_user_func|call_user_func_array|forward_static_call|array_map|usort|register_shutdown_function)$/.test(
      called.text,
    );
  if (language === "php" ? php && words[0]!.kind === "string" : SENDS.test(called.text))
    out.splice(open - 1, out.length, name(words[0]!.text), { kind: "punctuation", text: "(" });
}

const SENDS = /^(send|public_send|__send__)$/;

/** `FileUtils.send :rm_rf, …`, `method(:system).call(…`, `Kernel.method(:exec).(…`. */
function rubyCall(out: Token[]): void {
  const [sends, colon, wanted, comma] = out.slice(-4);
  if (
    sends !== undefined &&
    SENDS.test(sends.text) &&
    colon?.text === ":" &&
    wanted?.kind === "name" &&
    comma?.text === ","
  ) {
    out.splice(-4, 4, wanted);
    return;
  }
  if (out.at(-1)?.text !== "(") return;
  const method = out.findLastIndex(({ text }) => text === "method");
  const rest = out.slice(method).map(({ text }) => text);
  if (method < 0 || rest.length > 9 || rest[1] !== "(") return;
  const found = /^method\(:?([\w?!]+)\)\.(call)?\($/.exec(rest.join(""))?.[1];
  if (found !== undefined) out.splice(method, out.length, name(found), { kind: "punctuation", text: "(" });
}

/** `&{"unlink"}(…)`, `&"unlink"(…)`, `"unlink"->(…)`. */
function perlCall(out: Token[], next: Token | undefined): void {
  const [sign, open, text, close] = out.slice(-4);
  if (
    sign?.text === "&" &&
    open?.text === "{" &&
    text?.kind === "string" &&
    IDENTIFIER.test(text.text) &&
    close?.text === "}"
  )
    out.splice(-4, 4, name(text.text));
  const [before, last] = out.slice(-2);
  if (before?.text === "&" && last?.kind === "string" && IDENTIFIER.test(last.text) && next?.text === "(")
    out.splice(-2, 2, name(last.text));
  const [called, arrow, parenthesis] = out.slice(-3);
  if (called?.kind === "string" && IDENTIFIER.test(called.text) && arrow?.text === "->" && parenthesis?.text === "(")
    out.splice(-3, 2, name(called.text));
}

/** `fs.rmSync.call(fs, …`, `(0, eval)(…`. */
function throughItself(out: Token[]): void {
  const texts = out.slice(-6).map(({ text }) => text);
  // `name . call ( x ,`
  if (
    out.length >= 6 &&
    out.at(-6)!.kind === "name" &&
    texts[1] === "." &&
    /^(call|apply)$/.test(texts[2]!) &&
    texts[3] === "(" &&
    texts[5] === ","
  )
    out.splice(-5, 5, { kind: "punctuation", text: "(" });
  if (
    texts[0] === "(" &&
    texts[1] === "0" &&
    texts[2] === "," &&
    out.at(-3)?.kind === "name" &&
    texts[4] === ")" &&
    texts[5] === "("
  )
    out.splice(-6, 5, out.at(-3)!);
}

const SURROUNDINGS = /^(globalThis|global|window|self|_G|_ENV|__builtins__|builtins|Kernel|CORE|GLOBAL|__dict__)$/;

/** `globalThis.eval`, `globals().exec`, `os.__dict__.system`: the name alone. */
function withoutSurroundings(out: Token[]): void {
  if (out.at(-1)?.kind !== "name" || out.at(-2)?.text !== ".") return;
  const owner = out.at(-3);
  if (owner?.kind === "name" && SURROUNDINGS.test(owner.text)) {
    const member = out.at(-4)?.text === ".";
    if (owner.text === "__dict__" ? member : !member) out.splice(owner.text === "__dict__" ? -4 : -3, 2);
  } else if (owner?.text === ")" && out.at(-4)?.text === "(" && /^(globals|locals|vars)$/.test(out.at(-5)?.text ?? ""))
    out.splice(-5, 4);
  else if (
    owner?.text === ")" &&
    out.at(-5)?.text === "(" &&
    out.at(-6)?.text === "vars" &&
    out.at(-4)?.kind === "name"
  )
    out.splice(-6, 4, out.at(-4)!);
}
