import assert from "node:assert/strict";
import { test } from "node:test";
import type { Home } from "../../environment/home.ts";
import { offerSnapshot } from "./offer.ts";
import type { PluginRuntime } from "./plugin-runtime.ts";
import { emptyRecording } from "./registered.ts";
import type { Registries } from "./registries.ts";

test("a handler that applies to one file is offered if the file exists; otherwise later handlers keep their positions", () => {
  const done: string[] = [];
  const runtime = {
    key: "p",
    offer: (kind: string, name: string) => void done.push(`${kind} ${name}`),
    leaveOut: (kind: string, name: string) => void done.push(`not ${kind} ${name}`),
  } as unknown as PluginRuntime;
  const home: Pick<Home, "file"> = { file: (path) => (path === "there" ? import.meta.filename : "/nowhere/at/all") };
  const hooks = [
    { name: "on_session_start", options: { onlyWith: "there" } },
    { name: "on_session_end", options: { onlyWith: "missing" } },
    { name: "on_session_end" },
  ] as const;
  offerSnapshot(runtime, { ...emptyRecording(), hooks }, {} as Registries, home, () => false);
  assert.deepEqual(done, ["hook on_session_start", "not hook on_session_end", "hook on_session_end"]);
});
