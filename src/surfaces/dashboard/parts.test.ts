import assert from "node:assert/strict";
import { test } from "node:test";
import { isInside, partOf } from "./parts.ts";

const read = (manifest: unknown, commands: readonly string[] = ["figures"]) =>
  partOf(typeof manifest === "string" ? manifest : JSON.stringify(manifest), {
    key: "cockpit",
    folder: "/p/cockpit/dashboard",
    commands,
  });

test("reads a page, a theme and the page's commands from a manifest", () => {
  const part = read({
    label: "Cockpit",
    description: "All at a glance",
    tab: { position: "after:status" },
    entry: "index.js",
    css: "css/page.css",
    api: ["figures"],
    theme: { label: "Strike", css: "theme.css" },
  });
  assert.deepEqual(part, {
    key: "cockpit",
    label: "Cockpit",
    description: "All at a glance",
    folder: "/p/cockpit/dashboard",
    page: { entry: "index.js", css: "css/page.css", position: "after:status" },
    theme: { label: "Strike", css: "theme.css" },
    api: ["figures"],
    problems: [],
  });
});

test("a theme needs no page, and a hidden tab is not shown", () => {
  assert.equal(read({ theme: { css: "theme.css" } }).page, undefined);
  assert.equal(read({ entry: "index.js", tab: { hidden: true } }).page, undefined);
});

test("reports the unusable fields of a manifest and uses the rest", () => {
  const part = read({ entry: "../../outside.js", css: "page.txt", label: 7, api: "plugin_api.py" });
  assert.equal(part.page, undefined);
  assert.deepEqual(part.api, []);
  assert.equal(part.problems.length, 4);
  assert.match(part.problems.join("\n"), /routers written for the original are not supported/);
  assert.match(read("{").problems.join(), /is not JSON/);
  assert.match(read([]).problems.join(), /must be a map/);
});

test("a page may run only commands of its plugin", () => {
  const part = read({ entry: "index.js", api: ["figures", "yolo"] });
  assert.deepEqual(part.api, ["figures"]);
  assert.match(part.problems.join(), /"yolo", which is not a slash command of the plugin/);
});

test("refuses a path that leaves its folder", () => {
  for (const path of ["index.js", "css/page.css", "a/b/c.woff2"]) assert.equal(isInside(path), true, path);
  for (const path of [
    "",
    "/etc/passwd",
    "../x.js",
    "a/../../x.js",
    "a//b.js",
    ".env",
    "a/.hidden",
    "a\\b.js",
    "a%2f..%2fb.js",
  ])
    assert.equal(isInside(path), false, path);
});
