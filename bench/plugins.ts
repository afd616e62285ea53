import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { enableCompileCache } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { ToolContext } from "../src/contract/tools/tool.ts";
import { openConfig } from "../src/host/config/open-config.ts";
import { openEnvironment } from "../src/host/environment/environment.ts";
import { resolveHome } from "../src/host/environment/home.ts";
import type { FoundPlugin } from "../src/host/plugins/discovery/discovery.ts";
import { openHosts } from "../src/plugin-runtimes/plugin-hosts.ts";
import { createContext } from "../src/host/plugins/registry/plugin-context.ts";
import { PluginRuntime } from "../src/host/plugins/registry/plugin-runtime.ts";
import { NO_SERVICES } from "../src/host/plugins/registry/plugin-services.ts";
import { emptyRecording } from "../src/host/plugins/registry/registered.ts";
import { createRegistries } from "../src/host/plugins/registry/registries.ts";
import { fakeClock, quietLog } from "../src/testing/index.ts";
import { atMost, median, ms, type Figure } from "./figures.ts";

const PYTHON =
  "import json\n\ndef echo(args, **kwargs):\n    return json.dumps(args)\n\ndef register(ctx):\n    ctx.register_tool(name='echo', toolset='bench', schema={}, handler=echo)\n";
const NODE =
  'export default (ctx) => { ctx.tool({ name: "echo", toolset: "bench", description: "d", effect: "none", input: { type: "object", properties: {} }, execute: async (input) => input }); };\n';

/** The cost of running a plugin in another process. */
export async function pluginFigures(): Promise<readonly Figure[]> {
  // As the agent does at its start; the first process of a version fills the cache.
  const cache = mkdtempSync(join(tmpdir(), "hermes-bench-compile-"));
  enableCompileCache(cache);
  await measure("node", "index.js", NODE);
  const python = await measure("python", "__init__.py", PYTHON);
  const node = await measure("node", "index.js", NODE);
  rmSync(cache, { recursive: true, force: true });
  return [
    atMost("a Python plugin: process started and plugin loaded", python.startMs, 400, ms),
    atMost("a Python tool call, p50", python.callMs, 1, ms),
    atMost("a Node plugin's process started and plugin loaded", node.startMs, 400, ms),
    atMost("a Node plugin's tool call, p50", node.callMs, 0.5, ms),
  ];
}

async function measure(
  name: string,
  file: string,
  code: string,
): Promise<{ readonly startMs: number; readonly callMs: number }> {
  const path = mkdtempSync(join(tmpdir(), "hermes-bench-plugins-"));
  const dir = join(path, "plugins", name);
  mkdirSync(dir, { recursive: true });
  writeFileSync(join(dir, file), code);
  const home = resolveHome({ env: { HERMES_HOME: path }, userHome: dirname(path) });
  const variables = { PATH: process.env["PATH"], HOME: process.env["HOME"] };
  const environment = openEnvironment({ home, process: variables });
  const config = await openConfig({ home, environment, sections: [] });
  const log = quietLog();
  const manifest: FoundPlugin["manifest"] = {
    name,
    version: "1",
    description: "",
    kind: "standalone",
    requires_env: [],
    optional_env: [],
    provides_tools: [],
    provides_hooks: [],
  };
  const plugin: FoundPlugin = { key: name, source: "user", dir, manifest, files: [] };
  await using hosts = openHosts({ home, log, cwd: path, version: "1", variables, environment, config });
  const registries = createRegistries({ log, clock: fakeClock(), config: () => undefined });
  const ports = {
    plugin: { key: name, manifest, dir, shipped: false },
    log,
    registration: {
      registries,
      recording: emptyRecording(),
      registering: () => undefined,
      tools: () => registries.tools.list(),
      refusal: () => undefined,
    },
    settings: { config: () => ({}), setting: () => undefined, env: () => undefined },
    services: NO_SERVICES,
    doctor: () => undefined,
  };
  const runtime = new PluginRuntime({
    key: name,
    dir,
    bundled: false,
    remote: hosts.remote(plugin),
    log,
    failed: () => undefined,
    context: (self) => createContext(ports, self),
  });
  const from = performance.now();
  await runtime.activate();
  const startMs = performance.now() - from;
  const tool = await registries.tools.get("echo")!.load();
  const { signal } = new AbortController();
  const call = {
    taskId: "t",
    sessionId: "s",
    callId: "c",
    cwd: path,
    home: path,
    agentHome: path,
    signal,
    log,
    env: () => undefined,
  } as unknown as ToolContext;
  const times: number[] = [];
  for (let index = 0; index < 2_000; index += 1) {
    const started = performance.now();
    await tool.execute({ index }, call);
    times.push(performance.now() - started);
  }
  await runtime.unload();
  rmSync(path, { recursive: true, force: true });
  return { startMs, callMs: median(times.slice(200)) };
}
