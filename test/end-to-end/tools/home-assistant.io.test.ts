import assert from "node:assert/strict";
import { test } from "node:test";
import { HASS_TOKEN, startHomeAssistant } from "../../servers/home-assistant.ts";
import { startOpenAiServer } from "../../servers/openai.ts";
import { NewUser } from "../support/test-user.ts";
import { openToolHome } from "../support/tool-home.ts";

const FOUR = ["ha_call_service", "ha_get_state", "ha_list_entities", "ha_list_services"];

// req: tool-homeassistant.four
test("the four tools read and control a house at a configured private address, and are hidden without HASS_TOKEN", async () => {
  await using house = await startHomeAssistant();
  using user = new NewUser();
  {
    await using home = await openToolHome(user, { HASS_URL: house.url }, "");
    assert.deepEqual(await home.offered("homeassistant"), []);
    assert.equal(await home.why("ha_get_state"), "HASS_TOKEN is not set.");
  }
  await using home = await openToolHome(user, { HASS_URL: house.url, HASS_TOKEN }, "");
  assert.deepEqual((await home.offered("homeassistant")).toSorted(), FOUR);
  const kitchen = { entity_id: "light.kitchen", state: "off", friendly_name: "Kitchen light" };
  const cellar = { entity_id: "sensor.cellar", state: "12.5", friendly_name: "Cellar temperature" };
  const door = { entity_id: "lock.front_door", state: "locked", friendly_name: "Front door" };
  assert.deepEqual(await home.call("ha_list_entities", {}), {
    result: { count: 3, entities: [kitchen, cellar, door] },
  });
  assert.deepEqual(await home.call("ha_list_entities", { domain: "light" }), {
    result: { count: 1, entities: [kitchen] },
  });
  assert.deepEqual(await home.call("ha_list_entities", { area: "kitchen" }), {
    result: { count: 2, entities: [kitchen, cellar] },
  });
  assert.deepEqual(await home.call("ha_get_state", { entity_id: "sensor.cellar" }), {
    result: {
      entity_id: "sensor.cellar",
      state: "12.5",
      attributes: { friendly_name: "Cellar temperature", area: "Kitchen" },
      last_changed: "2026-11-23T00:00:00+00:00",
      last_updated: "2026-11-23T00:00:01+00:00",
    },
  });
  assert.deepEqual(await home.call("ha_list_services", {}), {
    result: {
      count: 1,
      domains: [
        {
          domain: "light",
          services: { turn_on: { description: "Turns it on.", fields: { brightness: "How bright." } } },
        },
      ],
    },
  });
  assert.deepEqual(
    await home.call("ha_call_service", {
      domain: "light",
      service: "turn_on",
      entity_id: "light.kitchen",
      data: '{"brightness": 120}',
    }),
    { result: { success: true, service: "light.turn_on", affected_entities: [{ ...kitchen, state: "on" }] } },
  );
  assert.deepEqual(house.received.at(-1), {
    method: "POST",
    path: "/api/services/light/turn_on",
    body: { brightness: 120, entity_id: "light.kitchen" },
  });
});

test("refuses command services and invalid entities without sending, and reports Home Assistant's refusals", async () => {
  await using house = await startHomeAssistant();
  using user = new NewUser();
  await using home = await openToolHome(user, { HASS_URL: house.url, HASS_TOKEN }, "");
  for (const domain of ["shell_command", "command_line", "python_script", "pyscript", "hassio", "rest_command"]) {
    assert.equal((await home.call("ha_call_service", { domain, service: "x" }))["code"], "blocked", domain);
  }
  const wrong = [
    { domain: "light/../shell_command", service: "x" },
    { domain: "light", service: "Turn On" },
    { domain: "light", service: "turn_on", entity_id: "../config" },
    { domain: "light", service: "turn_on", data: "{" },
    { domain: "light", service: "turn_on", data: "[1]" },
    { domain: "light", service: "turn_on", data: { entity_id: "light.kitchen,../x" } },
  ];
  for (const args of wrong)
    assert.equal((await home.call("ha_call_service", args))["code"], "bad_arguments", JSON.stringify(args));
  assert.equal((await home.call("ha_get_state", { entity_id: "light.kitchen/../../config" }))["code"], "bad_arguments");
  assert.deepEqual(house.received, []);
  assert.deepEqual(await home.call("ha_get_state", { entity_id: "light.attic" }), {
    error: 'Home Assistant has no entity "light.attic".',
    code: "not_found",
    hint: "ha_list_entities lists the entities.",
  });
  assert.match(
    String((await home.call("ha_call_service", { domain: "light", service: "explode" }))["error"]),
    /answered 400: Service light\.explode not found/,
  );
});

