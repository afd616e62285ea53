import { objectOf, type Json, type JsonObject } from "hermes-agent/plugin";

/** A change of an entity: the sentence for the agent, and text from devices that is untrusted. */
export interface ChangeText {
  readonly text: string;
  /** Untrusted: names and values that may hold sentences, such as the title of a song. */
  readonly context?: string;
}

/**
 * Describes a `state_changed` event; `undefined` if nothing changed for a user: only attributes, an entity that was
 * added (as all are when Home Assistant starts), or one that was removed.
 */
export function changeText(data: JsonObject): ChangeText | undefined {
  const entity = String(data["entity_id"] ?? "");
  const [before, after] = [objectOf(data["old_state"]), objectOf(data["new_state"])];
  const [from, to] = [before["state"], after["state"]];
  if (typeof from !== "string" || typeof to !== "string" || from === to) return undefined;
  const attributes = objectOf(after["attributes"]);
  const name = valueOf(attributes["friendly_name"]) || entity;
  const sentence = `[Home Assistant] ${sentenceOf({ entity, name, from, to, attributes })}`;
  const unit = valueOf(attributes["unit_of_measurement"]);
  if (isPlainName(name) && [from, to].every(isPlainValue) && isPlainUnit(unit)) return { text: sentence };
  return { text: `[Home Assistant] ${entity} changed. Its name and values come with this message.`, context: sentence };
}

interface Change {
  readonly entity: string;
  readonly name: string;
  readonly from: string;
  readonly to: string;
  readonly attributes: JsonObject;
}

function sentenceOf({ entity, name, from, to, attributes }: Change): string {
  const unit = valueOf(attributes["unit_of_measurement"]);
  const number = (key: string): string => (typeof attributes[key] === "number" ? String(attributes[key]) : "unknown");
  const switched = to === "on" || to === "off";
  switch (entity.split(".")[0]) {
    case "climate":
      return `${name}: HVAC mode changed from '${from}' to '${to}' (current: ${number("current_temperature")}, target: ${number("temperature")})`;
    case "sensor":
      return `${name}: changed from ${from}${unit} to ${to}${unit}`;
    case "binary_sensor":
      if (switched) return `${name}: ${to === "on" ? "triggered" : "cleared"} (was ${from})`;
      break;
    case "light":
    case "switch":
    case "fan":
      if (switched) return `${name}: turned ${to}`;
      break;
    case "alarm_control_panel":
      return `${name}: alarm state changed from '${from}' to '${to}'`;
  }
  return `${name} (${entity}): changed from '${from}' to '${to}'`;
}

/** A state or a measurement, which cannot hold a sentence. */
function isPlainValue(value: string): boolean {
  return /^[\w.:+-]{1,40}$/.test(value);
}

function isPlainUnit(unit: string): boolean {
  return /^[\p{L}\p{N}°%/³²·.$€£-]{0,12}$/u.test(unit);
}

/** A few words, as users name their devices. */
function isPlainName(name: string): boolean {
  return /^[\p{L}\p{N} ._'’()/-]{1,48}$/u.test(name) && name.split(/\s+/).length <= 6;
}

function valueOf(value: Json | undefined): string {
  return typeof value === "string" ? value.trim() : "";
}
