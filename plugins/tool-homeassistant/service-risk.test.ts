import assert from "node:assert/strict";
import { test } from "node:test";
import type { Json } from "hermes-agent/plugin";
import { reachOfService, riskOfService } from "./service-risk.ts";
import { definedFields } from "hermes-agent/plugin";

const call = (line: string, data?: Json) => {
  const [name = "", entity_id] = line.split(" ");
  const [domain = "", service = ""] = name.split(".");
  return definedFields({
    domain,
    service,
    entity_id,
    data,
  });
};
const asks = (line: string, data?: Json) => riskOfService(call(line, data))?.answer === "ask";

test("a service that may open or disarm the house asks, in every spelling; one that closes or locks does not", () => {
  for (const line of [
    "lock.unlock lock.front",
    "lock.open lock.front",
    "alarm_control_panel.alarm_disarm",
    "cover.open_cover cover.garage",
    "cover.toggle cover.gate",
    "cover.set_cover_position cover.gate",
    "cover.open_cover_tilt cover.blind",
    "homeassistant.toggle cover.garage",
    "homeassistant.turn_on lock.front",
    "homeassistant.turn_off group.doors",
    "homeassistant.turn_on",
    "homeassistant.stop",
    "homeassistant.restart",
  ])
    assert.ok(asks(line), line);
  for (const [line, data] of [
    ["homeassistant.turn_on", { area_id: "hall" }],
    ["homeassistant.toggle light.kitchen", { device_id: ["a"] }],
    ["homeassistant.turn_off", { entity_id: ["light.kitchen", "cover.gate"] }],
    ["scene.apply", { entities: { "light.kitchen": "on", "cover.garage": "open" } }],
    ["scene.apply", '{"entities":{"lock.front":"unlocked"}}'],
  ] as const)
    assert.ok(asks(line, data), `${line} ${JSON.stringify(data)}`);
  for (const line of [
    "lock.lock lock.front",
    "alarm_control_panel.alarm_arm_away",
    "cover.close_cover cover.garage",
    "cover.stop_cover cover.garage",
    "cover.close_cover_tilt cover.blind",
    "light.turn_on light.kitchen",
    "homeassistant.turn_on light.kitchen",
    "homeassistant.update_entity sensor.cellar",
    "scene.turn_on scene.evening",
    "switch.turn_on switch.lamp",
    "button.press button.bell",
  ])
    assert.ok(!asks(line), line);
  assert.ok(!asks("light.turn_on", { area_id: "hall" }), "an area limits light.turn_on to its lights");
});

test("after untrusted content, services that may open the house or send content out ask; lights and heating do not", () => {
  for (const line of [
    "cover.close_cover cover.gate",
    "button.press button.gate",
    "scene.turn_on scene.home",
    "switch.turn_on switch.gate",
    "script.turn_on script.leave",
    "automation.trigger automation.door",
    "homeassistant.turn_on switch.gate",
    "notify.phone",
  ])
    assert.equal(reachOfService(call(line))[0]?.kind, "send", line);
  for (const line of [
    "light.turn_on light.kitchen",
    "climate.set_temperature climate.hall",
    "fan.turn_off fan.attic",
    "lock.lock lock.front",
  ])
    assert.deepEqual(reachOfService(call(line)), [], line);
});
