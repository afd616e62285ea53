import type { Risk } from "../../contract/tools/approval.ts";
import type { Assessment, Egress } from "../../contract/tools/assessment.ts";
import type { Effect } from "../../contract/tools/effect.ts";
import type { AnyTool, RiskContext } from "../../contract/tools/tool.ts";
import { assessByMembers, hasDeprecatedMembers, type AssessOptions } from "./assess-by-members.ts";

export const EFFECTS: readonly Effect[] = ["none", "read", "write", "execute", "network"];

/** A checked assessment whose effect is known. */
export interface Assessed extends Assessment {
  readonly effect: Effect;
}

/**
 * Asks a tool what a call would do, in whichever way the tool defines. Answers without a promise if the tool does.
 * @throws {Error} if the tool's answer is no assessment: the caller denies the call.
 */
export function assess(
  tool: AnyTool,
  input: unknown,
  context: RiskContext,
  options: AssessOptions,
): Assessed | Promise<Assessed> {
  const answer =
    tool.assess !== undefined
      ? tool.assess(input, context)
      : hasDeprecatedMembers(tool)
        ? assessByMembers(tool, input, context, options)
        : NOTHING_KNOWN;
  return answer instanceof Promise ? answer.then((late) => checked(tool, late)) : checked(tool, answer);
}

const NOTHING_KNOWN: Assessment = {};
const BY_EFFECT = Object.fromEntries(EFFECTS.map((effect) => [effect, { effect }])) as { [E in Effect]: Assessed };

function checked(tool: AnyTool, answer: Assessment): Assessed {
  if (answer === NOTHING_KNOWN) return BY_EFFECT[tool.effect as Effect];
  if (typeof answer !== "object" || answer === null) throw new Error("its tool must return an assessment object");
  const effect = answer.effect ?? tool.effect;
  if (typeof effect !== "string" || !EFFECTS.includes(effect))
    throw new Error(`its tool must report an effect, one of ${EFFECTS.join(", ")}`);
  checkRisk(answer.risk);
  checkList("egress", answer.egress, isReach);
  checkList("touches", answer.touches, (path) => typeof path === "string");
  checkUntrusted(answer.untrusted);
  if (answer.effect === effect) return answer as Assessed;
  const { risk, egress, untrusted, touches } = answer;
  return { effect, risk, egress, untrusted, touches, survey: answer.survey && ((signal) => answer.survey!(signal)) };
}

/** @throws {Error} if what a tool returned as a risk is none. */
function checkRisk(risk: Risk | null | undefined): void {
  if (risk === undefined || risk === null) return;
  const lists = Array.isArray(risk.reasons) && Array.isArray(risk.effects);
  if (!lists || typeof risk.key !== "string" || (risk.answer !== "ask" && risk.answer !== "block"))
    throw new Error('its tool must report risk as { answer: "ask" or "block", key, reasons: […], effects: […] }');
}

const KINDS: readonly Egress["kind"][] = ["send", "fetch", "run", "code", "change"];

function isReach(value: unknown): boolean {
  const { kind, what } = (value ?? {}) as Partial<Egress>;
  return typeof what === "string" && kind !== undefined && KINDS.includes(kind);
}

function checkList(name: string, list: unknown, isItem: (item: unknown) => boolean): void {
  if (list === undefined) return;
  if (!Array.isArray(list) || !list.every(isItem)) throw new Error(`its tool returned ${name} that cannot be read`);
}

function checkUntrusted(untrusted: Assessment["untrusted"]): void {
  if (untrusted === undefined || untrusted === false || typeof untrusted === "function") return;
  if (typeof untrusted !== "object" || typeof untrusted?.source !== "string")
    throw new Error("its tool must name the source of the untrusted content, or report false");
}
