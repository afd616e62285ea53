import type { Json, JsonObject, Reach, Risk } from "hermes-agent/plugin";
import { readService, type ServiceInput } from "./home-assistant.ts";

/** Who may come into the house is for its person. By domain, what makes the house safer: everything else of it asks. A cover may be a garage or a gate. */
const GUARDED: ReadonlyMap<string, RegExp> = new Map([
  ["lock", /^lock$/],
  ["alarm_control_panel", /^alarm_(?:arm_\w+|trigger)$/],
  ["cover", /^(?:close|stop)_/],
]);
/** Services of `homeassistant` that move entities of every domain. */
const OF_EVERY_DOMAIN: ReadonlySet<string> = new Set(["turn_on", "turn_off", "toggle"]);
/** Fields that name more entities than can be told from here. */
const MANY = ["area_id", "device_id", "floor_id", "label_id"];
/** Their services move things in the house and open nothing; no words leave it. What a button, switch, scene or script moves is not known here. */
const IN_THE_HOUSE: ReadonlySet<string> = new Set(
  "light climate fan vacuum humidifier water_heater valve lawn_mower input_boolean input_number input_select number select lock alarm_control_panel".split(
    " ",
  ),
);

/** Opening, disarming and stopping Home Assistant ask. */
export function riskOfService(input: ServiceInput): Risk | undefined {
  let read: ReturnType<typeof readService>;
  try {
    read = readService(input);
  } catch {
    return undefined; // Nothing is sent of it: the call itself says why.
  }
  const { domain, service, data } = read;
  const name = `${domain}.${service}`;
  if (domain === "homeassistant" && (service === "stop" || service === "restart"))
    return {
      answer: "ask",
      key: "stops Home Assistant",
      reasons: [`${name} stops what looks after the house.`],
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
        reasons: [`${name} may open or disarm: ${ids.length === 0 ? "everything it reaches" : ids.join(",")}.`],
        effects: [],
      }
    : undefined;
}

/** Entities that a call names: by their ids, or as what a scene sets. */
function idsOf({ entity_id, entities }: JsonObject): readonly string[] {
  const named: readonly Json[] = Array.isArray(entity_id)
    ? (entity_id as readonly Json[])
    : entity_id === undefined
      ? []
      : [entity_id];
  return [...named.map(String), ...(typeof entities === "object" && entities !== null ? Object.keys(entities) : [])];
}

/** Messages, speech, media and whatever else may carry words out of the house, and what may open it without its name saying so. */
export function reachOfService({ domain, service, entity_id }: ServiceInput): readonly Reach[] {
  return IN_THE_HOUSE.has(domain.trim())
    ? []
    : [
        {
          kind: "send",
          what: `Home Assistant: ${domain}.${service}${entity_id === undefined ? "" : ` to ${entity_id}`}`,
        },
      ];
}
