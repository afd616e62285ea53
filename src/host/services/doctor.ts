import { statSync } from "node:fs";
import { statfs } from "node:fs/promises";
import { dirname } from "node:path";
import type { Check } from "../../contract/common/check.ts";
import type { MediaService } from "../../contract/services/media-service.ts";
import type { ModelService } from "../../contract/services/model-service.ts";
import type { PluginService, PluginListing } from "../../contract/services/plugin-service.ts";
import type { ToolService } from "../../contract/services/tool-service.ts";
import { checkCloneStart } from "../clone-start.ts";
import type { Config } from "../config/open-config.ts";
import { problemLine } from "../config/settings-file.ts";
import type { SandboxState } from "../../contract/providers/terminal.ts";
import type { EnvironmentVariables } from "../environment/environment.ts";
import type { Home } from "../environment/home.ts";
import { temporaryNotice, type TemporaryFolder } from "../environment/temporary-folder.ts";
import { isWritable } from "../store/facts/store-files.ts";

export interface DoctorPorts {
  readonly home: Home;
  readonly config: Pick<Config, "file" | "problems" | "notices" | "unused" | "get" | "check">;
  readonly environment: Pick<EnvironmentVariables, "file" | "notices">;
  /** Secrets of the process's environment that could not be taken out of others' sight. */
  readonly exposed: readonly string[];
  readonly temporary: TemporaryFolder;
  readonly plugins: Pick<PluginService, "list">;
  readonly tools: Pick<ToolService, "misnamed">;
  readonly models: Pick<ModelService, "current" | "fallbacks" | "packages" | "probe">;
  readonly media: Pick<MediaService, "list" | "setting">;
  /**
   * Around the commands of the place that is chosen for them; `undefined` where the place itself is apart from this
   * machine.
   */
  sandbox(): Promise<SandboxState | undefined>;
}

const OLDEST_NODE = 24;
const ANSWER_MS = 8_000;
const MIN_FREE_BYTES = 200_000_000;

/**
 * Looks at everything a run needs, the store apart (`checkStore`), and says what would help. Reads only, and is safe
 * while other processes work; a check that breaks is a finding.
 */
export async function runDoctor(ports: DoctorPorts): Promise<readonly Check[]> {
  const looks: readonly [name: string, look: () => readonly Check[] | Promise<readonly Check[]>][] = [
    ["node", () => [checkNode()]],
    ["start", () => checkCloneStart()],
    ["home", () => [checkHome(ports.home)]],
    ["environment", () => checkExposed(ports.exposed)],
    ["disk", async () => [await checkDisk(ports.home)]],
    ["temporary files", () => [checkTemporaryFolder(ports.temporary)]],
    ["config", () => checkConfig(ports.config)],
    ["toolsets", () => checkToolsets(ports.tools)],
    [".env", () => checkEnvFile(ports.environment)],
    ["model", async () => [await checkModel(ports.models)]],
    ["fallbacks", async () => checkFallbacks(await ports.models.fallbacks())],
    ["model package", async () => checkModelPackages(await ports.models.packages())],
    ["sandbox", async () => checkSandbox(await ports.sandbox())],
    ["plugins", async () => checkPlugins(ports.plugins)],
    [
      "services",
      async () => (await Promise.all(SERVICES.map(([slot, name]) => checkService(ports, slot, name)))).flat(),
    ],
    ["logs", () => [checkLogs(ports.home)]],
  ];
  const found: Check[] = [];
  for (const [name, look] of looks) {
    try {
      found.push(...(await look()));
    } catch (error) {
      found.push({ name, ok: false, detail: error instanceof Error ? error.message : String(error), ...hintOf(error) });
    }
  }
  return found;
}

function checkNode(): Check {
  const version = process.versions.node;
  const ok = Number(version.split(".")[0]) >= OLDEST_NODE;
  return {
    name: "node",
    ok,
    detail: `Node ${version}`,
    hint: ok ? undefined : `Install Node ${OLDEST_NODE} or newer.`,
  };
}

function checkHome(home: Home): Check {
  const profile = home.profile === "default" ? "" : `, profile ${home.profile}`;
  const stat = statSync(home.path, { throwIfNoEntry: false });
  if (stat === undefined) {
    const above = nearestAbove(home.path);
    if (isWritable(above)) return { name: "home", ok: true, detail: `${home.path} (not created yet${profile})` };
    return {
      name: "home",
      ok: false,
      detail: `${home.path} cannot be created: ${above} is not writable`,
      hint: "Set HERMES_HOME to a folder that you can write.",
    };
  }
  if (!stat.isDirectory())
    return {
      name: "home",
      ok: false,
      detail: `${home.path} is not a folder`,
      hint: "Move it away, or set HERMES_HOME.",
    };
  if (!isWritable(home.path))
    return {
      name: "home",
      ok: false,
      detail: `${home.path} is not writable`,
      hint: "Its disk is read-only, or it belongs to another user. Earlier sessions can still be read.",
    };
  if (isOpenToOthers(stat.mode))
    return {
      name: "home",
      ok: false,
      detail: `other users of this machine can read ${home.path}`,
      hint: `chmod go-rwx ${home.path}`,
    };
  return { name: "home", ok: true, detail: `${home.path}${profile}` };
}

