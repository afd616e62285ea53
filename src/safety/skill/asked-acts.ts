import { ACT_WORDS, type Act } from "./act-words.ts";
import { codeFences } from "./code-pieces.ts";
import { isForbidden } from "./forbidden-acts.ts";
import { leadsToStranger } from "./outside-words.ts";

/** What one sentence of a text speaks of, and where each word of that stands. */
export interface Sentence {
  readonly index: number;
  readonly text: string;
  /** Counted by headings: what stands in another section has nothing to do with it. */
  readonly section: number;
  readonly acts: ReadonlyMap<Act | "stranger" | "command", number>;
}

const MAX_SENTENCES = 4_000;
const MAX_LENGTH = 1_500;

/** The sentences of a text, with what each asks for. A block of code is one sentence, of which only what it sends and where is read. */
export function readSentences(text: string): readonly Sentence[] {
  const found: Sentence[] = [];
  const fences = codeFences(text);
  const patterns = PATTERNS.flatMap(([act, all]) => {
    const some = all.filter((pattern) => text.search(pattern) !== -1);
    return some.length === 0 ? [] : [[act, some] as const];
  });
  let section = 0;
  for (const match of text.matchAll(SENTENCE)) {
    if (found.length >= MAX_SENTENCES) break;
    const { index, 0: words } = match;
    const fence = fences.find(({ from, to }) => index >= from && index < to);
    if (fence !== undefined) {
      if (found.at(-1)?.index !== fence.from) found.push({ index: fence.from, text: fence.text, section, acts: fence.runs ? actsOfCode(fence.text) : new Map() });
      continue;
    }
    if (/^\s*#{1,6} /.test(words)) section++;
    found.push({ index, text: words, section, acts: actsOf(words.slice(0, MAX_LENGTH), patterns) });
  }
  return found;
}

/** Up to the end of a sentence or of a line; a dot within an address ends nothing. */
const SENTENCE = /[^\n]+?(?:[.!?;](?=["'”’)*_]{0,3}(?:\s|$))["'”’)*_]{0,3}|[。！？；]|(?=\n)|$)/gu;

function actsOf(words: string, wanted: typeof PATTERNS): Sentence["acts"] {
  const acts = new Map<Act | "stranger" | "command", number>();
  const spoken = words.replace(CODE_IN_LINE, (span) => (/\s/.test(span) ? " ".repeat(span.length) : span));
  for (const [act, patterns] of wanted) {
    for (const pattern of patterns) {
      const match = [...(NAMES.has(act) ? words : spoken).matchAll(pattern)].find(({ index, 0: found }) => NEGATIVE.has(act) || !isForbidden(words, index, found.length));
      if (match !== undefined) acts.set(act, Math.min(match.index, acts.get(act) ?? match.index));
    }
  }
  addPlaces(words, spoken, acts);
  return acts;
}

const SENDS = /\bcurl\b[^\n]*\s(?:-d|-F|-T|--data\S*|--form|--upload-file|--json)\b|\bcurl\b[^\n]*[?&]\w+=\$|\bwget\b[^\n]*--(?:post|body)|requests\.(?:post|put)|httpx\.(?:post|put)|urlopen\([^)\n]*data|fetch\([^)]*(?:POST|PUT)|axios\.(?:post|put)|\bn(?:c|cat)\s+\S+\s+\d+|\bgh gist create|\bscp\s|\brclone\s+(?:copy|sync)|\baws s3 cp|\bsendmail\b|\bmail\s+-s/;

function actsOfCode(code: string): Sentence["acts"] {
  const acts = new Map<Act | "stranger" | "command", number>([["command", 0]]);
  if (SENDS.test(code)) acts.set("send", 0);
  addPlaces(code, code, acts);
  return acts;
}

function addPlaces(words: string, spoken: string, acts: Map<Act | "stranger" | "command", number>): void {
  const stranger = leadsToStranger(words, spoken);
  if (stranger !== undefined) acts.set("stranger", stranger);
}

/** Commands between back-ticks are judged as commands; what they name may still be what a sentence is about. */
const CODE_IN_LINE = /`[^`\n]*`/g;
const NAMES: ReadonlySet<Act> = new Set(["said", "stored", "secret", "plant", "agentSettings", "program", "sources", "disclose", "promote", "shadow", "spread", "getRound", "wipe", "letIn", "unguard"]);

/** These are themselves a "do not". */
const NEGATIVE: ReadonlySet<Act> = new Set(["hidden", "unasked", "untrue", "unreported", "verdict", "trigger", "always", "said", "secret", "stored", "plant", "agentSettings", "rights", "machine", "sources", "bomb", "required", "promote", "consented", "evade", "comesBack", "shadow", "getRound"]);

const WITHOUT_SPACES = /[\p{Script=Arabic}\p{Script=Devanagari}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}\p{Script=Hangul}]/u;

/** Of the scripts that set blanks between words and are spoken of here. Written out: a class of all letters takes a hundred times as long to prepare. */
const LETTERS = "0-9A-Za-z\u00aa-\u024f\u0400-\u052f\u1e00-\u1eff";
const REST = `[${LETTERS}'’-]{0,20}`;
const GAP = `(?![${LETTERS}_])[^.!?。！？\\n]{0,50}?[^${LETTERS}.!?\\n]`;

const PATTERNS: readonly (readonly [Act, readonly RegExp[]])[] = Object.entries(ACT_WORDS).map(([act, lists]) => [act as Act, lists.map(compile)]);

function compile(words: string): RegExp {
  const source = words
    .replaceAll("'", "['’]")
    .replaceAll(/ \*(?=\||\)|$)/g, "")
    .replaceAll(/(^|\||\()\*(?=\.)/g, "$1\\*")
    .replaceAll(/\.(?=\w)/g, "\\.")
    .replaceAll(/(?<=[\p{L}\p{N}])\*/gu, REST)
    .replaceAll(" … ", GAP);
  const bounded = WITHOUT_SPACES.test(words) ? `(?:${source})` : `(?<![${LETTERS}_])(?:${source})(?![${LETTERS}_]|\\.(?:pub|example|sample|template|dist)\\b)`;
  return new RegExp(bounded, "giu");
}
