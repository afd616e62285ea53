import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { startOpenAiServer } from "../../servers/openai.ts";
import { NewUser } from "../support/test-user.ts";

const settingsOf = (user: NewUser): string => {
  const file = join(user.agentHome, "config.yaml");
  return existsSync(file) ? readFileSync(file, "utf8") : "";
};

// field: M20
test("hermes model saves nothing without a key, with a refused key, or for an unknown model", async () => {
  using user = new NewUser();
  const before = settingsOf(user);
  const lacking = await user.run(["model", "openai/gpt-9"]);
  assert.deepEqual([lacking.status, settingsOf(user)], [78, before], lacking.err);
  assert.match(lacking.err, /OPENAI_API_KEY is not set.*\n.*Nothing was saved.*--api-key.*--no-check/s);

  await using server = await startOpenAiServer((request) =>
    request.path.endsWith("/models")
      ? { raw: [JSON.stringify({ data: [{ id: "loopback-large" }, { id: "loopback-small" }, { id: "other" }] })] }
      : request.headers["authorization"] !== "Bearer right-key"
        ? { status: 401, message: "Incorrect API key provided" }
        : request.body.includes('"loopback-small"')
          ? { text: "OK" }
          : { status: 404, message: "The model does not exist" },
  );
  const choose = (model: string, key: string) => user.run(["model", model, "--base-url", server.url, "--api-key", key]);
  const refused = await choose("loopback-small", "wrong-key");
  assert.deepEqual([refused.status, settingsOf(user)], [78, before], refused.err);
  assert.match(refused.err, /Incorrect API key provided/);
  const unknown = await choose("loopback-smal", "right-key");
  assert.deepEqual([unknown.status, settingsOf(user)], [78, before], unknown.err);
  assert.match(unknown.err, /Similar models: loopback-small/);
  assert.equal(
    existsSync(join(user.agentHome, ".env")) && /right-key/.test(readFileSync(join(user.agentHome, ".env"), "utf8")),
    false,
  );

  const known = await choose("loopback-small", "right-key");
  assert.equal(known.status, 0, known.err);
  assert.match(settingsOf(user), /loopback-small/);
});

// field: M20
test("hermes model warns and saves if the service does not answer; --no-check sends nothing", async () => {
  using user = new NewUser();
  const closed = await user.run(["model", "llama3", "--base-url", "http://127.0.0.1:9/v1"]);
  assert.equal(closed.status, 0, closed.err);
  assert.match(closed.err, /could not be checked: Nothing answers at 127\.0\.0\.1:9/);
  assert.match(settingsOf(user), /llama3/);
  await using server = await startOpenAiServer([{ status: 404, message: "The model does not exist" }]);
  const unchecked = await user.run(["model", "nowhere", "--base-url", server.url, "--no-check"]);
  assert.equal(unchecked.status, 0, unchecked.err);
  assert.equal(server.requests.length, 0);
});
