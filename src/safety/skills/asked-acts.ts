import { ACT_WORDS, type Act } from "./vocabulary/act-words.ts";
import { codeFences } from "./code/code-pieces.ts";
import { isForbidden } from "./forbidden-acts.ts";
import { leadsToUnknownHost } from "./vocabulary/outside-words.ts";

/** The acts that one sentence of a text mentions, and their positions. */
export interface Sentence {
  readonly index: number;
  readonly text: string;
  /** Counted by headings: text in another section is unrelated. */
  readonly section: number;
  readonly acts: ReadonlyMap<Act | "outsider" | "command", number>;
}

const MAX_SENTENCES = 4_000;

/**
 * The sentences of a text, with what each asks for. A block of code is one sentence, of which only what it sends and
 * where is read.
 */
export function readSentences(text: string): readonly Sentence[] {
  const found: Read[] = [];
  const fences = codeFences(text);
  let section = 0;
  for (const match of text.matchAll(SENTENCE)) {
    if (found.length >= MAX_SENTENCES) break;
    const { index, 0: words } = match;
    const fence = fences.find(({ from, to }) => index >= from && index < to);
    if (fence !== undefined) {
      if (found.at(-1)?.index !== fence.from)
        found.push({
          index: fence.from,
          text: fence.text,
          section,
          prose: false,
          acts: fence.runs ? actsOfCode(fence.text) : new Map(),
        });
      continue;
    }
    if (/^\s*#{1,6} /.test(words)) section++;
    found.push({ index, text: words, section, prose: true, acts: new Map() });
  }
  const plain = text.replace(CODE_IN_LINE, (span) => (/\s/.test(span) ? " ".repeat(span.length) : span));
  const absent = SCRIPTS.filter((script) => !script.test(text));
  for (const { act, pattern, scripts } of PATTERNS)
    if (scripts.length === 0 || !scripts.every((script) => absent.includes(script)))
      addActs(found, act, pattern, NAMES.has(act) ? text : plain);
  for (const { index, text: words, prose, acts } of found)
    if (prose) addPlaces(words, plain.slice(index, index + words.length), acts);
  return found;
}

interface Read extends Sentence {
  readonly prose: boolean;
  readonly acts: Map<Act | "outsider" | "command", number>;
}

/** Assigns every match of an act in the text to the sentence that contains all of it. */
function addActs(sentences: readonly Read[], act: Act, pattern: RegExp, text: string): void {
  pattern.lastIndex = 0;
  let at = 0;
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    const { index, 0: words } = match;
    while (at + 1 < sentences.length && sentences[at + 1]!.index <= index) at++;
    const sentence = sentences[at];
    if (sentence === undefined) return;
    const place = index - sentence.index;
    if (words === "" || place + words.length > sentence.text.length) pattern.lastIndex = index + 1;
    else if (
      sentence.prose &&
      (sentence.acts.get(act) ?? Infinity) > place &&
      isOrder(act, sentence.text, place, words)
    )
      sentence.acts.set(act, place);
  }
}

/** Not forbidden by the words around it, and not about what the user may do. */
function isOrder(act: Act, sentence: string, place: number, words: string): boolean {
  if (OWN_GUARDS.has(act) && USER_MAY.test(sentence.slice(0, place))) return false;
  return (
    (NEGATIVE.has(act) && !(act === "hidden" && MANNER.test(words))) || !isForbidden(sentence, place, words.length)
  );
}

/** `what lets the user turn an approval into a rule`: the guards belong to the user, and so does the act. */
const USER_MAY =
  /\b(?:lets?|letting|allows?|allowing|enables?|helps?) (?:the |your |an? )?(?:users?|persons?|owners?|operators?|people|them) (?:to )?$/iu;
const OWN_GUARDS: ReadonlySet<Act> = new Set(["unguard", "weaken"]);

