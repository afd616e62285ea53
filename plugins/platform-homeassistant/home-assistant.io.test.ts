import assert from "node:assert/strict";
import { test } from "node:test";
import { waitFor } from "hermes-agent/testing";
import { startHomeAssistant } from "../../test/servers/home-assistant.ts";
import { homeBench } from "./test/home-bench.ts";

// req: platforms.homeassistant-config
test("passes on a watched change, and neither an ignored one nor a second one within the cooldown", async () => {
  await using house = await startHomeAssistant();
  const bench = homeBench(house.url);
  await using _ = await bench.connected({
    watch_domains: ["light"],
    watch_entities: ["sensor.cellar"],
    ignore_entities: ["light.attic"],
    cooldown_seconds: 60,
  });
  house.change("light.attic", "off", "on");
  house.change("switch.pump", "off", "on");
  house.change("light.hall", "on", "on", { brightness: 3 });
  house.change("light.hall", "off", "on", { friendly_name: "Hall light" });
  house.change("light.hall", "on", "off", { friendly_name: "Hall light" });
  house.change("sensor.cellar", "12", "13", { unit_of_measurement: "°C" });
  assert.deepEqual(await bench.texts(2), [
    "[Home Assistant] Hall light: turned on",
    "[Home Assistant] sensor.cellar: changed from 12°C to 13°C",
  ]);
  const [first] = bench.received;
  assert.deepEqual([first?.chat_id, first?.chat_type, first?.user_id], ["ha_events", "channel", "homeassistant"]);
});

test("without a filter, does not even subscribe to changes", async () => {
  await using house = await startHomeAssistant();
  const bench = homeBench(house.url);
  await using _ = await bench.connected();
  assert.deepEqual(house.subscriptions(), ["hermes_message"]);
});

test("subscribes once again after a connection that broke", async () => {
  await using house = await startHomeAssistant();
  const bench = homeBench(house.url);
  await using _ = await bench.connected({ watch_all: true, cooldown_seconds: 0 });
  house.change("light.hall", "off", "on");
  await bench.texts(1);
  house.cut();
  await waitFor(() => house.subscriptions().length === 2, { what: "both subscriptions" });
  house.change("light.hall", "on", "off");
  assert.deepEqual(await bench.texts(2), [
    "[Home Assistant] light.hall: turned on",
    "[Home Assistant] light.hall: turned off",
  ]);
  assert.equal(house.connections(), 1);
});

test("reports changes with a token that may not read other events, and says what is missing", async () => {
  await using house = await startHomeAssistant({ admin: false });
  const bench = homeBench(house.url);
  await using _ = await bench.connected({ watch_domains: ["light"] });
  assert.deepEqual(house.subscriptions(), ["state_changed"]);
  assert.match(bench.log.lines.map(({ message }) => message).join("\n"), /refuses events of the type hermes_message/);
  await assert.rejects(homeBench(house.url).connected(), /refuses every subscription/);
});

test("a token that is revoked ends the platform with a reason, and no error repeats it", async () => {
  await using house = await startHomeAssistant();
  const bench = homeBench(house.url, { env: { HASS_TOKEN: "an-old-token" } });
  await assert.rejects(bench.connected(), (cause: Error & { readonly hint?: string }) => {
    assert.match(`${cause.message} ${cause.hint}`, /rejects the access token.*profile page/);
    return true;
  });
  await assert.rejects(homeBench(house.url, { env: { HASS_TOKEN: "" } }).connected(), /no access token/);
  const right = homeBench(house.url);
  await using _ = await right.connected();
  house.revoke();
  house.cut();
  await waitFor(() => right.lost.length > 0, { what: "the loss" });
  assert.deepEqual(right.lost, ["Home Assistant rejects the access token."]);
});

test("answers through a service, through an entity, and in Home Assistant", async () => {
  await using house = await startHomeAssistant({ notify: ["mobile_app_phone"], entities: ["notify.kitchen"] });
  const bench = homeBench(house.url);
  await using adapter = await bench.connected();
  assert.deepEqual(
    (await adapter.list_chats?.())?.map(({ id }) => id),
    ["ha_events", "notify.mobile_app_phone", "notify.kitchen"],
  );
  for (const chat of ["notify.mobile_app_phone", "notify.kitchen"]) {
    assert.equal((await adapter.send(chat, "**Now**", {}))?.success, true);
    assert.deepEqual(await house.notified(), {
      to: chat,
      title: "Hermes Agent",
      message: "Now",
      ...(chat === "notify.kitchen" ? { entity_id: chat } : {}),
    });
  }
  const sent = await adapter.send("ha_events", "**Now**", {});
  const { notification_id, ...shown } = await house.notified();
  assert.deepEqual(shown, { to: "persistent_notification", title: "Hermes Agent", message: "**Now**" });
  assert.equal(sent?.message_id, notification_id);
  const refused = await adapter.send("light.hall", "x", {});
  assert.deepEqual([refused?.success, refused?.retryable], [false, false]);
});

test("the connection test returns the name of the configured home", async () => {
  await using house = await startHomeAssistant();
  const { platform } = homeBench(house.url);
  assert.equal(await platform.test_connection?.({ enabled: true, extra: {} }), "Tea house (Home Assistant 2026.11.1)");
});
