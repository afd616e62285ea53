import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { homedir } from "node:os";
import type { InstallOptions, PluginInstall, PluginListing } from "../../../contract/services/plugin-service.ts";
import { UserError } from "../../../contract/common/failure.ts";
import type { Logger } from "../../../contract/common/logger.ts";
import type { Home } from "../../environment/home.ts";
import { contentHash } from "../discovery/content-hash.ts";
import { toolsCalled } from "../discovery/tools-called.ts";
import type { FoundPlugin } from "../discovery/discovery.ts";
import type { Pin, PluginPins } from "../consent/plugin-pins.ts";
import { wrongPackages } from "../packages/wrong-package.ts";
import { fetchPlugin, type Fetched } from "./fetch-plugin.ts";
import { compareGrants, grantsOf } from "./grants.ts";
import { readSpec } from "./read-spec.ts";
import { replaceFolder, stageName } from "./replace-folder.ts";
import { scanSkills, type ScannedSkills } from "./scan-skills.ts";

export interface InstallPorts {
  readonly home: Home;
  readonly pins: PluginPins;
  readonly log: Logger;
  readonly environment: {
    get(name: string): string | undefined;
    childEnvironment(declared: readonly string[]): { [name: string]: string };
  };
  now(): number;
  /** How many hours a version of a package has to be published before it is installed (`plugins.cooling_off_hours`). */
  coolingOffHours(): number;
  /** Called after a plugin was added, changed or removed. Returns the listing. */
  settled(key: string): Promise<PluginListing>;
}

/** Variables for git, npm and pip in addition to the usual ones: registry addresses, credentials and proxies. */
export const PROGRAM_VARIABLES = [
  "HTTP_PROXY",
  "HTTPS_PROXY",
  "NO_PROXY",
  "ALL_PROXY",
  "http_proxy",
  "https_proxy",
  "no_proxy",
  "all_proxy",
  "SSL_CERT_FILE",
  "SSL_CERT_DIR",
  "SSH_AUTH_SOCK",
  "GIT_SSH_COMMAND",
  "GIT_SSL_CAINFO",
  "NODE_EXTRA_CA_CERTS",
  "NPM_TOKEN",
  "NODE_AUTH_TOKEN",
  "NPM_CONFIG_REGISTRY",
  "npm_config_registry",
  "NPM_CONFIG_USERCONFIG",
  "npm_config_userconfig",
  "PIP_INDEX_URL",
  "PIP_EXTRA_INDEX_URL",
  "PIP_FIND_LINKS",
  "PIP_CONFIG_FILE",
  "PIP_CERT",
  "PYENV_ROOT",
  "PYENV_VERSION",
];

/** Fetches a plugin into a temporary folder and describes it. Installs nothing before `commit`. */
export async function prepareInstall(
  text: string,
  options: InstallOptions,
  ports: InstallPorts,
): Promise<PluginInstall> {
  const spec = readSpec(text, { home: homedir(), ref: options.ref });
  // Beside its future location, so that the last step is one rename.
  const stage = mkdtempSync(stageName(ports.home.folder("packages")));
  const clear = (): void => rmSync(stage, { recursive: true, force: true });
  try {
    const fetched = await fetchPlugin(spec, {
      cwd: options.cwd,
      stage,
      env: ports.environment.childEnvironment(PROGRAM_VARIABLES),
      signal: options.signal,
      log: ports.log,
      build: options.build === true,
      publishedBefore: coolingOff(ports),
    });
    // Absolute, because an update may run in another working directory.
    const from = spec.kind === "folder" || spec.kind === "archive" ? resolve(options.cwd, spec.path) : text.trim();
    return prepared(from, options, fetched, await scanSkills(fetched.plugin.dir), ports, clear);
  } catch (error) {
    clear();
    throw error;
  }
}

/** The moment before which a version must be published; `undefined` for any. */
export function coolingOff({ now, coolingOffHours }: Pick<InstallPorts, "now" | "coolingOffHours">): Date | undefined {
  const hours = coolingOffHours();
  return hours > 0 ? new Date(now() - hours * 3_600_000) : undefined;
}