/** Up to the end of a sentence or of a line; a dot within an address ends nothing. */
const SENTENCE = /[^\n]+?(?:[.!?;](?=["'”’)*_]{0,3}(?:\s|$))["'”’)*_]{0,3}|[。！？；]|(?=\n)|$)/gu;

const SENDS =
  /\bcurl\b[^\n]*\s(?:-d|-F|-T|--data\S*|--form|--upload-file|--json)\b|\bcurl\b[^\n]*[?&]\w+=\$|\bwget\b[^\n]*--(?:post|body)|requests\.(?:post|put)|httpx\.(?:post|put)|urlopen\([^)\n]*data|fetch\([^)]*(?:POST|PUT)|axios\.(?:post|put)|\bn(?:c|cat)\s+\S+\s+\d+|\bgh gist create|\bscp\s|\brclone\s+(?:copy|sync)|\baws s3 cp|\bsendmail\b|\bmail\s+-s/;

function actsOfCode(code: string): Read["acts"] {
  const acts = new Map<Act | "outsider" | "command", number>([["command", 0]]);
  if (SENDS.test(code)) acts.set("send", 0);
  addPlaces(code, code, acts);
  return acts;
}

function addPlaces(words: string, plain: string, acts: Map<Act | "outsider" | "command", number>): void {
  const at = leadsToUnknownHost(words, plain);
  if (at !== undefined) acts.set("outsider", at);
}

/** Commands between back-ticks are judged as commands; what they name may still be what a sentence is about. */
const CODE_IN_LINE = /`[^`\n]*`/g;
const NAMES: ReadonlySet<Act> = new Set([
  "said",
  "stored",
  "secret",
  "plant",
  "agentSettings",
  "program",
  "sources",
  "disclose",
  "promote",
  "shadow",
  "spread",
  "getRound",
  "wipe",
  "letIn",
  "unguard",
]);

/** How something is done, which a sentence may forbid: "never change it silently". */
const MANNER =
  /^(?:silently|secretly|covertly|stealthily|discreetly|unnoticed|stillschweigend|heimlich|silencieusement|silenciosamente|silenziosamente|stiekem|тайно|незаметно)$/i;

/** These are themselves a "do not". */
const NEGATIVE: ReadonlySet<Act> = new Set([
  "hidden",
  "unasked",
  "untrue",
  "unreported",
  "verdict",
  "trigger",
  "always",
  "said",
  "secret",
  "stored",
  "plant",
  "agentSettings",
  "rights",
  "machine",
  "sources",
  "bomb",
  "required",
  "promote",
  "consented",
  "evade",
  "comesBack",
  "shadow",
  "getRound",
  "ours",
  "blindCopy",
]);

const WITHOUT_SPACES =
  /[\p{Script=Arabic}\p{Script=Devanagari}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}\p{Script=Hangul}]/u;

/**
 * Letters of the supported scripts with blanks between words. Listed, because a class of all letters takes a hundred
 * times as long to prepare.
 */
const LETTERS = "0-9A-Za-z\u00aa-\u024f\u0400-\u052f\u1e00-\u1eff";
const REST = `[${LETTERS}'’-]{0,20}`;
const GAP = `(?![${LETTERS}_])[^.!?。！？\\n]{0,50}?[^${LETTERS}.!?\\n]`;

/** Words of these alone are looked for only where such letters stand. */
const SCRIPTS = [
  /[\u0370-\u03ff]/,
  /[\u0400-\u052f]/,
  /[\u0600-\u06ff]/,
  /[\u0900-\u097f]/,
  /[\u3040-\u30ff\u4e00-\u9fff]/,
  /[\uac00-\ud7af]/,
];

interface ActPattern {
  readonly act: Act;
  readonly pattern: RegExp;
  readonly scripts: readonly RegExp[];
}

const PATTERNS: readonly ActPattern[] = Object.entries(ACT_WORDS).flatMap(([act, lists]) =>
  lists.map((words: string) => ({
    act: act as Act,
    pattern: compile(words),
    scripts: /[A-Za-z\u00c0-\u024f]/.test(words) ? [] : SCRIPTS.filter((script) => script.test(words)),
  })),
);

function compile(words: string): RegExp {
  const source = words
    .replaceAll("'", "['’]")
    .replaceAll(/ \*(?=\||\)|$)/g, "")
    .replaceAll(/(^|\||\()\*(?=\.)/g, "$1\\*")
    .replaceAll(/\.(?=\w)/g, "\\.")
    .replaceAll(/(?<=[\p{L}\p{N}])\*/gu, REST)
    .replaceAll(" … ", GAP);
  // A cheap bound first, where every alternative begins with a plain letter: most places of a text fail it.
  const start = /(?:^|[|(])[^A-Za-z0-9(]/.test(words) ? "" : String.raw`\b`;
  const bounded = WITHOUT_SPACES.test(words)
    ? `(?:${source})`
    : `${start}(?<![${LETTERS}_])(?:${source})(?![${LETTERS}_]|\\.(?:pub|example|sample|template|dist)\\b)`;
  // Not by code points: none is written here that has two halves, and it takes half the time.
  return new RegExp(bounded, "gi");
}
