import assert from "node:assert/strict";
import { userInfo } from "node:os";
import { test } from "node:test";
import { userHomeOf } from "./user-home.ts";

// req: config.home
test("a HOME that is absent, empty or relative names no folder: the system's list of users says where the home is", () => {
  assert.equal(userHomeOf({ HOME: "/home/me with spaces" }), "/home/me with spaces");
  for (const env of [{}, { HOME: "" }, { HOME: "home" }, { HOME: "./x" }])
    assert.equal(userHomeOf(env), userInfo().homedir);
});
