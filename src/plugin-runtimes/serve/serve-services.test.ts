import assert from "node:assert/strict";
import { test } from "node:test";
import type { PluginContext } from "../../contract/plugins/plugin.ts";
import { serveServices } from "./serve-services.ts";

const NOTHING = { read: [], write: [], hosts: [], tools: [] };
const asked: unknown[] = [];
const context = (more: object): PluginContext =>
  ({ id: "mine", signal: new AbortController().signal, ...more }) as unknown as PluginContext;
const jobs = (whose: string) => ({
  list: async () => [whose],
  find: async (name: string, odd: unknown) => (asked.push([name, odd]), { name, run: () => 1 }),
  seenFrom: async (session: string) => jobs(session),
});
const ctx = context({
  jobs: async () => jobs("all"),
  skills: {
    folder: "/skills",
    fetch: async (...given: unknown[]) => (
      asked.push(given.map((one) => (one instanceof AbortSignal ? "a signal" : one))),
      { root: "/r" }
    ),
  },
});
const ask = async (params: object, granted?: typeof NOTHING) =>
  serveServices("ctx.desk", params as never, ctx, granted, undefined);

test("calls a service's method with its arguments, reads properties, and keeps values that are not data on this side", async () => {
  asked.length = 0;
  assert.deepEqual(await ask({ desk: "jobs", method: "list" }), ["all"]);
  assert.deepEqual(await ask({ desk: "jobs", method: "list", seen_from: "s1" }), ["s1"]);
  assert.deepEqual(await ask({ desk: "jobs", method: "find", args: ["tides", null] }), { name: "tides" });
  assert.deepEqual(await ask({ desk: "skills", method: "folder" }), "/skills");
  assert.deepEqual(await ask({ desk: "skills", method: "fetch", args: ["a/b", "/r"] }), { root: "/r" });
  assert.deepEqual(asked, [
    ["tides", undefined],
    ["a/b", "/r", "a signal"],
  ]);
});

test("only members in the table can be requested", async () => {
  for (const request of [
    { desk: "jobs", method: "work" },
    { desk: "jobs", method: "constructor" },
    { desk: "jobs", method: "seenFrom", args: ["s"] },
    { desk: "secrets", method: "write" },
    { desk: "storage", method: "get" },
    { desk: "__proto__" },
    {},
  ])
    await assert.rejects(ask(request), { code: "not_found" }, JSON.stringify(request));
  assert.equal(serveServices("ctx.other", {}, ctx, undefined, undefined), undefined);
});

test("an installed plugin is refused every service, with or without a method", async () => {
  for (const service of ["chats", "jobs", "skills"]) {
    await assert.rejects(ask({ desk: service }, NOTHING), { code: "blocked" });
    await assert.rejects(
      ask({ desk: service, method: service === "chats" ? "heard" : service === "jobs" ? "list" : "folder" }, NOTHING),
      { code: "blocked" },
    );
  }
  assert.equal(await ask({ desk: "jobs" }), null);
});

test("a file is written only if its content is still what the plugin saw", async () => {
  let file: string | undefined;
  const home = context({
    changeFile: async (_: string, change: (text: string | undefined) => string | undefined) =>
      void (file = change(file) ?? file),
  });
  const change = async (more: object) =>
    serveServices("ctx.change_file", { path: "a", ...more }, home, undefined, undefined);
  assert.deepEqual(await change({}), { text: null, changed: false });
  assert.deepEqual(await change({ from: null, to: "one" }), { text: null, changed: false });
  assert.deepEqual(await change({ from: null, to: "late" }), { text: "one", changed: true });
  assert.deepEqual(await change({ from: "one", to: "two" }), { text: "one", changed: false });
  assert.equal(file, "two");
});
