import { makeVisible } from "./visible.ts";

/** Never needed in a note to oneself; the judgement of skills, which are longer, does not look for it. */
const FORGET =
  /\b(?:forget|drop|erase|discard|override|overrule)\b[^.\n]{0,40}\b(?:everything|anything|all|whatever)\b[^.\n]{0,40}\b(?:told|said|learned|instructed|before|above|earlier|so far|rules?|instructions?)\b/iu;
const SPEAKS_AS =
  /^\s*(?:\[\s*system\s*\]|<\s*\/?\s*system\s*>|<\|\w+\|>|(?:system|developer)\s+(?:message|prompt|notice|override|update|instructions?)\s*:|(?:system|developer)\s*:\s*(?:new\b|from now|you\b|ignore|override|the (?:user|person)|policy|approvals?))/imu;
const CALLS_HOME =
  /\b(?:register|check in|report|connect|beacon|phone home)\b[^.\n]{0,40}\b(?:c2|c&c|command[- ]and[- ]control|beacon)\b|\bbeacon(?:s|ing)?\b[^.\n]{0,30}\bhttps?:/iu;
const OPENS_DOOR = /\bauthorized_keys\b|\bssh-(?:rsa|ed25519|dss)\s+AAAA/u;
const UNSEEN = /<!--|<\w+[^>]{0,200}(?:display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0)/iu;
const INVISIBLE = /[\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]|[\u{e0000}-\u{e007f}]/u;

const SIGNS: readonly (readonly [pattern: RegExp, reason: string])[] = [
  [FORGET, "It tells the model to ignore its instructions"],
  [SPEAKS_AS, "It poses as a system message"],
  [CALLS_HOME, "It tells the model to report to an unknown server"],
  [OPENS_DOOR, "It opens access to a machine"],
  [UNSEEN, "It contains text that users do not see"],
];

/**
 * Why a short text must not be stored where later sessions read it as their own; `undefined` if nothing speaks against
 * it. Judges orders to a model, not facts or preferences of the user, however they are phrased.
 */
export async function plantedWords(text: string): Promise<string | undefined> {
  // Joiners of emoji and of scripts that need them are letters.
  const hidden = INVISIBLE.exec(
    text.replaceAll(
      /(?<=[\p{L}\p{M}\p{Extended_Pictographic}\ufe0f])[\u200c\u200d](?=[\p{L}\p{M}\p{Extended_Pictographic}])/gu,
      "",
    ),
  );
  if (hidden !== null) return `It contains the hidden character ${makeVisible(hidden[0])}.`;
  for (const [pattern, reason] of SIGNS) {
    const match = pattern.exec(text);
    if (match !== null) return `${reason}: “${makeVisible(match[0].trim()).slice(0, 120)}”.`;
  }
  const { scanSkill } = await import("../skills/scan-skill.ts");
  const { findings } = await scanSkill([
    {
      kind: "text",
      path: "SKILL.md",
      bytes: text.length,
      executable: false,
      text: `---\nname: note\ndescription: A note.\n---\n${text}\n`,
    },
  ]);
  const worst = findings[0];
  return worst?.severity === "critical" || worst?.severity === "high"
    ? `${worst.reason.replace(/[.”]*$/, (end) => end.replace(".", ""))}.`
    : undefined;
}
