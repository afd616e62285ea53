import assert from "node:assert/strict";
import { test } from "node:test";
import { buildPrefix } from "./prompt.ts";

const OFFERS = ["terminal", "process", "read_file", "write_file", "patch", "search_files", "todo", "clarify"].map(
  (name) => ({
    name,
    description: `The ${name} tool.`,
    parameters: { type: "object", properties: { b: { type: "string" }, a: { type: "string" } } },
  }),
);
const DAY = new Date(2030, 4, 17, 13, 45);

test("equal input gives equal bytes, whatever the order of tools and keys and the hour", () => {
  const turned = OFFERS.toReversed().map(({ name, description }) => ({
    parameters: { properties: { a: { type: "string" }, b: { type: "string" } }, type: "object" },
    description,
    name,
  }));
  const one = buildPrefix({ offers: OFFERS, surface: "cli", date: DAY });
  const two = buildPrefix({ offers: turned, surface: "cli", date: new Date(2030, 4, 17, 1, 2) });
  assert.equal(JSON.stringify(one), JSON.stringify(two));
  assert.notEqual(buildPrefix({ offers: OFFERS, surface: "cli", date: new Date(2030, 4, 18) }).hash, one.hash);
});

test("the date is the last line, and the prompt contains no directory or clock time", () => {
  const { system } = buildPrefix({ offers: OFFERS, surface: "cli", date: DAY });
  assert.equal(system.split("\n").at(-1), "Today is 2030-05-17.");
  assert.ok(!/\d\d:\d\d|\/home|\/work/.test(system));
});

test("the prompt mentions only tools that are offered", () => {
  const { system } = buildPrefix({
    offers: OFFERS.filter((offer) => offer.name === "terminal"),
    surface: "cli",
    date: DAY,
  });
  assert.match(system, /Commands in terminal/);
  for (const name of ["read_file", "search_files", "patch", "clarify", "process,"])
    assert.ok(!system.includes(name), name);
});

test("the user's identity replaces the default one, and further sections come before the date", () => {
  const { system } = buildPrefix({
    identity: "You are Ada.",
    offers: [],
    surface: "cli",
    extra: ["# Project Context\nUse tabs.\n"],
    date: DAY,
  });
  assert.ok(system.startsWith("You are Ada.\n\n"));
  assert.ok(system.endsWith("# Project Context\nUse tabs.\n\nToday is 2030-05-17."));
});

test("the prompt with all core tools takes at most 600 tokens", () => {
  const { system } = buildPrefix({ offers: OFFERS, surface: "cli", date: DAY });
  assert.ok(system.length / 3.8 <= 600, `${Math.round(system.length / 3.8)} tokens`);
});
