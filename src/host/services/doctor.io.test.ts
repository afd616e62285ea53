import assert from "node:assert/strict";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import type { ModelService } from "../../contract/services/model-service.ts";
import type { PluginListing } from "../../contract/services/plugin-service.ts";
import type { SandboxState } from "../../contract/providers/terminal.ts";
import { openConfig } from "../config/open-config.ts";
import { runDoctor } from "./doctor.ts";
import { openEnvironment } from "../environment/environment.ts";
import { resolveHome } from "../environment/home.ts";

async function doctor(
  t: { after(run: () => void): void },
  prepare: (home: string) => void,
  plugins: readonly Partial<PluginListing>[] = [],
  sandbox: SandboxState = { kind: "off", words: "sandbox.mode is off" },
  fallbacks: Awaited<ReturnType<ModelService["fallbacks"]>> = [],
  packages: Awaited<ReturnType<ModelService["packages"]>> = [],
) {
  const folder = mkdtempSync(join(tmpdir(), "hermes-doctor-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, ".hermes");
  prepare(path);
  const home = resolveHome({ env: { HERMES_HOME: path }, userHome: folder });
  const environment = openEnvironment({ home, process: {} });
  const config = await openConfig({ home, environment, whenBroken: "take-sound-part" });
  const before = existsSync(path) ? readdirSync(path) : undefined;
  const checks = await runDoctor({
    home,
    config,
    environment,
    exposed: [],
    temporary: { folder: tmpdir() },
    plugins: { list: async () => plugins as PluginListing[] },
    tools: { misnamed: () => [] },
    models: {
      current: async () => ({
        provider: "offline",
        model: "rules",
        baseUrl: undefined,
        source: "default",
        offline: true,
      }),
      fallbacks: async () => fallbacks,
      packages: async () => packages,
      probe: async () => undefined,
    },
    media: { list: async () => [], setting: async (slot) => ({ path: `${slot}.provider` }) },
    sandbox: async () => sandbox,
  });
  assert.deepEqual(existsSync(path) ? readdirSync(path) : undefined, before);
  return {
    path,
    checks,
    failed: checks
      .filter(({ ok }) => !ok)
      .map(({ name, detail, hint }) =>
        `${name}: ${detail}${hint === undefined ? "" : ` → ${hint}`}`.replaceAll(path, "~"),
      ),
  };
}

// req: config.home
test("on a new system doctor finds no problem and creates nothing", async (t) => {
  const { failed, path, checks } = await doctor(t, () => undefined);
  assert.deepEqual(failed, []);
  assert.equal(existsSync(path), false);
  assert.match(checks.find(({ name }) => name === "model")?.detail ?? "", /offline model answers/);
});

// field: M18
test("names each provider package that a configured model lacks, and the command that installs it", async (t) => {
  const { checks } = await doctor(
    t,
    () => undefined,
    [],
    undefined,
    [],
    [
      { name: "@lab/there", settings: ["model.package", "providers.lab.package"] },
      {
        name: "@lab/gone",
        settings: ["auxiliary.vision.package"],
        lack: "The package @lab/gone is not installed.",
        hint: "If you trust it, run: hermes model install @lab/gone",
      },
    ],
  );
  assert.deepEqual(
    checks.filter(({ name }) => name === "model package"),
    [
      {
        name: "model package",
        ok: true,
        detail: "@lab/there is installed (model.package, providers.lab.package)",
        hint: undefined,
      },
      {
        name: "model package",
        ok: false,
        detail: "auxiliary.vision.package: The package @lab/gone is not installed.",
        hint: "If you trust it, run: hermes model install @lab/gone",
      },
    ],
  );
});

test("reports a fallback that could not serve before it is needed", async (t) => {
  const rows = [
    { provider: "anthropic", model: "claude-x" },
    { provider: "xai", model: "grok-4", lack: "xAI needs a key, but XAI_API_KEY is not set." },
  ];
  const { failed } = await doctor(t, () => undefined, [], undefined, rows);
  assert.deepEqual(failed, [
    "fallbacks: xai/grok-4 cannot serve as a fallback: xAI needs a key, but XAI_API_KEY is not set. → hermes fallback lists the fallbacks; its subcommands remove and add change the list",
  ]);
  const { checks } = await doctor(t, () => undefined, [], undefined, rows.slice(0, 1));
  assert.equal(checks.find(({ name }) => name === "fallbacks")?.detail, "anthropic/claude-x");
});

test("each finding suggests a fix, and doctor changes nothing", async (t) => {
  const { failed, checks } = await doctor(
    t,
    (home) => {
      mkdirSync(home, { mode: 0o755 });
      chmodSync(home, 0o755);
      writeFileSync(join(home, "config.yaml"), "agent:\n  max_trns: 3\nvoice:\n  auto_tts: true\n");
      writeFileSync(join(home, ".env"), "A=1\noops\n", { mode: 0o644 });
      chmodSync(join(home, ".env"), 0o644);
    },
    [
      { key: "bad", state: "failed", reason: "no such luck" },
      {
        key: "weather",
        state: "disabled",
        because: "variables",
        reason: "Plugin weather disabled (missing: WEATHER_API_KEY)",
        manifest: { requires_env: [{ name: "WEATHER_API_KEY" }] } as unknown as PluginListing["manifest"],
      },
      {
        key: "image_gen/xai",
        source: "bundled",
        state: "disabled",
        because: "chosen",
        reason: "Plugin xai disabled (image_gen.provider does not name it)",
        manifest: { chosen_by: "image_gen.provider" } as unknown as PluginListing["manifest"],
      },
      {
        key: "web/tavily",
        source: "bundled",
        state: "disabled",
        because: "variables",
        reason: "Plugin tavily disabled (missing: TAVILY_API_KEY)",
        manifest: {} as unknown as PluginListing["manifest"],
      },
      {
        key: "image_gen/openai",
        source: "bundled",
        state: "disabled",
        because: "variables",
        reason: "Plugin openai disabled (missing: OPENAI_API_KEY)",
        manifest: {
          chosen_by: "image_gen.provider",
          requires_env: [{ name: "OPENAI_API_KEY" }],
        } as unknown as PluginListing["manifest"],
      },
      { key: "good", state: "enabled" },
    ],
  );
  assert.equal(
    checks.findLast(({ name }) => name === "plugins")?.detail,
    "1 run; not set up: image_gen/xai, web/tavily",
  );
  assert.deepEqual(
    failed.filter((line) => !line.startsWith("config")),
    [
      "home: other users of this machine can read ~ → chmod go-rwx ~",
      ".env: ~/.env:2: This line is not an assignment and is ignored. → Write NAME=value; quotes are optional.",
      ".env: other users of this machine can read ~/.env → chmod 600 ~/.env",
      'plugins: "bad" failed: no such luck → hermes plugins disable bad',
      "plugins: Plugin weather disabled (missing: WEATHER_API_KEY) → hermes config set WEATHER_API_KEY VALUE",
      "plugins: Plugin openai disabled (missing: OPENAI_API_KEY) → hermes config set OPENAI_API_KEY VALUE",
    ],
  );
  assert.match(
    failed.find((line) => line.startsWith("config")) ?? "",
    /~\/config\.yaml:2:3: "agent\.max_trns" is not a setting\. → Did you mean "agent\.max_turns"/,
  );
  assert.match(checks.find(({ name }) => name === "unused settings")?.detail ?? "", /voice \(.*config\.yaml:3\)/);
});

// req: R-29
test("shows in one line whether commands run in a sandbox, and reports a missing sandbox", async (t) => {
  const line = async (sandbox: SandboxState) => {
    const { checks, failed } = await doctor(t, () => undefined, [], sandbox);
    const { detail } = checks.find(({ name }) => name === "sandbox")!;
    return { detail, failed };
  };
  assert.deepEqual(await line({ kind: "on", words: "network off" }), {
    detail: "commands run in a sandbox: network off",
    failed: [],
  });
  assert.deepEqual(await line({ kind: "off", words: "sandbox.mode is off" }), {
    detail: "commands run without a sandbox: sandbox.mode is off",
    failed: [],
  });
  const words = "commands run with your rights and without a sandbox: bubblewrap is not installed";
  assert.deepEqual(await line({ kind: "missing", words: "bubblewrap is not installed", hint: "Install it." }), {
    detail: words,
    failed: [`sandbox: ${words} → Install it.`],
  });
});
