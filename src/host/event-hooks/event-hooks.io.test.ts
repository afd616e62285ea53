import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { quietLog } from "../../testing/quiet-log.ts";
import { resolveHome } from "../environment/home.ts";
import type { PluginHosts } from "../plugins/registry/plugin-hosts.ts";
import { EventHooks } from "./event-hooks.ts";

test("closing delivers queued events to a handler that starts slowly and logs one that cannot start", async (t) => {
  const path = mkdtempSync(join(tmpdir(), "hermes-event-hooks-"));
  t.after(() => rmSync(path, { recursive: true, force: true }));
  for (const name of ["slow", "broken"]) {
    mkdirSync(join(path, "hooks", name), { recursive: true });
    writeFileSync(join(path, "hooks", name, "HOOK.yaml"), `name: ${name}\nevents: [agent:end]\n`);
    writeFileSync(join(path, "hooks", name, "handler.py"), "");
  }
  const output: string[] = [];
  const hosts = {
    async handler({ dir }: { readonly dir: string }) {
      if (dir.endsWith("broken")) throw new Error("no interpreter");
      await wait(3_500);
      return async (event: string) => (output.push(event), null);
    },
  } as unknown as PluginHosts;
  const log = quietLog();
  const hooks = await EventHooks.open(resolveHome({ env: { HERMES_HOME: path }, userHome: path }), hosts, log);
  hooks.emit("agent:end", {});
  await hooks.close();
  assert.deepEqual(output, ["agent:end"]);
  assert.match(
    log.lines.map(({ message }) => message).join("\n"),
    /The hook "broken" failed on agent:end: no interpreter/,
  );
});
