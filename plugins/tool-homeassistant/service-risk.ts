import type { Json, JsonObject, Egress, Risk } from "hermes-agent/plugin";
import { readService, type ServiceInput } from "./home-assistant.ts";

/**
 * Services that make the house safer, by domain; every other service of these domains asks. A cover may be a garage or
 * a gate.
 */
const GUARDED: ReadonlyMap<string, RegExp> = new Map([
  ["lock", /^lock$/],
  ["alarm_control_panel", /^alarm_(?:arm_\w+|trigger)$/],
  ["cover", /^(?:close|stop)_/],
]);
/** Services of `homeassistant` that act on entities of any domain. */
const OF_EVERY_DOMAIN: ReadonlySet<string> = new Set(["turn_on", "turn_off", "toggle"]);
/** Fields that select entities which cannot be determined here. */
const MANY = ["area_id", "device_id", "floor_id", "label_id"];
/**
 * Domains whose services open nothing and send nothing out of the house. The effect of a button, switch, scene or
 * script is unknown.
 */
const IN_THE_HOUSE: ReadonlySet<string> = new Set(
  "light climate fan vacuum humidifier water_heater valve lawn_mower input_boolean input_number input_select number select lock alarm_control_panel".split(
    " ",
  ),
);

/** Asks before opening, disarming and stopping Home Assistant. */
export function riskOfService(input: ServiceInput): Risk | undefined {
  let read: ReturnType<typeof readService>;
  try {
    read = readService(input);
  } catch {
    return undefined; // The call will be refused with this error, so there is nothing to ask about.
  }
  const { domain, service, data } = read;
  const name = `${domain}.${service}`;
  if (domain === "homeassistant" && (service === "stop" || service === "restart"))
    return {
      answer: "ask",
      key: "stops Home Assistant",
      reasons: [`${name} stops Home Assistant, which controls the house.`],
      effects: [],
    };
  const ids = idsOf(data);
  const domains = [domain, ...ids.map((id) => id.split(".")[0]!)];
  const opens =
    domains.some((one) => GUARDED.get(one)?.test(service) === false) ||
    (domain === "homeassistant" &&
      OF_EVERY_DOMAIN.has(service) &&
      (ids.length === 0 || domains.includes("group") || MANY.some((field) => data[field] !== undefined)));
  return opens
    ? {
        answer: "ask",
        key: "opens or disarms the house",
        reasons: [`${name} may open or disarm: ${ids.length === 0 ? "everything it controls" : ids.join(",")}.`],
        effects: [],
      }
    : undefined;
}

/** Entities that a call names: by ID, or as targets of a scene. */
function idsOf({ entity_id, entities }: JsonObject): readonly string[] {
  const named: readonly Json[] = Array.isArray(entity_id)
    ? (entity_id as readonly Json[])
    : entity_id === undefined
      ? []
      : [entity_id];
  return [...named.map(String), ...(typeof entities === "object" && entities !== null ? Object.keys(entities) : [])];
}

/**
 * Services that may send content out of the house (messages, speech, media), or open it without the name showing that.
 */
export function reachOfService({ domain, service, entity_id }: ServiceInput): readonly Egress[] {
  return IN_THE_HOUSE.has(domain.trim())
    ? []
    : [
        {
          kind: "send",
          what: `Home Assistant: ${domain}.${service}${entity_id === undefined ? "" : ` to ${entity_id}`}`,
        },
      ];
}
