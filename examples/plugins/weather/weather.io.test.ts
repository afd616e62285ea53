import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import type { ToolContext, ToolFailure } from "hermes-agent/plugin";
import { weather } from "./index.ts";

/** A weather service on loopback that knows London and one key. */
async function service(t: { after(run: () => Promise<void>): void }) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? "");
    const url = new URL(request.url ?? "", "http://service");
    const send = (status: number, body: unknown) =>
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    if (url.searchParams.get("key") !== "right-key")
      return send(401, { error: { code: 2006, message: "API key is invalid." } });
    if (url.searchParams.get("q") === "Nowhere")
      return send(400, { error: { code: 1006, message: "No matching location found." } });
    return send(200, { location: { name: "London" }, current: { temp_c: 21.5, temp_f: 70.7 } });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => new Promise((resolve) => (server.closeAllConnections(), server.close(() => resolve()))));
  return { asked, baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

function context(env: { readonly [name: string]: string }): ToolContext {
  return { env: (name: string) => env[name], signal: new AbortController().signal } as unknown as ToolContext;
}

// req: registry.weather-sample-ts
test("with a key it returns location, temperature and units, metric by default", async (t) => {
  const { asked, baseUrl } = await service(t);
  const call = context({ WEATHER_API_KEY: "right-key", WEATHER_BASE_URL: baseUrl });
  assert.deepEqual(await weather.execute({ location: "London" }, call), {
    location: "London",
    temp: 21.5,
    units: "metric",
  });
  assert.deepEqual(await weather.execute({ location: "51.5,-0.1", units: "imperial" }, call), {
    location: "London",
    temp: 70.7,
    units: "imperial",
  });
  assert.deepEqual(asked, ["/v1/current.json?key=right-key&q=London", "/v1/current.json?key=right-key&q=51.5%2C-0.1"]);
});

// req: registry.weather-sample-ts
test("without a key it is not offered, and a call reports the missing key", async () => {
  const probe = { env: () => undefined } as never;
  assert.deepEqual(await weather.available?.(probe), {
    ok: false,
    reason: "WEATHER_API_KEY is not set.",
    needs: ["WEATHER_API_KEY"],
  });
  assert.deepEqual(await weather.available?.({ env: () => "right-key" } as never), { ok: true });
  await assert.rejects(weather.execute({ location: "London" }, context({})), {
    message: "WEATHER_API_KEY not configured",
  });
});

test("passes on a refusal of the service without the key", async (t) => {
  const { baseUrl } = await service(t);
  const say = async (key: string, location: string) =>
    weather.execute({ location }, context({ WEATHER_API_KEY: key, WEATHER_BASE_URL: baseUrl })).then(
      () => "no failure",
      (failure: ToolFailure) => failure.message,
    );
  assert.equal(await say("wrong-key", "London"), "The weather service answered 401: API key is invalid.");
  assert.equal(await say("right-key", "Nowhere"), "The weather service answered 400: No matching location found.");
});

test("reports an unreachable service without the key", async () => {
  const call = context({ WEATHER_API_KEY: "right-key", WEATHER_BASE_URL: "http://127.0.0.1:1" });
  await assert.rejects(weather.execute({ location: "London" }, call), {
    message: "Cannot connect to the weather service at 127.0.0.1:1.",
  });
});
