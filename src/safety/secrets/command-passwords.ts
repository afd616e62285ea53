import { cookieValues } from "./named-value.ts";
import { mask, PIECE, type Span, type Steps } from "./spans.ts";
import { isSecretValue } from "./value-shapes.ts";

/** Which short options of a program are followed by a password. */
interface ProgramOptions {
  /** The password is the next word, or the rest of this one. */
  readonly next?: readonly string[];
  /** The password is the rest of the word only; the next word is something else. */
  readonly joined?: readonly string[];
  /** `user:password`, or with another sign between them. */
  readonly user?: readonly string[];
  /** Cookies are the next word. */
  readonly cookies?: readonly string[];
  /** With such an option the last word is the password. */
  readonly last?: RegExp;
  /** Only if this is among the words. */
  readonly only?: string;
}

const login: ProgramOptions = { next: ["-p"], only: "login" };
const byPrograms = (programs: string, options: ProgramOptions): readonly (readonly [string, ProgramOptions])[] =>
  programs.split(" ").map((program) => [program, options]);

const PROGRAMS: ReadonlyMap<string, ProgramOptions> = new Map([
  ...byPrograms("mysql mysqldump mysqladmin mysqlimport mysqlshow mysqlcheck mariadb mariadb-dump mariadb-admin", {
    joined: ["-p"],
  }),
  ...byPrograms("sshpass mongo mongosh mongodump mongorestore mongoexport mongoimport twine cqlsh rabbitmqadmin", {
    next: ["-p"],
  }),
  ...byPrograms("docker podman nerdctl buildah helm oc crane regctl az cf fly heroku argocd", login),
  ...byPrograms("skopeo", { ...login, user: ["--creds", "--src-creds", "--dest-creds"] }),
  ...byPrograms("redis-cli valkey-cli keydb-cli", { next: ["-a", "--pass"] }),
  ...byPrograms("curl", {
    user: ["-u", "--user", "-U", "--proxy-user"],
    next: ["--pass", "--key-pass"],
    cookies: ["-b", "--cookie"],
  }),
  ...byPrograms("htpasswd", { last: /^-[A-Za-z]*b/ }),
  ...byPrograms("http https xh httpie", { user: ["-a", "--auth"] }),
  ...byPrograms("wget aria2c", { next: ["--http-passwd", "--ftp-passwd", "--rpc-passwd"] }),
  ...byPrograms("unzip zip sqlcmd bcp ipmitool mosquitto_pub mosquitto_sub", { next: ["-P"] }),
  ...byPrograms("7z 7za 7zz 7zr rar unrar", { joined: ["-p", "-hp"] }),
  ...byPrograms("ldapsearch ldapadd ldapmodify ldapdelete ldapwhoami ldapcompare ldappasswd", { next: ["-w", "-s"] }),
  ...byPrograms("smbclient rpcclient smbget smbmap", { user: ["-U", "--user"] }),
  ...byPrograms("plink pscp psftp putty", { next: ["-pw"] }),
  ...byPrograms("openssl", { user: ["-passin", "-passout", "-pass"], next: ["-k"] }),
  ...byPrograms("keytool jarsigner", { next: ["-storepass", "-keypass", "-srcstorepass", "-deststorepass"] }),
  ...byPrograms("snmpwalk snmpget snmpset snmpbulkwalk", { next: ["-A", "-X"] }),
  ...byPrograms("xfreerdp xfreerdp3 wlfreerdp", { joined: ["/p:"] }),
]);

const HINT = new RegExp(`(?:${[...PROGRAMS.keys()].toSorted((a, b) => b.length - a.length).join("|")})(?=[ \\t])`, "g");
const LONGEST_HINT = 24;

/** `sshpass -p PASSWORD`, `curl -u user:PASSWORD`: what these programs take as a password after a short option. */
export function* commandSpans(text: string, found: Span[]): Steps<void> {
  let done = 0;
  for (let piece = 0; piece < text.length; piece += PIECE) {
    if (piece > 0) yield;
    const window = text.length <= PIECE ? text : text.slice(piece, piece + PIECE + LONGEST_HINT);
    HINT.lastIndex = Math.max(0, done - piece);
    for (let hint = HINT.exec(window); hint !== null && hint.index < PIECE; hint = HINT.exec(window)) {
      const start = piece + hint.index;
      const before = text[start - 1];
      if (before !== undefined && !" \t\n/;|&(`'\"$>".includes(before)) continue;
      done = commandAt(text, start, found);
      HINT.lastIndex = Math.max(done - piece, hint.index + 1);
    }
  }
}