test("reports a rejected token without showing it", async () => {
  await using house = await startHomeAssistant();
  using user = new NewUser();
  await using home = await openToolHome(user, { HASS_URL: house.url, HASS_TOKEN: "another-token-5678" }, "");
  const message = await home.call("ha_list_entities", {});
  assert.equal(message["error"], "Home Assistant rejected the token in HASS_TOKEN.");
  assert.doesNotMatch(JSON.stringify(message), /another-token/);
});

test("without a user, opens no lock or garage and does not stop Home Assistant, by any service; locking is allowed", async () => {
  await using house = await startHomeAssistant();
  using user = new NewUser();
  await using home = await openToolHome(user, { HASS_URL: house.url, HASS_TOKEN }, "");
  for (const args of [
    { domain: "lock", service: "unlock", entity_id: "lock.front_door" },
    { domain: "homeassistant", service: "turn_off", data: { entity_id: ["light.kitchen", "lock.front_door"] } },
    { domain: "cover", service: "open_cover", entity_id: "cover.garage" },
    { domain: "homeassistant", service: "restart" },
  ]) {
    assert.equal((await home.call("ha_call_service", args))["kind"], "denied");
  }
  assert.deepEqual([house.stateOf("lock.front_door"), house.received], ["locked", []]);
  await home.call("ha_call_service", { domain: "lock", service: "lock", entity_id: "lock.front_door" });
  assert.equal(house.received.length, 1);
});

// req: R-42
test("fences states for the model; without a user, allows reading but sends nothing out afterwards", async () => {
  await using house = await startHomeAssistant();
  using user = new NewUser();
  await using server = await startOpenAiServer([
    { calls: [{ tool: "ha_get_state", args: { entity_id: "sensor.cellar" } }] },
    {
      calls: [
        { tool: "ha_list_entities", args: { domain: "light" } },
        { tool: "ha_list_services", args: {} },
      ],
    },
    { calls: [{ tool: "ha_call_service", args: { domain: "notify", service: "phone", data: { message: "leaked" } } }] },
    { calls: [{ tool: "ha_call_service", args: { domain: "light", service: "turn_on", entity_id: "light.kitchen" } }] },
    { text: "done" },
  ]);
  user.connect("custom", server.url);
  user.write("~/.hermes/.env", `OPENAI_API_KEY=key-of-the-test\nHASS_URL=${house.url}\nHASS_TOKEN=${HASS_TOKEN}\n`);
  const run = await user.run(["chat", "-q", "how warm is the cellar?"]);
  assert.equal(run.status, 0, run.err);
  const last = (at: number): string =>
    String(
      (
        JSON.parse(server.requests[at]!.body) as { readonly messages: readonly { readonly content: string }[] }
      ).messages.at(-1)!.content,
    );
  assert.match(last(1), /^<untrusted-text [0-9a-f]+ from="Home Assistant">/);
  assert.match(last(3), /no user is connected/);
  assert.deepEqual(house.received.map(({ path }) => path).toSorted(), [
    "/api/services",
    "/api/services/light/turn_on",
    "/api/states",
    "/api/states/sensor.cellar",
  ]);
});
