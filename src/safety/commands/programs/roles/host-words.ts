import type { Call } from "../../evaluate/call.ts";

/** Schemes behind which no host stands. */
const LOCAL =
  "file unix data about chrome chrome-extension vscode vscode-file res memory mem sqlite sqlite3 package node bun deno urn tag fd pipe cache blob app resource moz-extension docker-daemon oci-archive docker-archive containers-storage dir tarball npm workspace link portal patch builtin stdin stdout null duckdb jdbc:sqlite jdbc:h2 skill";
const LOCAL_SCHEMES = new Set(LOCAL.split(" "));
const SCHEME = /([a-z][a-z0-9+.-]*):\/\/(?=[^/\s"'])/gi;

/** Whether the text holds a URL with a host, also inside another value: `concat:http://…`, `url=http://…`. */
export function isAddress(text: string): boolean {
  if (!text.includes("://")) return false;
  for (const [, scheme] of text.matchAll(SCHEME)) if (!LOCAL_SCHEMES.has(scheme!.toLowerCase())) return true;
  return false;
}

const MARKS = "\\uE000-\\uE012";
const LABEL = `[\\w${MARKS}-]+`;
/** Endings of host names that are no endings of files. */
const TOP_LEVEL =
  "com|org|net|edu|gov|mil|int|io|dev|app|ai|co|uk|de|fr|nl|eu|us|ca|au|jp|cn|ru|br|ch|at|se|no|fi|dk|es|it|be|cz|info|biz|xyz|online|site|tech|cloud|link|top|club|example|invalid|localhost|onion|internal|lan|corp|intra|local|arpa|live|tk|cc|ws|to|ly|gg|sbs|icu|fun|pro";
const HOST = new RegExp(
  `^(?:[\\w.+${MARKS}-]+@)?(?:(?:${LABEL}\\.)+(?:${TOP_LEVEL})|\\d{1,3}(?:\\.\\d{1,3}){3}|\\[[0-9a-f:.]*:[0-9a-f:.]*\\])\\.?(?::\\d{1,5})?(?:[/:?#].*)?$`,
  "i",
);
const PORT = new RegExp(`^(?:${LABEL}\\.)*${LABEL}:\\d{2,5}$`);

/** Whether a word looks like a host: `a.example.com`, `user@10.0.0.1`, `host:8080`. */
export const isHostWord = (word: string): boolean =>
  word.length < 300 && (HOST.test(word) || (PORT.test(word) && !/^\d+:\d+$/.test(word)));

/** Programs whose words are text for people, or patterns: a URL in them is not requested. */
const TEXT = new Set(
  "say espeak espeak-ng spd-say notify-send terminal-notifier osd_cat figlet toilet banner lolcat cowsay cowthink zenity kdialog gum jrnl ctags etags aspell ispell msgfmt gettext task todo hledger ledger".split(
    " ",
  ),
);
const TEXT_OPTION =
  /^(?:-m|-t|-b|-D|--(?:message|body|title|description|comment|notes?|subject|grep|filter|pattern|define|format|regexp?|match|label|annotation|author|about|homepage|license|summary|reason|text|name|ldflags|build-arg|set|var|replace(?:ment)?|search|header))$/;
const TEXT_JOINED =
  /^(?:-D\w|--(?:message|body|title|description|comment|notes?|subject|grep|filter|pattern|define|format|regexp?|match|label|annotation|author|about|homepage|license|summary|reason|text|name|ldflags|build-arg|set|var|replace(?:ment)?|search|header)=)/;

/** A dot before a letter or between digits, or a port: most words have none of these. */
const LIKE_HOST = /\w\.[a-z]{2}|\d\.\d|:\d/i;

/** A URL, or a word like a host, among the words of a program: it may connect there. */
export function hostWords(call: Call, unknown: boolean): void {
  if (TEXT.has(call.program)) return;
  for (const [at, arg] of call.args.entries()) {
    if (arg.length > 4000 || !(arg.includes("://") || (unknown && LIKE_HOST.test(arg)))) continue;
    if (TEXT_JOINED.test(arg) || TEXT_OPTION.test(call.args[at - 1] ?? "")) continue;
    if (isAddress(arg)) call.by.network(arg.replace(/^--?[\w.-]+=/, ""), false);
    else if (unknown) {
      const word = arg.replace(/^--?[\w-]+=/, "");
      if (!word.startsWith("-") && isHostWord(word)) call.by.network(word, false);
    }
  }
}
