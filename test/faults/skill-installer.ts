/** Installs a skill into a home, as `hermes skills install` does: `node skill-installer.ts HOME FOLDER`. */
import { runSkills } from "../../plugins/skills/command/run-skills.ts";
import { resolveHome } from "../../src/host/environment/home.ts";
import { openSkills } from "../../src/host/skills/open-skills.ts";
import { quietLog } from "../../src/testing/quiet-log.ts";

const [home = "", folder = ""] = process.argv.slice(2);
const shelf = openSkills({
  home: resolveHome({ env: { HERMES_HOME: home }, userHome: home }),
  bundled: `${home}/nothing-bundled`,
  version: "1",
  log: quietLog(),
  config: () => undefined,
  setConfig: async () => undefined,
  programEnvironment: async () => ({}),
  env: () => undefined,
  plugins: { skills: { list: () => [] }, service: { list: async () => [] } } as never,
});
const nothing = (): never => {
  throw new Error("A folder is installed without network or model.");
};
await runSkills(["install", folder, "--force", "--yes"], {
  shelf,
  home,
  signal: new AbortController().signal,
  say: () => undefined,
  redact: (text) => text,
  needsYes: true,
  web: { fetch: nothing, env: () => undefined, settings: {}, auditTimeoutMs: 1 },
  llm: nothing,
});
