import assert from "node:assert/strict";
import { userInfo } from "node:os";
import { test } from "node:test";
import { userHomeOf } from "./user-home.ts";

// req: config.home
test("finds the home in the system's user list if HOME is unset, empty or relative", () => {
  assert.equal(userHomeOf({ HOME: "/home/me with spaces" }), "/home/me with spaces");
  for (const env of [{}, { HOME: "" }, { HOME: "home" }, { HOME: "./x" }])
    assert.equal(userHomeOf(env), userInfo().homedir);
});
