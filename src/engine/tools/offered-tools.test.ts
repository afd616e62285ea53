import { test } from "node:test";
import { equal, deepEqual } from "node:assert/strict";
import { OfferedTools } from "./offered-tools.ts";

test("computes the deferred tools once, and only if a tool that was not sent is requested", () => {
  let asked = 0;
  const offered = new OfferedTools(new Set(["terminal"]), () => {
    asked += 1;
    return ["browser_open", "terminal"];
  });
  equal(offered.has("terminal"), true);
  equal(asked, 0);
  deepEqual(
    [offered.has("browser_open"), offered.has("nothing"), offered.size, [...offered]],
    [true, false, 2, ["terminal", "browser_open"]],
  );
  equal(asked, 1);
});
