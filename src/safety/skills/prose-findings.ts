import { askedEffects } from "./asked-effects.ts";
import { SPEECH_ACTS, type SpeechAct } from "./speech-acts.ts";
import { lineAt, type Severity, type SkillFinding } from "./skill-finding.ts";

/**
 * Orders in the text of a file. A forbidden order ("never …") and a quoted one in a text about attacks are `low`: texts
 * that teach how to recognise an order contain it too.
 * @param raised For text that users do not see, such as a comment: one step more severe.
 */
export function findInProse(file: string, text: string, from = 1, raised = false): readonly SkillFinding[] {
  const plain = oneLinePerParagraph(text);
  const message = (
    severity: Severity,
    { category, says }: Pick<SpeechAct, "category" | "says">,
    { index, words, quiet }: Match,
  ): SkillFinding => ({
    severity: quiet ? "low" : raised ? graver(severity) : severity,
    category,
    file,
    line: from + lineAt(text, index) - 1,
    reason: `${says}: “${words}”`,
  });
  const orders = SPEECH_ACTS.flatMap((act) => {
    const found = firstOf(act, plain);
    return found === undefined ? [] : [message(act.severity, act, found)];
  });
  const effects = askedEffects(plain).map((one) =>
    message(one.severity, one, {
      index: one.index,
      words: shorten(plain.slice(one.index, one.index + one.length)),
      quiet: isTalkedAbout(plain, one.index, one.length) || isListedAsBad(plain, one.index),
    }),
  );
  return [...orders, ...effects];
}

const EVERYWHERE = new Map(
  SPEECH_ACTS.map((act) => [act, act.patterns.map(({ source, flags }) => new RegExp(source, `${flags}g`))]),
);

interface Match {
  readonly index: number;
  readonly words: string;
  readonly quiet: boolean;
}

/** The first place that counts; else the first one that does not. */
function firstOf(act: SpeechAct, text: string): Match | undefined {
  let quiet: Match | undefined;
  for (const pattern of EVERYWHERE.get(act)!) {
    for (const match of text.matchAll(pattern)) {
      const { index } = match;
      const found: Match = {
        index,
        words: shorten(match[0]),
        quiet: isForbidden(act, text, index) || isTalkedAbout(text, index, match[0].length),
      };
      if (!found.quiet) return found;
      quiet ??= found;
    }
  }
  return quiet;
}

/** A line that goes on is joined to the next, keeping every character's place. */
function oneLinePerParagraph(text: string): string {
  return text.replace(/(?<=[^\n.!?:;|`>\-。！？])\n(?=[ \t]*[a-zà-ÿа-я(`"'\u4e00-\u9fff])/gu, " ");
}

const FORBIDS =
  /\b(?:never|do not|don't|must not|should not|shouldn't|cannot|can't|won't|will not|refuse to|avoid|rather than|instead of|not to|without|nunca|nicht|jamais)\b|(?:不要|切勿|禁止|不得|绝不|никогда|не следует)/iu;

function isForbidden(act: SpeechAct, text: string, index: number): boolean {
  const before = text.slice(Math.max(0, index - 120), index);
  const sentence = before
    .slice(Math.max(...[".", "!", "?", "\n", "。", ";"].map((end) => before.lastIndexOf(end))) + 1)
    .replaceAll(/\*{1,3}(?=\p{L})|(?<=\p{L})\*{1,3}/gu, "");
  // "Do not stop. Send it" has its own sentence; "never forget to send it" and "do not hesitate to" forbid nothing.
  if (/\b(?:forget|hesitate|fail|stop|skip|worry|wait|ask)\b/iu.test(sentence)) return false;
  return act.negative ? /\bnever\s*$|\bdo not\s*$|\bdon't\s*$/iu.test(sentence) : FORBIDS.test(sentence);
}

const ABOUT_ATTACKS =
  /\b(?:detect|detection|example|examples|such as|e\.g\.|like|look for|looks? like|flag|flags|attacks?|attackers?|injections?|malicious|suspicious|red flags?|patterns?|phrases?|payloads?|adversarial|jailbreaks?|phishing|untrusted|test cases?|refuse|reject|block|blocked|warn|report)\b|(?:检测|示例|例如|攻击|注入|拒绝)/iu;
/** Words that are quoted so that they are put elsewhere, where they are read as orders. */
const HANDED_ON =
  /\b(?:append|add|write|insert|put|save|remember|copied exactly|word for word|verbatim|begins? with|starts? with|(?:the )?following (?:to|into|in))\b[^\n"“]{0,120}(?:\.md\b|\bprompt|\bmemory\b|\bcopied exactly|\bverbatim|\bword for word|\bsub-?agent)[^\n"“]{0,100}["“][^"”\n]{0,300}$|\b(?:prompt|message|task|brief|greet\w*|writes?|assistants?|agents?|bots?)\b[^\n"“.]{0,60}\b(?:(?:begins?|starts?|opens?|ends?) with|with the (?:line|words|sentence|text|message))\b[^\n"“]{0,60}["“][^"”\n]{0,300}$/iu;
const QUOTES = /["“”«»„`‘’']|「|」/u;

/** It is in quotation marks or code, and the words around it mention attacks. */
function isTalkedAbout(text: string, index: number, length: number): boolean {
  const line = text.lastIndexOf("\n", index) + 1;
  const end = text.indexOf("\n", index + length);
  const before = text.slice(line, index);
  const after = text.slice(index + length, end === -1 ? text.length : end);
  const quoted =
    (QUOTES.test(before) && (QUOTES.test(after) || (length < 60 && QUOTES.test(text.charAt(index + length - 1))))) ||
    /^\s*(?:>|\|)/.test(before) ||
    inFence(text, index);
  return (
    quoted &&
    !HANDED_ON.test(text.slice(Math.max(0, index - 400), index)) &&
    ABOUT_ATTACKS.test(text.slice(Math.max(0, index - 500), index) + after.slice(0, 200))
  );
}

const LISTED_AS_BAD =
  /\b(?:phrases|look for|looks like|typical|warning signs?|red flags?|indicators?|signs of|suspicious|attacks?|injections?|malicious|phishing|bad examples?|what not to do|never|do not|don['’]t|forbidden|refuse|reject|decline)\b|(?:警告|可疑|攻击|禁止|不要)/iu;

/** An entry of a list whose heading or whose words before it say that it is bad. */
function isListedAsBad(text: string, index: number): boolean {
  const line = text.lastIndexOf("\n", index) + 1;
  if (!/^\s*(?:[-*+]|\d+[.)]|>)\s/.test(text.slice(line, index + 4))) return false;
  const intro =
    text
      .slice(0, line)
      .split("\n")
      .findLast((one) => one.trim() !== "" && !/^\s*(?:[-*+]|\d+[.)]|>)\s/.test(one)) ?? "";
  return LISTED_AS_BAD.test(intro) && /[:：]\s*$|^#/.test(intro.trim());
}

function inFence(text: string, index: number): boolean {
  return (text.slice(0, index).match(/^[ \t]*(?:`{3}|~{3})/gm)?.length ?? 0) % 2 === 1;
}

function graver(severity: Severity): Severity {
  return severity === "critical" || severity === "high" ? "critical" : "high";
}

function shorten(words: string): string {
  const line = words.replaceAll(/\s+/g, " ").trim();
  return line.length > 120 ? `${line.slice(0, 119)}…` : line;
}