/** The deepest folder on the way to `path` that is there. */
function nearestAbove(path: string): string {
  let above = dirname(path);
  while (statSync(above, { throwIfNoEntry: false }) === undefined && above !== dirname(above)) above = dirname(above);
  return above;
}

async function checkDisk(home: Home): Promise<Check> {
  const path = statSync(home.path, { throwIfNoEntry: false }) === undefined ? "." : home.path;
  const { bavail, bsize } = await statfs(path);
  const free = bavail * bsize;
  const ok = free >= MIN_FREE_BYTES;
  return {
    name: "disk",
    ok,
    detail: `${Math.round(free / 1_000_000)} MB free`,
    hint: ok ? undefined : "Free some space: sessions cannot be stored on a full disk.",
  };
}

function checkTemporaryFolder(temporary: TemporaryFolder): Check {
  const notice = temporaryNotice(temporary);
  return {
    name: "temporary files",
    ok: notice === undefined,
    detail: notice === undefined ? temporary.folder : notice.text.replace(/\.$/, ""),
    hint: notice?.hint,
  };
}

function checkConfig(config: DoctorPorts["config"]): readonly Check[] {
  const { file, problems, notices, unused } = config;
  const { inForce } = config.check();
  const exists = statSync(file, { throwIfNoEntry: false }) !== undefined;
  const wrong = problems.map((problem): Check => ({
    name: "config",
    ok: false,
    detail: problemLine(problem),
    hint: problem.hint,
  }));
  // The files' own mistakes are listed one by one above.
  const others = notices.filter(
    ({ level, text }) => level !== "info" && !problems.some((problem) => text.includes(problem.text)),
  );
  const odd = others.map(({ text, hint }): Check => ({
    name: "config",
    ok: false,
    detail: text,
    hint,
  }));
  const instead: readonly Check[] =
    inForce === undefined
      ? []
      : [{ name: "config", ok: false, detail: inForce.text.split("\n").at(-1)!, hint: "hermes config edit" }];
  const sound: readonly Check[] =
    wrong.length + odd.length > 0
      ? []
      : [{ name: "config", ok: true, detail: exists ? file : `${file} (none: defaults)` }];
  const idle: readonly Check[] =
    unused.length === 0
      ? []
      : [{ name: "unused settings", ok: true, detail: `not used by this version: ${unused.join(", ")}` }];
  return [...wrong, ...instead, ...odd, ...sound, ...idle];
}

function checkToolsets(tools: DoctorPorts["tools"]): readonly Check[] {
  return tools.misnamed("cli").map(({ text, hint }): Check => ({
    name: "toolsets",
    ok: false,
    detail: text,
    hint,
  }));
}

function checkEnvFile({ file, notices }: DoctorPorts["environment"]): readonly Check[] {
  const stat = statSync(file, { throwIfNoEntry: false });
  if (stat === undefined) return [{ name: ".env", ok: true, detail: `${file} (none)` }];
  const lines = notices.map(({ text, hint }): Check => ({
    name: ".env",
    ok: false,
    detail: text,
    hint,
  }));
  return lines.length > 0 ? lines : [{ name: ".env", ok: true, detail: file }];
}

function checkExposed(names: readonly string[]): readonly Check[] {
  if (names.length === 0) return [];
  return [
    {
      name: "environment",
      ok: false,
      detail: `commands that the agent runs can read ${names.join(", ")} from its environment in /proc, because this kernel does not let Hermes erase them`,
      hint: "Move them to .env (hermes config set NAME VALUE), and unset them in the shell.",
    },
  ];
}

/** Asking for the list of models costs nothing and shows address and key at once. */
async function checkModel(models: DoctorPorts["models"]): Promise<Check> {
  const { provider, model, source, offline } = await models.current();
  if (offline)
    return {
      name: "model",
      ok: true,
      detail: "none configured: the built-in offline model answers. `hermes model` connects one.",
    };
  const named = `${model} of ${provider} (${source})`;
  try {
    await models.probe(AbortSignal.timeout(ANSWER_MS));
    return { name: "model", ok: true, detail: `${named}; the service answers` };
  } catch (error) {
    return {
      name: "model",
      ok: false,
      detail: `${named}: ${error instanceof Error ? error.message : String(error)}`,
      hint: "hermes model connects another. A service without a list of models may still answer: hermes chat -q hello",
    };
  }
}

/** An unavailable fallback would otherwise be noticed only when it is needed. */
function checkFallbacks(fallbacks: Awaited<ReturnType<ModelService["fallbacks"]>>): readonly Check[] {
  if (fallbacks.length === 0) return [];
  const lacking = fallbacks.filter(({ lack }) => lack !== undefined);
  if (lacking.length === 0)
    return [
      {
        name: "fallbacks",
        ok: true,
        detail: fallbacks.map(({ provider, model }) => `${provider}/${model}`).join(", "),
      },
    ];
  return [
    {
      name: "fallbacks",
      ok: false,
      detail: lacking
        .map(({ provider, model, lack }) => `${provider}/${model} cannot serve as a fallback: ${lack}`)
        .join(" "),
      hint: "hermes fallback lists the fallbacks; its subcommands remove and add change the list",
    },
  ];
}

