import { findDeception } from "../text/visible.ts";

/** Why a job's prompt is refused, for the user. No user is present when it runs, so unusual requests are refused. */
export function refusedPrompt(text: string): string | undefined {
  const sign = SIGNS.find(({ pattern }) => pattern.test(text));
  if (sign !== undefined) return `it ${sign.says} (${sign.id})`;
  const hidden = findDeception(text);
  return hidden === undefined ? undefined : `it ${hidden.reason} (invisible_unicode)`;
}

/** The names are the original's. */
const SIGNS: readonly { readonly id: string; readonly says: string; readonly pattern: RegExp }[] = [
  {
    id: "prompt_injection",
    says: "overrides other instructions",
    pattern:
      /\bignore\s+(?:\w+\s+){0,3}(?:previous|prior|above|earlier|preceding)\s+(?:\w+\s+){0,2}(?:instructions?|prompts?|rules|directions)\b/i,
  },
  {
    id: "deception_hide",
    says: "hides something from the user",
    pattern:
      /\b(?:do\s+not|don['’]t|never)\s+(?:tell|inform|notify|mention\s+(?:\w+\s+){0,2}to|show)\s+(?:it\s+to\s+)?the\s+(?:user|owner|human)\b/i,
  },
  {
    id: "sys_prompt_override",
    says: "mentions overriding the system prompt",
    pattern: /\b(?:system\s+prompt\s+override|override\s+(?:the\s+|your\s+)?system\s+prompt)\b/i,
  },
  {
    id: "disregard_rules",
    says: "overrides rules",
    pattern: /\bdisregard\s+(?:\w+\s+){0,2}(?:instructions|rules|guidelines|policies)\b/i,
  },
  {
    id: "read_secrets",
    says: "prints a file of secrets",
    pattern: /\b(?:cat|less|head|tail|more|bat|type)\s[^\n|;&]{0,200}?(?:\.env\b|credentials|\.netrc|\.pgpass)/i,
  },
  { id: "ssh_backdoor", says: "names authorized_keys", pattern: /\bauthorized_keys\b/i },
  { id: "sudoers_mod", says: "changes who can become root", pattern: /\/etc\/sudoers|\bvisudo\b/i },
  {
    id: "destructive_root_rm",
    says: "deletes everything",
    pattern: /\brm\s+(?:-\w+\s+){0,3}(?:-[a-z]*[rf][a-z]*|--recursive|--force)\s+(?:-\S+\s+){0,3}\/(?:\s|\*|$)/i,
  },
  {
    id: "exfil_curl",
    says: "sends a secret away",
    pattern:
      /\b(?:curl|wget)\s(?![^\n]{0,400}api\.github\.com)[^\n]{0,400}\$\{?\w{0,40}(?:KEY|TOKEN|SECRET|PASSWORD|CREDENTIAL|API)/i,
  },
];
