import { join } from "node:path";
import { UserError } from "../../contract/common/failure.ts";
import type { JsonObject } from "../../contract/common/json.ts";
import type { FoundPlugin } from "../../host/plugins/discovery/discovery.ts";
import { pythonOf } from "../../host/plugins/packages/python-environment.ts";
import { declaredEnv, variablesFor } from "../process/host-environment.ts";
import type { HostPorts, PluginHostKind } from "../process/host-ports.ts";
import { refusedInPython } from "../../host/plugins/registry/offers.ts";
import { pythonDialect } from "./python-dialect.ts";
import { definedFields } from "../../contract/common/defined-fields.ts";

/** Large libraries such as Torch load slowly. */
const REGISTER_MS = 60_000;
const LIMITS = { startMs: 30_000, silenceMs: 20_000, cpuSeconds: 60, endMs: 4_000 };
const MEMORY_MB = 4_096;

/**
 * One Python for each trust level and virtual environment: a plugin's own if it has one, else the `python3` on PATH.
 */
export function pythonHost(plugin: FoundPlugin, ports: HostPorts): PluginHostKind {
  const trust = plugin.foreign === true ? "foreign" : "own";
  const python = pythonOf(plugin, ports.home, ports.variables["PATH"]);
  return {
    id: python?.own === true ? `python.${plugin.key}` : `python.${trust}`,
    dialect: pythonDialect,
    registerMs: REGISTER_MS,
    spec() {
      if (python === undefined)
        throw new UserError(`The plugin "${plugin.key}" is written in Python, but there is no python3 on PATH.`, {
          hint: "Install Python 3.9 or newer.",
        });
      const { env, withheld } = variablesFor(ports);
      const memory = ports.config.get("plugins.memory_mb");
      return {
        name: "the Python process",
        program: python.program,
        args: [join(pythonSources(), "main.py")],
        env: { ...env, PYTHONUNBUFFERED: "1" },
        cwd: ports.cwd,
        initialize: {
          agent: { version: ports.version, home: ports.home.path, profile: ports.home.profile },
          withheld: [...withheld],
          refused: refusedInPython(),
          memory_mb: typeof memory === "number" ? memory : MEMORY_MB,
        },
        wire: "standard",
        limits: LIMITS,
      };
    },
    loading: (ctx) =>
      definedFields({
        dir: plugin.dir,
        source: plugin.source,
        manifest: plugin.manifest as unknown as JsonObject,
        config: ctx.config,
        env: declaredEnv(plugin, { get: (name) => ctx.env(name) }),
        module:
          plugin.module === undefined
            ? undefined
            : { name: plugin.module.name, attribute: plugin.module.attribute ?? null },
      }),
  };
}

/** Beside this module in a clone; beside the code in a build. */
function pythonSources(): string {
  return import.meta.url.endsWith(".ts") ? join(import.meta.dirname, "child") : join(import.meta.dirname, "../python");
}
