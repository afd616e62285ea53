import { isNamedAfterSecret, namesPassword, type NameKind } from "./value-names.ts";

/** How a value was written: what stands for a value there, and what for an expression. */
export interface Written {
  readonly name: string;
  readonly kind: NameKind;
  /** `quoted`: in quotes. `bare`: without. `line`: without, and it is all that follows on its line. */
  readonly how: "quoted" | "bare" | "line";
  /** `assigned`: `NAME=value` as shells and forms write it. `argument`: of a function or a comparison. */
  readonly by: "field" | "assigned" | "spaced" | "argument" | "option";
}

/**
 * Whether what was written under the name of a secret is one, and not a reference, a placeholder, a type, a state or a
 * sentence about it.
 */
export function isSecretValue(value: string, written: Written): boolean {
  if (value.length < 4 || isPlaceholder(value)) return false;
  // What an environment file assigns is a value, whatever signs are in it, but `API_KEY=getenv("…")` is program text.
  const literal = written.by === "assigned" && isVariable(written.name);
  if (written.how !== "quoted" && (literal ? CALL.test(value) : isExpression(value))) return false;
  if (QUANTITY.test(value) || (written.how !== "quoted" && HAN.test(value))) return false;
  if (/^[\d.,:/-]+$/.test(value))
    return (
      /^\d{6,}$/.test(value) && namesPassword(written.name) && written.kind === "secret" && written.by !== "argument"
    );
  if (/\s/.test(value.trim())) return isPassphrase(value, written);
  const wordy = isWordy(value);
  if (isPath(value) || (wordy && NAME_OF_VARIABLE.test(value))) return false;
  if (written.kind === "maybe" || written.kind === "list")
    return TOKEN.test(value) && looksRandom(value) && !isNumbered(value) && !isNumberedWords(value);
  if (wordy) return isWordSecret(value, written);
  const identifier = IDENTIFIER.test(value);
  if (identifier && isNumbered(value) && isNamedAfterSecret(value))
    return written.by === "assigned" && isVariable(written.name);
  if (written.how === "quoted" || written.by === "assigned" || written.by === "option")
    return written.by !== "argument" || value.length >= 6;
  // Without quotes, behind a colon or an assignment with blanks, an identifier is more often a variable.
  if (value.length < 6) return false;
  if (!identifier) return looksRandom(value) || (written.how === "line" && namesPassword(written.name));
  if (!isNumbered(value)) return looksRandom(value);
  if (written.how === "line" && isVariable(written.name)) return true;
  return written.how === "line" && /\d/.test(value) && !TYPE.test(value);
}

/** `API_KEY`: a variable of an environment. */
export const isVariable = (name: string): boolean => /^[A-Z][A-Z0-9_]*$/.test(name);

/** `OAuth2Client`, `step3`: words with at most two numbers in them, as identifiers are. */
function isNumbered(value: string): boolean {
  const numbers = value.match(/\d+/g)?.length ?? 0;
  const most = /^[a-z]+\d+[a-z]+\d+$/.test(value) ? 1 : 2;
  if (numbers > most || value.replace(/\D/g, "").length > 5) return false;
  const words = value.replace(/\d+/g, "").match(/[A-Z]?[a-z]+|[A-Z]+/g) ?? [];
  const letters = words.reduce((sum, word) => sum + word.length, 0);
  return words.every(isWord) && letters / words.length >= (words.length === 1 ? 1 : 3.5);
}

/** Short, or with vowels where words have them. */
function isWord(word: string): boolean {
  if (word.length <= 3) return true;
  if (/^[A-Z]+$/.test(word)) return word.length <= 5;
  return word.length <= 16 && /[aeiouy]/i.test(word) && !/[^aeiouy]{4}/i.test(word.replace(/ngths?|ghts?/i, "n"));
}

/** `keys/id_ed25519`, `step-2`. */
const isNumberedWords = (value: string): boolean =>
  /[/._-]/.test(value) && (value.match(/\d+/g)?.length ?? 0) <= 2 && isWordy(value.replace(/\d+/g, ""));

const TOKEN = /^[\w.+/=~:@%-]+$/;
/** One number at most: `OAuth2Client`. */
const TYPE = /^[A-Z][a-zA-Z]*[a-z]\d*[A-Z][A-Za-z]*$|^[A-Z][a-zA-Z]*\d+[A-Z][a-z]+[A-Za-z]*$/;