const MAX_COMMAND = 600;
const WORD = /[ \t]+|\\\r?\n[ \t]*|((?:"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|\\.|[^\s"'\\;|&<>()`]|["'])+)/y;

interface Word {
  readonly text: string;
  readonly at: number;
}

/** Searches one simple command. A program that another one starts begins its own options. @returns Its end. */
function commandAt(text: string, start: number, found: Span[]): number {
  const command = text.slice(start, start + MAX_COMMAND);
  const words: Word[] = [];
  let end = 0;
  for (WORD.lastIndex = 0; end < command.length; end = WORD.lastIndex) {
    const word = WORD.exec(command);
    if (word === null) break;
    if (word[1] === undefined) continue;
    // Quotes around a whole option are the shell's.
    const quoted = /^(["'])-.*\1$/s.test(word[1]) ? 1 : 0;
    words.push({ text: quoted === 1 ? word[1].slice(1, -1) : word[1], at: start + word.index + quoted });
  }
  let options: ProgramOptions | undefined;
  for (const [at, word] of words.entries()) {
    const program = PROGRAMS.get(word.text.slice(word.text.lastIndexOf("/") + 1));
    if (program !== undefined) options = program;
    else if (options !== undefined && (options.only === undefined || words.some((one) => one.text === options!.only)))
      optionAt(options, word, words[at + 1], found);
  }
  const last = words.at(-1);
  if (
    options?.last !== undefined &&
    last !== undefined &&
    words.length > 4 &&
    words.some((one) => options.last!.test(one.text))
  )
    add(last.at, last.text, found);
  return start + end;
}

function optionAt(options: ProgramOptions, word: Word, next: Word | undefined, found: Span[]): void {
  for (const option of options.next ?? [])
    if (word.text === option && next !== undefined) add(next.at, next.text, found);
  for (const option of [...(options.next ?? []), ...(options.joined ?? [])])
    if (word.text.startsWith(option) && !option.startsWith("--") && word.text.length > option.length) {
      const sign = word.text[option.length] === "=" ? 1 : 0;
      add(word.at + option.length + sign, word.text.slice(option.length + sign), found);
    }
  for (const option of options.cookies ?? [])
    if (word.text === option && next !== undefined) {
      const quote = /^["']/.test(next.text) ? 1 : 0;
      found.push(...cookieValues(next.text.slice(quote, next.text.length - quote), next.at + quote));
    }
  for (const option of options.user ?? []) {
    if (word.text === option && next !== undefined) addAfterUser(next.at, next.text, found);
    else if (word.text.startsWith(`${option}=`))
      addAfterUser(word.at + option.length + 1, word.text.slice(option.length + 1), found);
    else if (option.length === 2 && word.text.startsWith(option)) addAfterUser(word.at + 2, word.text.slice(2), found);
  }
}

function addAfterUser(at: number, word: string, found: Span[]): void {
  const sign = /[:%]/.exec(word);
  if (sign === null || /:\/\//.test(word)) return;
  const quote = word[0] === '"' || word[0] === "'" ? word[0] : "";
  const end = quote !== "" && word.endsWith(quote) ? word.length - 1 : word.length;
  add(at + sign.index + 1, word.slice(sign.index + 1, end), found);
}

function add(at: number, word: string, found: Span[]): void {
  const quote = word[0] === '"' || word[0] === "'" ? word[0] : "";
  const start = quote === "" ? at : at + 1;
  const value = quote !== "" && word.endsWith(quote) && word.length > 1 ? word.slice(1, -1) : word.slice(quote.length);
  if (value.startsWith("-") || /^\d+(?::\d+)*$/.test(value)) return;
  if (isSecretValue(value, { name: "password", kind: "secret", how: "quoted", by: "option" }))
    found.push({ start, end: start + value.length, mask: mask(value) });
}
