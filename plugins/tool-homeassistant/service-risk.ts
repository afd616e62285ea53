import type { Json, Reach, Risk } from "hermes-agent/plugin";
import { readService, type ServiceInput } from "./home-assistant.ts";

/** Who may come into the house is for its person. */
const GUARDED: ReadonlySet<string> = new Set(["lock", "alarm_control_panel"]);
/** What makes the house safer. */
const SAFER = /^(?:lock|alarm_arm_\w+|alarm_trigger)$/;
/** Their services move things in the house; no words leave it. */
const IN_THE_HOUSE: ReadonlySet<string> = new Set("light switch climate cover fan scene vacuum humidifier water_heater valve lawn_mower input_boolean input_number input_select number select button lock alarm_control_panel homeassistant".split(" "));

/** Opening and disarming asks. */
export function riskOfService(input: ServiceInput): Risk | undefined {
  let read: ReturnType<typeof readService>;
  try {
    read = readService(input);
  } catch {
    return undefined; // Nothing is sent of it: the call itself says why.
  }
  const { domain, service, data } = read;
  const ids = data["entity_id"];
  const domains = new Set([domain, ...(Array.isArray(ids) ? (ids as readonly Json[]) : ids === undefined ? [] : [ids]).map((id) => String(id).split(".")[0]!)]);
  if (![...domains].some((one) => GUARDED.has(one)) || SAFER.test(service)) return undefined;
  return { answer: "ask", key: "opens or disarms the house", reasons: [`${domain}.${service} opens or disarms: ${ids === undefined ? "everything it reaches" : String(ids)}.`], effects: [] };
}

/** Messages, speech, media and whatever else may carry words out of the house. */
export function reachOfService({ domain, service, entity_id }: ServiceInput): readonly Reach[] {
  return IN_THE_HOUSE.has(domain.trim()) ? [] : [{ kind: "send", what: `Home Assistant: ${domain}.${service}${entity_id === undefined ? "" : ` to ${entity_id}`}` }];
}
