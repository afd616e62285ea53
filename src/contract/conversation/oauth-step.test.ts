import assert from "node:assert/strict";
import { test } from "node:test";
import type { Logger } from "../common/logger.ts";
import { oauthFailure, oauthStep } from "./oauth-step.ts";

test("logs sign-in steps only if the variable enables it", () => {
  const lines: unknown[] = [];
  const log = { info: (message: string, detail: unknown) => void lines.push([message, detail]) } as unknown as Logger;
  for (const text of [undefined, "", "0", "off", "no", "1", " TRUE ", "yes", "on"])
    oauthStep({ env: (name) => (name === "HERMES_OAUTH_TRACE" ? text : undefined), log }, "renewal done", {
      service: String(text),
    });
  assert.deepEqual(
    lines,
    ["1", " TRUE ", "yes", "on"].map((service) => ["oauth_trace renewal done", { service }]),
  );
});

test("logs the kind of a failure and none of its text", () => {
  assert.deepEqual(
    [
      Object.assign(new Error("secret-1"), { code: "invalid_grant" }),
      Object.assign(new Error("x"), { code: "the token secret-1 is bad" }),
      new TypeError("secret-1"),
      "secret-1",
      null,
    ].map(oauthFailure),
    ["invalid_grant", "Error", "TypeError", "failed", "failed"],
  );
});
