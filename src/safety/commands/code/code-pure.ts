import { decodeBase64, decodeHex, translate } from "../parse/text-tools.ts";

/** The result of a language's pure function on literal texts; undefined for other functions. */
export function pureCall(name: string, args: readonly string[]): string | undefined {
  const [first = ""] = args;
  const one = PURE.get(name);
  if (one !== undefined) return one(first);
  switch (name) {
    case "chr":
    case "fromCharCode":
    case "fromCodePoint":
    case "char":
    case "bytes":
    case "bytearray":
      return args.length > 0 && args.every((arg) => /^(0x[0-9a-f]{1,6}|\d{1,7})$/i.test(arg) && Number(arg) <= 0x10ffff)
        ? args.map((arg) => String.fromCodePoint(Number(arg))).join("")
        : undefined;
    case "implode":
      return args.slice(1).join(first);
    case "str_replace":
      return args.length === 3 && first !== "" ? args[2]!.replaceAll(first, () => args[1]!) : undefined;
    case "strtr":
      return args.length === 3 ? translate(first, args[1]!, args[2]!) : undefined;
    case "substr":
      return pureMethod("substr", first, args.slice(1));
    case "pack":
      return /^H\*?$/.test(first)
        ? decodeHex(args.slice(1).join(""))
        : /^[cCU]\*$/.test(first)
          ? pureCall("chr", args.slice(1))
          : undefined;
    case "sprintf":
    case "format":
      return format(first, args.slice(1));
    case "from":
    case "decode":
      return /^base64(url)?$/.test(args[1] ?? "")
        ? decodeBase64(first)
        : args[1] === "hex"
          ? decodeHex(first)
          : /^rot_?13$/.test(args[1] ?? "")
            ? rotate(first)
            : undefined;
    default:
      return undefined;
  }
}

/** A method of a text that is written out. */
export function pureMethod(name: string, text: string, args: readonly string[]): string | undefined {
  const [first, second] = args;
  const one = args.length === 0 ? PURE.get(name) : undefined;
  if (one !== undefined) return one(text);
  switch (name) {
    case "join":
      // A text of one piece, or the letters of one, in either order.
      return args.length === 1 && text === ""
        ? first
        : first === "" && args.length === 1
          ? text
          : args.length > 1
            ? args.join(text)
            : undefined;
    case "concat":
      return text + args.join("");
    case "replace":
    case "replaceAll":
    case "sub":
    case "gsub":
      if (first === undefined || second === undefined || first === "") return undefined;
      return name === "sub" ? text.replace(first, () => second) : text.replaceAll(first, () => second);
    case "tr":
    case "delete":
      return first === undefined ? undefined : translate(text, first, name === "delete" ? undefined : second);
    case "slice":
    case "substring":
    case "substr": {
      const [from, to] = args.map(Number);
      if (from === undefined || Number.isNaN(from) || Number.isNaN(to ?? 0)) return undefined;
      const start = from < 0 ? Math.max(0, text.length + from) : from;
      return name === "substr"
        ? text.slice(start, to === undefined ? undefined : to < 0 ? to : start + to)
        : text.slice(start, to);
    }
    case "charAt":
      return text.charAt(Number(first ?? 0));
    case "repeat":
      return Number(first) * text.length < 2_000 ? text.repeat(Math.max(0, Number(first) || 0)) : undefined;
    case "format":
      return format(text, args);
    case "unpack1":
    case "unpack":
      return first === "m" || first === "m0"
        ? decodeBase64(text)
        : first === "H*"
          ? Buffer.from(text).toString("hex")
          : undefined;
    case "decode":
    case "encode":
    case "toString":
    case "to_s":
      return first === undefined || /^(utf-?8|ascii|latin-?1)$/i.test(first) ? text : pureCall("decode", [text, first]);
    default:
      return undefined;
  }
}

const reverse = (text: string): string => [...text].toReversed().join("");
const lower = (text: string): string => text.toLowerCase();
const upper = (text: string): string => text.toUpperCase();
const trim = (text: string): string => text.trim();
const itself = (text: string): string => text;
const rotate = (text: string): string => translate(text, "a-zA-Z", "n-za-mN-ZA-M") ?? text;
const percent = (text: string): string =>
  text.replace(/(%[0-9a-f]{2})+/gi, (bytes) => decodeHex(bytes.replaceAll("%", "")));

const PURE: ReadonlyMap<string, (text: string) => string> = new Map(
  Object.entries({
    strrev: reverse,
    reverse,
    reversed: reverse,
    strtolower: lower,
    lower,
    lc: lower,
    downcase: lower,
    toLowerCase: lower,
    strtoupper: upper,
    upper,
    uc: upper,
    upcase: upper,
    toUpperCase: upper,
    trim,
    strip: trim,
    chomp: trim,
    str: itself,
    String: itself,
    strval: itself,
    chars: itself,
    to_sym: itself,
    valueOf: itself,
    flush: itself,
    str_rot13: rotate,
    base64_decode: decodeBase64,
    b64decode: decodeBase64,
    decode64: decodeBase64,
    decode_base64: decodeBase64,
    atob: decodeBase64,
    hex2bin: decodeHex,
    fromhex: decodeHex,
    unhexlify: decodeHex,
    urldecode: percent,
    rawurldecode: percent,
    unquote: percent,
    decodeURIComponent: percent,
    unescape: percent,
    swapcase: (text: string) =>
      [...text].map((char) => (char === char.toUpperCase() ? char.toLowerCase() : char.toUpperCase())).join(""),
    ucfirst: (text: string) => upper(text.slice(0, 1)) + text.slice(1),
    lcfirst: (text: string) => lower(text.slice(0, 1)) + text.slice(1),
    capitalize: (text: string) => upper(text.slice(0, 1)) + lower(text.slice(1)),
  }),
);

/** `%s`, `{}` and `{0}`. */
function format(text: string, args: readonly string[]): string | undefined {
  let at = 0;
  const filled = text.replace(/%%|%[sd]|\{(\d*)\}/g, (spec, index?: string) =>
    spec === "%%" ? "%" : (args[index ? Number(index) : at++] ?? ""),
  );
  return filled.length < 10_000 ? filled : undefined;
}
