import { existsSync } from "node:fs";
import { join, sep } from "node:path";
import { createKnownMask, type KnownMask } from "../../safety/secrets/known-values.ts";
import { createRedactor, NO_MASKING, type Redactor } from "../../safety/secrets/redact.ts";
import { openConfig, type Config } from "../config/open-config.ts";
import { trustNamedAuthorities } from "../environment/certificate-authorities.ts";
import type { Notice } from "../../contract/common/notice.ts";
import { openEnvironment, type EnvironmentVariables } from "../environment/environment.ts";
import { hideEnvironment, type Hidden } from "../environment/hide-environment.ts";
import { resolveHome, type Home } from "../environment/home.ts";
import { logSettings } from "../logger/log-settings.ts";
import { openLogger, type RootLogger } from "../logger/open-logger.ts";
import { openPluginIndex } from "../plugins/discovery/plugin-index.ts";
import type { InstalledPlugins } from "../plugins/registry/plugin-host.ts";
import { openPluginPins } from "../plugins/consent/plugin-pins.ts";
import { systemClock } from "./system-clock.ts";
import { temporaryFolder, temporaryNotice, type TemporaryFolder } from "../environment/temporary-folder.ts";
import { userHomeOf } from "../environment/user-home.ts";
import type { AppOptions } from "./app-options.ts";

/** The parts that exist before any plugin. */
export interface AppEnvironment {
  /** The options' `env` contains no secrets. */
  readonly options: AppOptions;
  readonly userHome: string;
  readonly home: Home;
  readonly environment: EnvironmentVariables;
  /** What is wrong with the variables. */
  readonly notices: readonly Notice[];
  readonly temporary: TemporaryFolder;
  /** Secrets that children of this process could have read. */
  readonly exposed: Hidden["exposed"];
  readonly log: RootLogger;
  readonly config: Config;
  readonly secrets: AppSecrets;
  readonly installed: InstalledPlugins;
  /** Folder of the plugins that ship with the agent. */
  readonly bundledDir: string;
}

/** The secrets of this process, and how it masks them. */
export interface AppSecrets {
  values(): readonly string[];
  /** Adds a secret that the user typed. */
  add(secret: string): void;
  /** Masks known secrets and whatever looks like one, unless `security.redact_secrets` is off. */
  readonly redact: Redactor;
  /** Masks known secrets only. */
  readonly mask: KnownMask;
}

/** Stage 1: variables, home, log, settings, and which plugins are installed. */
export async function prepareEnvironment({ env: given, ...others }: AppOptions): Promise<AppEnvironment> {
  const userHome = userHomeOf(given);
  // Node.js and every command read the home directory from it.
  if (given === process.env && given["HOME"] !== undefined) process.env["HOME"] = userHome;
  const { variables, exposed } =
    given === process.env ? hideEnvironment(process.env) : { variables: given, exposed: [] };
  const home = resolveHome({ env: variables, userHome, profile: others.profile });
  // An import that was killed while it moved files into place.
  if (existsSync(home.file(".import", "plan.json")))
    await (await import("../backup/finish-restore.ts")).finishRestore(home.path);
  const temporary = temporaryFolder(home.file("cache", "tmp"));
  // Node.js and every command read it.
  const moved = given === process.env && temporary.problem !== undefined;
  if (moved) process.env["TMPDIR"] = temporary.folder;
  const options: AppOptions = { ...others, env: moved ? { ...variables, TMPDIR: temporary.folder } : variables };
  const environment = openEnvironment({ home, process: options.env });
  const authorities = await trustNamedAuthorities(environment);
  const typed: string[] = [];
  const sources: (() => readonly string[])[] = [() => environment.secretValues(), () => typed];
  const values = (): readonly string[] => sources.flatMap((source) => source());
  const known = createKnownMask(values);
  const redactor = createRedactor(known);
  const log = openLogger({
    home,
    clock: systemClock,
    redact: redactor,
    debugPlugins: isDebugging(options.env) ? (text) => void process.stderr.write(`${text}\n`) : undefined,
  });

  const bundledDir = options.env["HERMES_BUNDLED_PLUGINS"] || bundledPlugins();
  const pins = openPluginPins(home);
  const pluginsHere = join(process.cwd(), ".hermes", "plugins");
  const projectPlugins = isOn(environment.get("HERMES_ENABLE_PROJECT_PLUGINS")) ? pluginsHere : undefined;
  const index = await openPluginIndex({
    home,
    log,
    pins,
    bundledDirs: [bundledDir],
    version: options.version,
    bundledOnly: options.safeMode,
    projectDir: projectPlugins === home.file("plugins") ? undefined : projectPlugins,
    modulesDir: ownModules(),
    path: options.env["PATH"],
  });
  const config = await openConfig({
    home,
    environment,
    sections: index.sections,
    flags: options.flags,
    ignoreFile: options.ignoreUserConfig || options.safeMode,
    whenBroken: options.forRepair ? "take-sound-part" : "refuse",
  });
  sources.push(() => config.secretValues());
  log.configure(logSettings(config));
  const masking = config.get("security.redact_secrets") !== false;
  const noticeOfFolder = temporaryNotice(temporary);
  return {
    options,
    userHome,
    home,
    environment,
    notices: [...environment.notices, ...authorities, ...(noticeOfFolder === undefined ? [] : [noticeOfFolder])],
    temporary,
    exposed,
    log,
    config,
    secrets: {
      values,
      add: (secret) => void (typed.includes(secret) || typed.push(secret)),
      redact: masking ? redactor : NO_MASKING,
      mask: masking ? known : createKnownMask(() => []),
    },
    installed: {
      index,
      pins,
      path: options.env["PATH"],
      unread: projectPlugins === undefined ? pluginsHere : undefined,
    },
    bundledDir,
  };
}

function isDebugging(env: AppOptions["env"]): boolean {
  const debug = env["HERMES_PLUGINS_DEBUG"];
  return debug !== undefined && debug !== "" && debug !== "0";
}

/** `plugins/` in a clone; `dist/plugins/` in the build, which puts all code into a folder beside it. */
function bundledPlugins(): string {
  return import.meta.url.endsWith(".ts")
    ? join(import.meta.dirname, "../../../plugins")
    : join(import.meta.dirname, "..", "plugins");
}

/** The `node_modules` that contains this package: it may contain plugins, too. */
function ownModules(): string | undefined {
  const at = import.meta.dirname.lastIndexOf(`${sep}node_modules${sep}`);
  return at < 0 ? undefined : import.meta.dirname.slice(0, at + "/node_modules".length);
}

function isOn(value: string | undefined): boolean {
  return value !== undefined && ["1", "true", "yes", "on"].includes(value.toLowerCase());
}