function prepared(
  from: string,
  options: InstallOptions,
  fetched: Fetched,
  skills: ScannedSkills,
  ports: InstallPorts,
  clear: () => void,
): PluginInstall {
  const { plugin, others = [], root, resolved } = fetched;
  const { key, manifest } = plugin;
  if (plugin.broken !== undefined) throw new UserError(plugin.broken);
  copyExamples(plugin.dir);
  for (const message of wrongPackages(plugin.dir)) ports.log.warning(`${key}: ${message}`);
  const place = placeOf(plugin, ports.home);
  const dir = join(place, relative(root, plugin.dir));
  const before = ports.pins.get(dir);
  const there = existsSync(place);
  if (there && options.force !== true)
    throw new UserError(`There is already a plugin in ${place}.`, {
      hint:
        before === undefined
          ? "Use --force to replace it."
          : `Run \`hermes plugins update ${key}\` to fetch it again, or use --force to replace it.`,
    });
  const whole = root === plugin.dir ? {} : { root: relative(plugin.dir, packagesOf(plugin, root)) };
  const hash = contentHash(join(plugin.dir, whole.root ?? "."));
  const grants = [
    ...grantsOf(manifest),
    ...others.map((other) => `contains the plugin ${other.key}, which you enable separately`),
  ];
  return {
    key,
    manifest,
    dir,
    from,
    resolved,
    hash,
    grants,
    ...skills,
    ...compareGrants(before?.grants ?? [], grants),
    asks: toolsCalled(plugin).tools.filter((tool) => manifest.grants?.tools.includes(tool) !== true),
    replaces: there ? (before?.version ?? "") : undefined,
    unchanged:
      there && before?.hash === hash && before.from === from && contentHash(join(dir, whole.root ?? ".")) === hash,
    missing: manifest.requires_env.filter(({ name }) => ports.environment.get(name) === undefined),
    ...afterInstall(plugin.dir),
    async commit() {
      mkdirSync(dirname(place), { recursive: true, mode: 0o700 });
      const pin: Pin = {
        hash,
        from,
        ref: options.ref,
        resolved,
        version: manifest.version,
        grants,
        ...whole,
        at: new Date(ports.now()).toISOString(),
      };
      const pins = [
        [dir, pin] as const,
        ...others.map(
          (other) =>
            [
              join(place, relative(root, other.dir)),
              { ...pin, root: relative(other.dir, packagesOf(other, root)) },
            ] as const,
        ),
      ];
      await ports.pins.exchange(pins, () => replaceFolder(root, place));
      ports.log.info(`Installed ${key} ${manifest.version} from ${from} (${resolved}) as ${dir}`);
      return ports.settled(key);
    },
    async [Symbol.asyncDispose]() {
      clear();
    },
  };
}

/** Folders are stored with the user's plugins, packages in an environment each. */
function placeOf({ source, key, manifest }: FoundPlugin, home: Home): string {
  if (source === "npm" || source === "python")
    return home.file("packages", source === "npm" ? "npm" : "python", key.replaceAll("/", "-"));
  return home.file("plugins", manifest.name);
}

/** The hashed part of a package: itself and all dependencies. */
function packagesOf({ source, dir }: FoundPlugin, root: string): string {
  return source === "npm" ? join(root, "node_modules") : dirname(dir);
}

/** Copies `settings.yaml.example` to `settings.yaml`, which from then on belongs to the user. */
function copyExamples(dir: string): void {
  for (const name of readdirSync(dir)) {
    const real = join(dir, name.replace(/\.example$/, ""));
    if (name.endsWith(".example") && !existsSync(real)) copyFileSync(join(dir, name), real);
  }
}

function afterInstall(dir: string): { readonly afterInstall?: string } {
  const file = join(dir, "after-install.md");
  return existsSync(file) ? { afterInstall: readFileSync(file, "utf8") } : {};
}
