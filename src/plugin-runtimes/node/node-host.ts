import { homedir } from "node:os";
import { getCompileCacheDir } from "node:module";
import { dirname, join, resolve } from "node:path";
import type { JsonObject } from "../../contract/common/json.ts";
import type { FoundPlugin } from "../../host/plugins/discovery/discovery.ts";
import { variablesFor } from "../process/host-environment.ts";
import type { HostPorts, PluginHostKind } from "../process/host-ports.ts";
import { nodeDialect } from "./node-dialect.ts";
import { definedFields } from "../../contract/common/defined-fields.ts";

const REGISTER_MS = 15_000;
/** An event loop that is blocked for this long will not recover. */
const LIMITS = { startMs: 30_000, silenceMs: 10_000, cpuSeconds: Infinity, endMs: 3_000 };
const HEAP_MB = 512;

/**
 * A Node process for plugins: one for all of the user's own, and one for each that came from elsewhere, limited to the
 * grants that the user saw in its manifest.
 */
export function nodeHost(plugin: FoundPlugin, ports: HostPorts): PluginHostKind {
  const untrusted = plugin.foreign === true;
  return {
    id: untrusted ? `node.${plugin.key}` : "node.own",
    dialect: nodeDialect(untrusted),
    registerMs: REGISTER_MS,
    spec() {
      const { env } = variablesFor(ports);
      const memory = ports.config.get("plugins.memory_mb");
      const heap = typeof memory === "number" ? memory : HEAP_MB;
      const flags = [
        `--max-old-space-size=${heap}`,
        ...conditions(),
        ...(untrusted ? permission(plugin, ports.home.path) : []),
      ];
      return {
        name: `the process of ${untrusted ? `the plugin "${plugin.key}"` : "your plugins"}`,
        ...limited(heap, [...flags, hostMain()]),
        env: untrusted ? ports.environment.childEnvironment([]) : { ...env, ...compileCache() },
        cwd: ports.cwd,
        initialize: definedFields({
          agent: { version: ports.version, home: ports.home.path, profile: ports.home.profile },
          hosts: untrusted ? [...(plugin.manifest.grants?.hosts ?? [])] : undefined,
        }),
        wire: "apart",
        limits: LIMITS,
      };
    },
    loading: (ctx) => ({
      dir: plugin.dir,
      version: plugin.manifest.version,
      entry: plugin.entry ?? null,
      home: ctx.home,
      config: ctx.config,
      manifest: plugin.manifest as unknown as JsonObject,
    }),
  };
}

/**
 * Node's own permissions: the code, the plugin, and the folders it was granted. No programs, no native code.
 * `~/.hermes` is the agent's home, wherever that is.
 */
function permission({ dir, manifest }: FoundPlugin, home: string): readonly string[] {
  const place = (path: string): string =>
    resolve(path.replace(/^~\/\.hermes(?=\/|$)/, home).replace(/^~(?=\/|$)/, homedir()));
  const { read = [], write = [] } = manifest.grants ?? {};
  const flags = [packageFolder(), dir, ...read.map(place), ...write.map(place)].flatMap((folder) => [
    `--allow-fs-read=${folder}`,
    `--allow-fs-read=${join(folder, "*")}`,
  ]);
  return [
    "--permission",
    "--allow-worker",
    "--no-warnings",
    ...flags,
    ...write.map(place).flatMap((folder) => [`--allow-fs-write=${folder}`, `--allow-fs-write=${join(folder, "*")}`]),
  ];
}

/** Buffers are outside the heap; the system limits the whole process where it can. */
function limited(
  heapMb: number,
  args: readonly string[],
): { readonly program: string; readonly args: readonly string[] } {
  if (process.platform === "win32") return { program: process.execPath, args };
  return {
    program: "/bin/sh",
    args: ["-c", `ulimit -d ${(heapMb * 2 + 512) * 1024} 2>/dev/null; exec "$@"`, "sh", process.execPath, ...args],
  };
}

/** The agent's own cache, which makes a start three times as fast. An untrusted process gets no shared cache. */
function compileCache(): { readonly [name: string]: string } {
  const folder = getCompileCacheDir();
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: dirname(folder) };
}

/** Node conditions with which the child resolves the same source files as this process. */
function conditions(): readonly string[] {
  return process.execArgv.filter((flag) => flag.startsWith("--conditions=") || flag.startsWith("-C"));
}

function fromSource(): boolean {
  return import.meta.url.endsWith(".ts");
}

/** Beside this module in a clone; beside the code in a build. */
function hostMain(): string {
  return fromSource() ? join(import.meta.dirname, "child/main.ts") : join(import.meta.dirname, "../plugin-process.js");
}

function packageFolder(): string {
  return fromSource() ? resolve(import.meta.dirname, "../../..") : resolve(import.meta.dirname, "../..");
}
