/**
 * `plugins/snapshot.json`: the registrations of each bundled plugin, so that a start offers them without loading any
 * plugin.
 * `--check` writes nothing and fails if the file is stale.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openConfig } from "../src/host/config/open-config.ts";
import { openEnvironment } from "../src/host/environment/environment.ts";
import { resolveHome } from "../src/host/environment/home.ts";
import { discover } from "../src/host/plugins/discovery/discovery.ts";
import { entryModule } from "../src/host/plugins/discovery/plugin-files.ts";
import { FORMAT, SNAPSHOT_FILE } from "../src/host/plugins/discovery/bundled-snapshot.ts";
import { recordPlugin } from "../src/host/plugins/registry/record-plugin.ts";
import { brokenPromises } from "../src/host/plugins/registry/registered.ts";
import { quietLog } from "../src/testing/quiet-log.ts";
import { fakeClock } from "../src/testing/fake-clock.ts";

const dir = join(import.meta.dirname, "../plugins");
const file = join(dir, SNAPSHOT_FILE);
const log = quietLog();
const found = (await discover({ source: "bundled", dir }, log)).filter(
  (plugin) => plugin.broken !== undefined || "file" in entryModule(plugin.dir),
);

// An empty home and no variables, so that the snapshot is the same on every machine.
const home = resolveHome({ env: { HERMES_HOME: join(dir, ".nobody") }, userHome: dir });
const environment = openEnvironment({ home, process: {} });
const sections = found.flatMap(({ key, manifest: { config } }) =>
  config === undefined ? [] : [{ owner: key, ...config }],
);
const config = await openConfig({ home, environment, sections, ignoreFile: true });

const lines: string[] = [];
const complaints: string[] = [];
for (const plugin of [...found].sort((a, b) => (a.key < b.key ? -1 : 1))) {
  if (plugin.broken !== undefined) {
    complaints.push(plugin.broken);
    continue;
  }
  const registered = await recordPlugin(plugin, { config, environment, log, clock: fakeClock() });
  complaints.push(...brokenPromises(plugin.key, plugin.manifest, registered));
  lines.push(JSON.stringify({ key: plugin.key, manifest: plugin.manifest, registered }));
}
complaints.push(
  ...log.lines.filter(({ level }) => level === "warning" || level === "error").map(({ message }) => message),
);
for (const complaint of new Set(complaints)) console.error(complaint);

const text = `{"format":${FORMAT},"plugins":[\n${lines.join(",\n")}\n]}\n`;
const before = read();
if (process.argv.includes("--check")) {
  if (before !== text) console.error("plugins/snapshot.json is stale. Run npm run generate");
  process.exitCode = before === text && complaints.length === 0 ? 0 : 1;
} else {
  if (before !== text) writeFileSync(file, text);
  console.log(
    `plugins/snapshot.json: ${lines.length} plugins, ${text.length} bytes${before === text ? ", unchanged" : ""}.`,
  );
  process.exitCode = complaints.length === 0 ? 0 : 1;
}

function read(): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined; // Not generated yet.
  }
}
