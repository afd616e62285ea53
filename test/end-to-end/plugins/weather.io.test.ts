import assert from "node:assert/strict";
import { cpSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { test } from "node:test";
import { NewUser } from "../support/test-user.ts";

// req: registry.weather-sample-ts
test("the original's checklist line works: Use the weather tool for London", async () => {
  const asked: string[] = [];
  const weather = createServer((request, response) => {
    asked.push(request.url ?? "");
    response.setHeader("content-type", "application/json").end(
      JSON.stringify({
        location: { name: "London" },
        current: { temp_c: 12.5, temp_f: 54.5, condition: { text: "Cloudy" } },
      }),
    );
  });
  await new Promise<void>((resolve) => weather.listen(0, "127.0.0.1", resolve));
  try {
    using user = new NewUser();
    cpSync(join(import.meta.dirname, "../../../examples/plugins/weather"), join(user.agentHome, "plugins/weather"), {
      recursive: true,
    });
    const without = await user.run(["plugins", "enable", "weather"]);
    assert.match(without.out + without.err, /missing: WEATHER_API_KEY/);
    user.write(
      "~/.hermes/.env",
      `WEATHER_API_KEY=secret-of-the-weather\nWEATHER_BASE_URL=http://127.0.0.1:${(weather.address() as AddressInfo).port}\n`,
    );
    const enabled = await user.run(["plugins", "enable", "weather"]);
    assert.equal(enabled.status, 0, enabled.err);
    const { status, out, err } = await user.run(["chat", "-q", "Use the weather tool for London"]);
    assert.equal(status, 0, err);
    assert.match(
      out,
      /^`weather` says:\n\n- location: London\n- temp: 12\.5\n/m,
      "the untrusted content appears without the markers for models",
    );
    assert.match(asked[0] ?? "", /q=London/);
    assert.doesNotMatch(out + err, /secret-of-the-weather/);
  } finally {
    weather.close();
  }
});
