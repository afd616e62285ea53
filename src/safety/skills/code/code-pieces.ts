import { commandsInConfig } from "../config-commands.ts";
import type { Place } from "../skill-finding.ts";
import { extensionOf } from "../skill-file.ts";

/** Something of a skill that would be run, or that a model could take for something to run. */
export interface CodePiece extends Place {
  readonly language: CodeLanguage;
  readonly text: string;
  /** Guessed to be code: only severe findings count. */
  readonly guessed: boolean;
  /** The words around it warn of it: it is shown, not to be run. */
  readonly warned?: true;
}

export type CodeLanguage = "shell" | "python" | "javascript" | "perl" | "ruby" | "php" | "powershell";

const WORDS: ReadonlyMap<string, CodeLanguage> = new Map(
  Object.entries({
    sh: "shell",
    bash: "shell",
    shell: "shell",
    zsh: "shell",
    ksh: "shell",
    dash: "shell",
    console: "shell",
    terminal: "shell",
    "shell-session": "shell",
    shellsession: "shell",
    command: "shell",
    cmd: "shell",
    py: "python",
    python: "python",
    python3: "python",
    pyw: "python",
    js: "javascript",
    javascript: "javascript",
    mjs: "javascript",
    cjs: "javascript",
    ts: "javascript",
    typescript: "javascript",
    node: "javascript",
    bun: "javascript",
    deno: "javascript",
    jsx: "javascript",
    tsx: "javascript",
    pl: "perl",
    perl: "perl",
    rb: "ruby",
    ruby: "ruby",
    php: "php",
    ps1: "powershell",
    powershell: "powershell",
    pwsh: "powershell",
    psm1: "powershell",
    bat: "powershell",
    batch: "powershell",
  } satisfies { readonly [word: string]: CodeLanguage }),
);

/** Fences of these are what a program prints or reads, not what is run. */
const DATA = new Set(
  "json jsonc yaml yml toml xml html css sql graphql diff ini env csv mermaid plaintext output svg http dockerfile hcl tf proto".split(
    " ",
  ),
);

/**
 * A script as a whole; of Markdown its code blocks, the code within lines, and lines of prose that read like a command.
 */
export function codePieces(path: string, text: string): readonly CodePiece[] {
  const shebang = /^#!\s*(?:\/usr\/bin\/env\s+(?:-S\s+)?|\/[\w/.-]*\/)([a-z]+)/.exec(text)?.[1];
  const language = WORDS.get(shebang ?? "") ?? WORDS.get(extensionOf(path));
  if (language !== undefined) return [{ file: path, line: 1, language, text, guessed: false }];
  if (CONFIG.has(extensionOf(path)) || /(?:^|\/)Dockerfile[\w.-]*$/.test(path)) return configPieces(path, 1, text);
  return [...fences(path, text), ...codeInLines(path, text)];
}

function fences(path: string, text: string): readonly CodePiece[] {
  return fencesOf(text).flatMap(({ word, from, to, lines }) => {
    const language = WORDS.get(word);
    const body = lines.slice(from, to).join("\n");
    if (language === undefined && DATA.has(word)) return CONFIG.has(word) ? configPieces(path, from + 1, body) : [];
    const plain = language === undefined || language === "shell" ? withoutPrompts(body) : body;
    return [
      { file: path, line: from + 1, language: language ?? "shell", text: plain, guessed: language === undefined },
    ];
  });
}

/** Of these, the ones that name what a program is to run. */
const CONFIG = new Set("json jsonc yaml yml toml ini dockerfile service plist".split(" "));

/** Configurations as a whole: what they grant is in no command of theirs. */
export function configTexts(path: string, text: string): readonly { readonly line: number; readonly text: string }[] {
  if (CONFIG.has(extensionOf(path))) return [{ line: 1, text }];
  return fencesOf(text).flatMap(({ word, from, to, lines }) =>
    CONFIG.has(word) ? [{ line: from + 1, text: lines.slice(from, to).join("\n") }] : [],
  );
}

function configPieces(file: string, line: number, text: string): readonly CodePiece[] {
  return commandsInConfig(text).map((command) => ({ file, line, language: "shell", text: command, guessed: true }));
}

/** Code blocks by the places of their characters, without the lines that open and close them. */
export function codeFences(
  text: string,
): readonly { readonly from: number; readonly to: number; readonly text: string; readonly runs: boolean }[] {
  const starts = [0];
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return fencesOf(text).map(({ word, from, to, lines }) => ({
    from: starts[from - 1]!,
    to: starts[to + 1] ?? text.length,
    text: lines.slice(from, to).join("\n"),
    runs: word === "" || WORDS.has(word),
  }));
}

interface Fence {
  readonly word: string;
  /** First line of the code block's content, from 0, without the lines that open and close it. */
  readonly from: number;
  readonly to: number;
  readonly lines: readonly string[];
}

/** Code blocks, line by line; one that is never closed goes on to the end. */
function fencesOf(text: string): readonly Fence[] {
  const lines = text.split("\n");
  const found: Fence[] = [];
  let open: { readonly mark: string; readonly word: string; readonly from: number } | undefined;
  for (const [at, line] of lines.entries()) {
    const { mark, word } = markOf(line);
    if (open === undefined) {
      if (mark !== "") open = { mark, word, from: at + 1 };
    } else if (mark.startsWith(open.mark) && word === "") {
      found.push({ word: open.word, from: open.from, to: at, lines });
      open = undefined;
    }
  }
  if (open !== undefined) found.push({ word: open.word, from: open.from, to: lines.length, lines });
  return found;
}