const MASKED = /\.{3}$|^\W?\*{2,}\W?$|^.{6}\.\.\..{4}$|\[REDACTED|«redacted|…|^[.\u2022•·*_-]+$/;
/** Where the value is, and not the value. */
const REFERENCE =
  /^\$(?:[A-Za-z_{([]|$)|\$\{|\$\(|\{\{|#\{|<%|^%(?:\w+%$|\(\w+\))|%[sdrv](?:\W|$)|\{\w*\}|^#[0-9a-f]{3,8}$|\\[wdsWDSbB]|\(\?[:=!<]|\[\^|\[a-z|^<[A-Za-z]|^\.[*+]|^<[^<>]*>$|^\{.*\}$|^\[.*\]$|^\(.*\)$|^!(?:[A-Za-z]+(?:\s|$)|<)|^op:\/\/|^(?:secret|vault|env|file|ssm|keyring|keychain|doppler|infisical|bws|gopass|ref\+\w+|arn|https?|data|blob|projects?):(?:\S|$)|^ENC\[|^\/[\^(]/i;
const PLACEHOLDER =
  /^(?:null|none|nil|undefined|true|false|yes|no|on|off|n\/a|empty|unset|disabled|enabled|default|optional|required|string|str|int|bool|bytes|any|x{3,}|_+|[<[{].*[>\]}]|your[\s_-]?[a-z\s_-]+(?:[.!]|\d{0,3})|(?:my|some|the|a|an)[_-](?:api|secret|key|token|pass)\w*(?:[_-]\w+)*|change[_-]?(?:me|this|it)\W*|replace[_-]?\w*|(?:placeholder|todo|fixme|redacted|insert|enter|put|paste|dummy|fake|sample|example)(?:$|[\s_-][a-z\s_-]*\d{0,3}$)|test|pass|pw|pwd|password|passwd|secret|token|api[_-]?key|abc|foo|bar|xyz|hidden)$/i;
const EXPRESSION =
  /^(?:await|new|not|typeof|yield|lambda|func|function|async|return)$|^[A-Za-z_$][\w$.:]*[([]|^[*&][A-Za-z_]|^(?:self|this|cls|args|config|settings|process|os|env|request|req|ctx|options|opts|params|props)\./;
const CALL = /^[A-Za-z_$][\w$.:]*(?:\(.*\)|\[.*\])[;,]?$|^(?:process\.env|os\.environ|self|this)\./;
const DOTTED = /^[A-Za-z_$][\w$]*(?:(?:\.#?|->|::|\?\.)[A-Za-z_$][\w$]*)+[!?]?$/;
/** A number with a unit, a version, a date. */
const QUANTITY =
  /^[+-]?\d+(?:\.\d+)?\s?(?:[kmgt]?i?b|[kmgtdhsw]|ms|us|ns|min|sec|%|px|r?em|pt|x|days?|hours?|minutes?|seconds?|weeks?|tokens?|bytes?|chars?|characters?)$|^[\^~<>=v]*\d+(?:\.\d+)+(?:-\w+)?$|^\d{4}-\d\d-\d\d(?:T[\d:.]+Z?)?$/i;
const NAME_OF_VARIABLE = /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$/;
/** Words without blanks between them. */
const HAN = /[\u3000-\u30ff\u4e00-\u9fff\uac00-\ud7af\uff00-\uffef]/;
const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;
const ABOUT_SECRETS = /pass|pwd|secret|token|key|cred|auth|base64|sha\d|utf-?\d|md5|uuid\d|oauth|x509/i;

/** A word or a sign in place of a value: `${PASSWORD}`, `changeme`, `***`. */
export const isPlaceholder = (value: string): boolean =>
  MASKED.test(value) || REFERENCE.test(value) || PLACEHOLDER.test(value);

/** A call, a reference or a path of names; a token with dots in it has parts that are no names. */
function isExpression(value: string): boolean {
  return (
    EXPRESSION.test(value) ||
    (DOTTED.test(value) &&
      !value.split(/\W+/).some((part) => part.length >= 10 && looksRandom(part) && !isNumbered(part)))
  );
}

/** `hunter2hunter2`, `abcdef0123456789`, `kJhGfDsAqW`: no words. */
export function looksRandom(value: string): boolean {
  if (value.length < 8 || /\s/.test(value)) return false;
  if (/\d/.test(value)) return /[A-Za-z].*\d|\d.*[A-Za-z]/.test(value);
  return value.length >= 12 && !isWordy(value);
}

/** Made of words, short numbers and signs between them. */
export function isWordy(value: string): boolean {
  if (value.length > 200) return false;
  return value.split(/[\s_\-./:,+|&?!'"()]+/).every((piece) => {
    if (piece === "" || /^\d{1,4}$/.test(piece) || KNOWN_WORDS.test(piece)) return true;
    if (!/^\p{L}+$/u.test(piece)) return false;
    if (!/^[A-Za-z]+$/.test(piece)) return true;
    const words = piece.match(/[A-Z]?[a-z]+|[A-Z]+/g)!;
    return (
      words.every((word) => word.length <= 6 || isWord(word)) &&
      piece.length / words.length >= (words.length === 1 ? 1 : 2.5)
    );
  });
}

const KNOWN_WORDS =
  /^(?:base64|sha\d{1,3}|utf8|utf16|md5|uuid4?|oauth2?|x509|v\d{1,2}|s3|ec2|p12|i18n|k8s|http2|ipv[46])$/i;

function isPath(value: string): boolean {
  if (/^(?:~\/|\.{1,2}\/|[A-Za-z]:\\)/.test(value)) return true;
  return value.startsWith("/") && (ROOTS.test(value) || value.slice(1).split("/").every(isWordy));
}

const ROOTS = /^\/(?:etc|run|var|home|usr|opt|root|tmp|mnt|srv|data|secrets|app|dev|proc|Users|Volumes|workspace)\//;

/** A value of ordinary words. */
function isWordSecret(value: string, { name, how, by }: Written): boolean {
  if (STATES.test(value)) return false;
  const word = /^[a-z]+$/.test(value);
  const variable = isVariable(name);
  // Of an environment file or a form: what stands there is the value, whatever it is.
  if (by === "assigned") return variable || ((how === "line" || word) && !ABOUT_SECRETS.test(value));
  if (ABOUT_SECRETS.test(value)) return false;
  if (by === "argument" || (by === "option" && how === "bare")) return false;
  if (by === "spaced" && how !== "quoted") return false;
  if (word) return value.length >= 6 && (how === "quoted" || (how === "line" && value.length >= 8) || by === "option");
  return namesPassword(name) && value.split(/[-_.]/).length >= 4 && /^[a-z0-9._-]+$/.test(value);
}

const STATES =
  /^(?:string|str|identifier|number|integer|boolean|object|unknown|never|void|symbol|text|buffer|bytearray|varchar|secretstr|byte|bearer|basic|digest|oauth|jwt|include|omit|same-origin|required|optional|invalid|incorrect|expired|missing|wrong|valid|strict|weak|strong|medium|hidden|visible|enabled|disabled|manual|automatic|auto|none|local|remote|default|inherit|generate|generated|random|rotate|rotated|revoked|granted|denied|active|inactive|unknown|plain|cleartext|encrypted|hashed|bcrypt|argon|scrypt|stdin|prompt|keyring|environment|username|email|admin|user|login|signin|logout|public|private|readonly|readwrite|write|read|option|options|argument|parameter|value|field|input|output|header|cookie|query|file|path|true|false|from|with|your|this|that|must|should|please|and|the|for|not|are|was|has|is|or|to|of|in)$/i;

/** Words with blanks between them: a phrase, unless it is a sentence or a label. */
function isPassphrase(value: string, { kind, how, by }: Written): boolean {
  if (kind !== "secret" || how !== "quoted" || by === "argument") return false;
  const pieces = value.trim().split(/\s+/);
  if (pieces.some((piece) => SENTENCE.test(piece)) || /[.?!:…。？！：]$/.test(value) || !/[A-Za-z]/.test(value))
    return false;
  if (pieces.some((piece) => /\d/.test(piece) && !/^\d{1,2}$/.test(piece))) return true;
  return pieces.length >= 4 && /^[a-z ]+$/.test(value) && !ABOUT_SECRETS.test(value);
}

const SENTENCE =
  /^(?:your|the|a|an|is|are|must|should|can|cannot|enter|please|for|of|to|and|or|in|with|be|not|no|this|that|it|invalid|incorrect|required|at|least|from|by|use|used|if|when|has|have|was|were|will|reset|forgot|wrong|confirm|new|old|see|get|set|function|return|de|la|le|el|das|der|die|und)$/i;
