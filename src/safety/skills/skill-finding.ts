/** `critical` makes a skill dangerous, `high` asks for caution; the others are worth knowing. */
export type Severity = "critical" | "high" | "medium" | "low";

export type SkillThreat =
  | "exfiltration"
  | "injection"
  | "destructive"
  | "persistence"
  | "network"
  | "obfuscation"
  | "execution"
  | "traversal"
  | "mining"
  | "supply_chain"
  | "privilege_escalation"
  | "credential_exposure"
  | "structural"
  | "fraud";

export interface SkillFinding {
  readonly severity: Severity;
  readonly category: SkillThreat;
  readonly file: string;
  /** From 1; 0: of the file as a whole. */
  readonly line: number;
  /** A sentence for the user. */
  readonly reason: string;
}

/** Where a piece of text stands. */
export interface Place {
  readonly file: string;
  readonly line: number;
}

const ORDER: readonly Severity[] = ["critical", "high", "medium", "low"];

export function bySeverity(a: SkillFinding, b: SkillFinding): number {
  return ORDER.indexOf(a.severity) - ORDER.indexOf(b.severity);
}

/** The line, from 1, on which a character of the text stands. */
export function lineAt(text: string, index: number): number {
  let line = 1;
  for (let at = text.indexOf("\n"); at !== -1 && at < index; at = text.indexOf("\n", at + 1)) line++;
  return line;
}