function markOf(line: string): { readonly mark: string; readonly word: string } {
  const [, mark = "", word = ""] =
    /^[ \t>]{0,40}(`{3,}|~{3,})[ \t]{0,20}\{?\.?([\w+-]{0,40})[^`]{0,200}$/.exec(line.slice(0, 400)) ?? [];
  return { mark, word: word.toLowerCase() };
}

/** `$ ls` is `ls`, and what stands under it is what `ls` printed. */
function withoutPrompts(text: string): string {
  const lines = text.split("\n").map((line) => line.replace(/^[ \t]*>+ ?(?=[ \t]*\$ )/, ""));
  if (!lines.some((line) => /^[ \t]*(?:\$|%|❯|PS>) \S/.test(line))) return text;
  let goesOn = false;
  return lines
    .map((line) => {
      const command = /^[ \t]*(?:\$|%|❯|PS>) (.*)$/.exec(line)?.[1] ?? (goesOn ? line : "");
      goesOn = command.endsWith("\\");
      return command;
    })
    .join("\n");
}

/** The text with code blocks blanked, each line at its position, so that code is not read twice. */
export function withoutFences(text: string): string {
  const fenced = fencesOf(text);
  if (fenced.length === 0) return text;
  const lines = text.split("\n");
  for (const { from, to } of fenced) lines.fill("", from - 1, to + 1);
  return lines.join("\n");
}

const INLINE = /`([^`\n]{1,400})`/g;
const TYPED =
  /(?:^|[\s:(])((?:sudo |doas )?(?:\/(?:usr\/)?bin\/)?(?:curl|wget|bash|sh|zsh|python3?|node|perl|ruby|php|powershell|pwsh|iex|irm|iwr|nc|ncat|socat|base64|echo|printf|cat|rm|dd|eval|openssl|xattr|osascript|certutil|mshta|bitsadmin|rundll32|regsvr32|env|printenv|tar|scp|rsync|crontab|launchctl|export|pip3?|npm|npx|hermes|chmod|mkfs\S*|cd) [^`\n]{3,600})/;

/** The sentence goes on behind the command: `curl … | bash in your terminal`. */
const AFTER_PIPE = /(\|\s*(?:sudo\s+)?(?:ba|z|da|k)?sh)\s+[a-z].*$/;

function codeInLines(path: string, text: string): readonly CodePiece[] {
  const found: CodePiece[] = [];
  const prose = withoutFences(text);
  const lines = prose.split("\n");
  for (const [at, line] of lines.entries()) {
    const place = { file: path, line: at + 1, language: "shell", guessed: true } as const;
    for (const { 1: code = "", index } of line.matchAll(INLINE))
      if (/\S\s+\S/.test(code))
        found.push({
          ...place,
          text: code,
          warned: isWarnedOf(lines, at, index, code.length + 2) ? true : undefined,
        });
    const typed = TYPED.exec(line.replace(INLINE, " "))?.[1];
    // English has pipes and paths nowhere.
    if (typed !== undefined && /[|<>;]|&&|https?:|~\/|\/dev\/|\$\(|\.env\b|-rf?\b/.test(typed))
      found.push({ ...place, text: typed.replace(AFTER_PIPE, "$1") });
  }
  return found;
}

const WARNS =
  /\b(?:dangerous|destroys?|destructive|never (?:run|use|type|paste|do|execute)|(?:do not|don't|must not) (?:run|use|type|paste|execute)|malicious|suspicious|indicators?|attack(?:s|er|ers)?|unsafe|harmful|risky|red flags?|reverse shells?|bad examples?|what not to)\b|(?:危险|恶意|切勿|不要运行)/iu;
const ORDERS = /\b(?:run|execute|paste|type|enter|use|start with|copy|launch|call|invoke)\b[^.!?`\n]{0,60}$/iu;
const BUT_NOT = /\b(?:never|not|don't|avoid|cannot|can't)\b/iu;

/** The sentence before the code forbids it, unless it forbids to leave something out ("never skip …"). */
const FORBIDDEN =
  /\b(?:never|do not|don['’]t|must not|should not|avoid)\s+(?!(?:skip|forget|omit|hesitate|worry|wait|ask|miss|leave|stop|change|edit|alter|mind)\b)[^.;:!?]{0,60}$/iu;
/** The consequence of something forbidden: "never write x: it becomes y". */
const OUTCOME =
  /\b(?:never|do not|don['’]t|avoid)\b[^.;!?]{0,160}\b(?:turns?|becomes?|expands?|would (?:be|run|delete|remove|wipe)|ends? up|is read as|means)\b[^.;:!?]{0,40}$/iu;

/**
 * In the same section the words just before, or those behind it in its line, warn; and its own sentence does not order
 * it.
 */
function isWarnedOf(lines: readonly string[], at: number, index: number, length: number): boolean {
  const line = lines[at]!;
  const own = line.slice(0, index);
  const sentence = own.slice(Math.max(own.lastIndexOf(". "), own.lastIndexOf("! "), own.lastIndexOf("? ")) + 1);
  if (FORBIDDEN.test(sentence) || OUTCOME.test(own.replace(INLINE, " "))) return true;
  if (ORDERS.test(sentence) && !BUT_NOT.test(sentence)) return false;
  const before: string[] = [];
  for (let i = at - 1; i >= 0 && i >= at - 4 && !/^#{1,6} /.test(lines[i]!); i--) before.unshift(lines[i]!);
  return WARNS.test(`${before.join(" ").slice(-250)} ${own} ${line.slice(index + length, index + length + 120)}`);
}
