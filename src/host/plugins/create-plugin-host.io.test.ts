import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fakeClock } from "../../testing/fake-clock.ts";
import { quietLog } from "../../testing/quiet-log.ts";
import { openConfig } from "../config/open-config.ts";
import { openEnvironment } from "../environment/environment.ts";
import { resolveHome } from "../environment/home.ts";
import { createPluginHost } from "./create-plugin-host.ts";
import { openPluginIndex } from "./discovery/plugin-index.ts";
import { openPluginPins } from "./consent/plugin-pins.ts";
import { NO_SERVICES } from "./registry/plugin-services.ts";

test("plugins get their services once: reloading before that, and starting twice, throw explicit errors", async (t) => {
  const path = mkdtempSync(join(tmpdir(), "hermes-plugins-"));
  t.after(() => rmSync(path, { recursive: true, force: true }));
  const log = quietLog();
  const home = resolveHome({ env: { HERMES_HOME: path }, userHome: path });
  const environment = openEnvironment({ home, process: {} });
  const pins = openPluginPins(home);
  const index = await openPluginIndex({ home, log, pins, bundledDirs: [join(path, "bundled")], version: "1" });
  const config = await openConfig({ home, environment, sections: index.sections });
  await using host = createPluginHost({
    log,
    clock: fakeClock(),
    home,
    installed: { index, pins },
    settings: { config, environment, reread: async () => undefined },
  });
  await assert.rejects(
    host.reload(),
    /^Error: The plugins were used before they were started\. Call start\(services\) first\.$/,
  );
  assert.equal(host.started, false);
  await host.start(NO_SERVICES);
  assert.equal(host.started, true);
  await assert.rejects(
    host.start(NO_SERVICES),
    /^Error: The plugins are already started\. Call start\(services\) only once\.$/,
  );
  assert.deepEqual((await host.reload()).started, []);
});
