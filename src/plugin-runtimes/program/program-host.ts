import type { JsonObject } from "../../contract/common/json.ts";
import type { FoundPlugin } from "../../host/plugins/discovery/discovery.ts";
import { programLack, programLine } from "../../host/plugins/discovery/plugin-program.ts";
import { UserError } from "../../contract/common/failure.ts";
import { declaredEnv, variablesFor } from "../process/host-environment.ts";
import type { HostPorts, PluginHostKind } from "../process/host-ports.ts";
import type { HostSpec } from "../process/host-spec.ts";
import { programDialect } from "./program-dialect.ts";
import { definedFields } from "../../contract/common/defined-fields.ts";

const REGISTER_MS = 30_000;
const LIMITS = { startMs: 15_000, silenceMs: 20_000, cpuSeconds: 60, endMs: 3_000 };
const MEMORY_MB = 4_096;
const HELP =
  "A plugin's program answers `initialize`, a line of JSON on its standard input, with a line on its standard output, and prints nothing else there: docs/plugin-protocol.md shows the lines";

/** A process for one plugin: the program that its manifest names, which implements the protocol itself. */
export function programHost(plugin: FoundPlugin, ports: HostPorts): PluginHostKind {
  const place = { dir: plugin.dir, program: plugin.manifest.program ?? [] };
  return {
    id: `program.${plugin.key}`,
    dialect: programDialect,
    registerMs: REGISTER_MS,
    spec(): HostSpec {
      const lack = programLack(place, ports.variables["PATH"]);
      if (lack !== undefined) throw new UserError(`Cannot start the plugin "${plugin.key}": ${lack}.`);
      const [program = "", ...args] = programLine(place);
      const memory = ports.config.get("plugins.memory_mb");
      const declared = declaredEnv(plugin, ports.environment);
      const { env, withheld } = variablesFor(ports);
      const untrusted = plugin.foreign === true;
      return {
        name: `the program of the plugin "${plugin.key}" (${place.program.join(" ")})`,
        program,
        args,
        env: { ...(untrusted ? ports.environment.childEnvironment([]) : env), ...declared },
        cwd: ports.cwd,
        initialize: definedFields({
          agent: { version: ports.version, home: ports.home.path, profile: ports.home.profile },
          withheld: withheld.filter((name) => declared[name] === undefined),
          memory_mb: typeof memory === "number" ? memory : MEMORY_MB,
          hosts: untrusted ? [...(plugin.manifest.grants?.hosts ?? [])] : undefined,
        }),
        wire: "standard",
        group: { memoryMb: typeof memory === "number" ? memory : MEMORY_MB },
        help: HELP,
        limits: LIMITS,
      };
    },
    loading: (ctx) => ({
      dir: plugin.dir,
      source: plugin.source,
      manifest: plugin.manifest as unknown as JsonObject,
      config: ctx.config,
      env: declaredEnv(plugin, { get: (name) => ctx.env(name) }),
    }),
  };
}