/** A package is loaded with the first request to its model, which may be a fallback or a side task. */
function checkModelPackages(packages: Awaited<ReturnType<ModelService["packages"]>>): readonly Check[] {
  return packages.map(({ name, settings, lack, hint }) => ({
    name: "model package",
    ok: lack === undefined,
    detail: lack === undefined ? `${name} is installed (${settings.join(", ")})` : `${settings.join(", ")}: ${lack}`,
    hint,
  }));
}

function checkSandbox(sandbox: SandboxState | undefined): readonly Check[] {
  if (sandbox === undefined) return [];
  if (sandbox.kind === "missing")
    return [
      {
        name: "sandbox",
        ok: false,
        detail: `commands run with your rights and without a sandbox: ${sandbox.words}`,
        hint: sandbox.hint,
      },
    ];
  if (sandbox.kind === "off")
    return [
      {
        name: "sandbox",
        ok: true,
        detail: `commands run without a sandbox: ${sandbox.words}`,
        hint: "hermes config set sandbox.mode auto",
      },
    ];
  return [{ name: "sandbox", ok: true, detail: `commands run in a sandbox: ${sandbox.words}` }];
}

/** Services with a selectable backend, with their display names. */
const SERVICES = [
  ["image_gen", "pictures"],
  ["video_gen", "films"],
  ["browser", "browsers"],
] as const;

/** The backend selected by a setting or by its key. One that the user named must be available. */
async function checkService(
  { media, config }: DoctorPorts,
  slot: (typeof SERVICES)[number][0],
  name: string,
): Promise<readonly Check[]> {
  const { path, none } = await media.setting(slot);
  const named = config.get(path);
  const chosen = (await media.list(slot)).find((one) => one.chosen);
  if (chosen !== undefined && chosen.waits === undefined)
    return [
      {
        name,
        ok: true,
        detail: `${chosen.label} (${path}${named === undefined || named === "" ? " would select another" : ""})`,
      },
    ];
  if (typeof named !== "string" || named === "" || named.toLowerCase() === none) return [];
  return [
    {
      name,
      ok: false,
      detail: `${path} names "${named}": ${chosen?.waits ?? "no plugin provides it"}`,
      hint: `hermes setup ${slot === "browser" ? "browser" : "media"} shows the options and asks for what is missing.`,
    },
  ];
}

async function checkPlugins(plugins: DoctorPorts["plugins"]): Promise<readonly Check[]> {
  const listings = await plugins.list();
  const failed = listings.filter(({ state }) => state === "failed");
  const without = listings.filter(({ state, because }) => state === "disabled" && because !== "off");
  // Unused bundled services need no fix.
  const unasked = ({ source, because, manifest }: PluginListing): boolean =>
    source === "bundled" && manifest.opt_in !== true && (manifest.chosen_by === undefined || because === "chosen");
  const [unused, lacking] = [without.filter(unasked), without.filter((listing) => !unasked(listing))];
  const running = listings.filter(({ state }) => state === "enabled");
  const needing = [...failed, ...running].filter(({ lacking }) => lacking !== undefined);
  const waiting = listings.filter(({ state }) => state === "not enabled");
  return [
    ...failed.map(({ key, reason }): Check => ({
      name: "plugins",
      ok: false,
      detail: `"${key}" failed: ${reason ?? "unknown"}`,
      hint: `hermes plugins disable ${key}`,
    })),
    ...lacking.map(({ reason, manifest }): Check => ({
      name: "plugins",
      ok: false,
      detail: reason ?? "",
      hint: `hermes config set ${manifest.requires_env[0]?.name ?? "NAME"} VALUE`,
    })),
    ...needing.map(({ key, lacking = [] }): Check => ({
      name: "plugins",
      ok: false,
      detail: `"${key}" needs Python packages that are not installed: ${lacking.join(", ")}`,
      hint: `hermes plugins enable ${key} --yes`,
    })),
    {
      name: "plugins",
      ok: true,
      detail: `${running.length} run${waiting.length === 0 ? "" : `, not enabled: ${waiting.map(({ key }) => key).join(", ")}`}${unused.length === 0 ? "" : `; not set up: ${unused.map(({ key }) => key).join(", ")}`}`,
    },
  ];
}

function checkLogs(home: Home): Check {
  const bytes = ["agent.log", "errors.log"].reduce(
    (sum, name) => sum + (statSync(home.file("logs", name), { throwIfNoEntry: false })?.size ?? 0),
    0,
  );
  return { name: "logs", ok: true, detail: `${home.file("logs")} (${(bytes / 1_000_000).toFixed(1)} MB)` };
}

function isOpenToOthers(mode: number): boolean {
  return process.platform !== "win32" && (mode & 0o077) !== 0;
}

function hintOf(error: unknown): { readonly hint?: string } {
  const hint = error instanceof Error && "hint" in error ? error.hint : undefined;
  return typeof hint === "string" ? { hint } : {};
}
