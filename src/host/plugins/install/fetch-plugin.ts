import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { UserError } from "../../../contract/common/failure.ts";
import type { JsonObject } from "../../../contract/common/json.ts";
import type { Logger } from "../../../contract/common/logger.ts";
import { readFolder, type FoundPlugin } from "../discovery/discovery.ts";
import { folders } from "../discovery/plugin-files.ts";
import { impliedNeeds } from "../packages/implied-needs.ts";
import { readPackage } from "../packages/npm-packages.ts";
import { ENTRY_GROUP, findPythonPlugins, siteOf } from "../packages/python-packages.ts";
import { isAgent } from "../packages/python-needs.ts";
import { checkTree } from "./check-tree.ts";
import { cloneGit } from "./clone-git.ts";
import { installNeeds, OtherPythonNeeded, type NeedsRun } from "./install-needs.ts";
import { makeEnvironment } from "./install-packages.ts";
import type { PluginSpec } from "./read-spec.ts";
import { otherPythons } from "./other-pythons.ts";
import { runNpm } from "./run-npm.ts";
import { unpack } from "./unpack.ts";

export interface FetchPorts {
  readonly cwd: string;
  /** An empty working folder. */
  readonly stage: string;
  readonly env: { readonly [name: string]: string };
  readonly signal: AbortSignal;
  readonly log: Logger;
  /** Build Python packages that have no wheel. */
  readonly build: boolean;
  /** Ignore versions of npm packages published after this moment. */
  readonly publishedBefore: Date | undefined;
}

/** A plugin that was fetched and has not run. */
export interface Fetched {
  readonly plugin: FoundPlugin;
  /** More plugins of the same package. */
  readonly others?: readonly FoundPlugin[];
  /** The folder to move into place: the plugin's own, or the one with its packages. */
  readonly root: string;
  /** A commit, a version. */
  readonly resolved: string;
}

/**
 * Fetches a plugin without running any of its code: no git hooks, no lifecycle scripts, and no builds without consent.
 */
export async function fetchPlugin(spec: PluginSpec, ports: FetchPorts): Promise<Fetched> {
  switch (spec.kind) {
    case "folder":
      return fetchFolder(resolve(ports.cwd, spec.path), ports);
    case "archive":
      return fetchArchive(resolve(ports.cwd, spec.path), ports);
    case "git":
      return fetchGit(spec, ports);
    case "npm":
      return fetchNpm(spec, ports);
    case "pypi":
      return fetchPypi(spec, ports);
  }
}

async function fetchFolder(path: string, ports: FetchPorts): Promise<Fetched> {
  const there = statSync(path, { throwIfNoEntry: false });
  if (there === undefined) throw new UserError(`There is no folder ${path}.`, { exitCode: 2 });
  if (!there.isDirectory()) throw new UserError(`${path} is neither a folder nor a .tar.gz.`, { exitCode: 2 });
  // Refuse other files before the tree is walked.
  if (
    (await readFolder({ source: "user", dir: path, key: undefined }, ports.log)) === undefined &&
    (await readPackage(path, ports.log)).length === 0
  )
    throw noPlugin(path);
  checkTree(path, path);
  const root = join(ports.stage, "plugin");
  cpSync(path, root, {
    recursive: true,
    verbatimSymlinks: true,
    filter: (from) => !/\/(\.git|__pycache__)$/.test(from),
  });
  return inFolder(root, path, "a folder", ports);
}

async function fetchArchive(path: string, ports: FetchPorts): Promise<Fetched> {
  if (!existsSync(path)) throw new UserError(`There is no file ${path}.`, { exitCode: 2 });
  const root = join(ports.stage, "plugin");
  mkdirSync(root);
  unpack(path, root);
  checkTree(root, path);
  // Archives usually contain one folder with everything in it.
  const inside = readdirSync(root);
  const only = inside.length === 1 ? join(root, inside[0]!) : root;
  return inFolder(statSync(only).isDirectory() ? only : root, path, "an archive", ports);
}

async function fetchGit({ url, ref, sub }: Extract<PluginSpec, { kind: "git" }>, ports: FetchPorts): Promise<Fetched> {
  const clone = join(ports.stage, "plugin");
  const commit = await cloneGit(ref === undefined ? { url } : { url, ref }, clone, ports);
  checkTree(clone, url);
  const root = sub === undefined ? clone : join(clone, sub);
  if (statSync(root, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw new UserError(`${url} has no folder "${sub}".`);
  return inFolder(root, url, commit, ports);
}

async function fetchNpm({ name, version }: Extract<PluginSpec, { kind: "npm" }>, ports: FetchPorts): Promise<Fetched> {
  const root = join(ports.stage, "plugin");
  mkdirSync(root);
  await runNpm(["--prefix", root, "--", version === undefined ? name : `${name}@${version}`], root, ports);
  checkTree(root, `npm:${name}`);
  const dir = join(root, "node_modules", name);
  const [plugin, ...others] = await readPackage(dir, ports.log);
  if (plugin === undefined)
    throw new UserError(`The npm package ${name} is not a plugin for Hermes.`, {
      hint: 'The package.json of a plugin has "hermes": { "plugin": … }.',
    });
  const { version: resolved } = JSON.parse(readFileSync(join(dir, "package.json"), "utf8")) as {
    readonly version?: string;
  };
  return { plugin, others, root, resolved: resolved ?? "" };
}

async function fetchPypi(
  { name, version }: Extract<PluginSpec, { kind: "pypi" }>,
  ports: FetchPorts,
): Promise<Fetched> {
  const root = join(ports.stage, "plugin");
  const run: NeedsRun = { cwd: ports.stage, env: ports.env, signal: ports.signal, build: ports.build };
  const python = await environmentWith(version === undefined ? name : `${name}==${version}`, root, run);
  const site = siteOf(root) ?? "";
  // Before its dependencies are installed, which may include plugins.
  const found = await findPythonPlugins({ python, site, alone: true }, ports.log);
  // If one plugin's module is inside another's, the outer one is the package's own.
  const plugin =
    found.find((one) => found[0] !== one && `${found[0]!.module?.name}`.startsWith(`${one.module?.name}.`)) ?? found[0];
  const others = found.filter((one) => one !== plugin);
  if (plugin === undefined)
    throw new UserError(`The Python package ${name} is not a plugin for Hermes.`, {
      hint: `The package of a plugin has an entry point in the group ${ENTRY_GROUP}.`,
    });
  const about = metadataOf(site);
  const named = requirementsIn(about);
  const needs = [
    ...named,
    ...impliedNeeds(
      plugin.dir,
      plugin.files.map(([file]) => file),
      named,
    ),
  ];
  if (needs.length > 0) await installNeeds(python, needs, run);
  // The manifest in it may have another version.
  return { plugin, others, root, resolved: /^Version: (.+)$/m.exec(about)?.[1]?.trim() ?? plugin.manifest.version };
}

/** An environment with only the package, of the first Python that can run it: `python3`, else another on PATH. */
async function environmentWith(need: string, root: string, run: NeedsRun): Promise<string> {
  let refused: unknown;
  for (const program of ["python3", ...otherPythons(run.env["PATH"] ?? "")]) {
    try {
      const python = await makeEnvironment(root, "alone", run, program);
      await installNeeds(python, [need], run, ["--no-deps"]);
      return python;
    } catch (cause) {
      // A Python that cannot create an environment (the wrapper of a missing version) does not count.
      if (!(cause instanceof OtherPythonNeeded) && refused === undefined) throw cause;
      refused ??= cause;
      rmSync(root, { recursive: true, force: true });
    }
  }
  throw refused;
}

/** The metadata header of the only package there. */
function metadataOf(site: string): string {
  const info = folders(site).find((name) => name.endsWith(".dist-info"));
  return info === undefined ? "" : readFileSync(join(site, info, "METADATA"), "utf8").split(/\r?\n\r?\n/)[0]!;
}

/** The package's dependencies, without the agent. */
function requirementsIn(head: string): readonly string[] {
  return [...head.matchAll(/^Requires-Dist: (.+)$/gm)]
    .map(([, need = ""]) => need.trim())
    .filter((need) => !/\bextra\s*==/.test(need) && !isAgent(need));
}

function noPlugin(from: string): UserError {
  return new UserError(`There is no plugin.yaml in ${from}.`, {
    hint: "To name a folder inside, put it behind a #, or behind owner/repo/.",
  });
}

async function inFolder(dir: string, from: string, resolved: string, ports: FetchPorts): Promise<Fetched> {
  let found = await readFolder({ source: "user", dir, key: undefined }, ports.log);
  if (found === undefined) {
    if ((await readPackage(dir, ports.log)).length > 0) return inModules(dir, from, resolved, ports);
    throw noPlugin(from);
  }
  if (found.broken !== undefined) throw new UserError(found.broken);
  await fetchDependencies(dir, ports);
  // Its packages are installed now.
  found = (await readFolder({ source: "user", dir, key: undefined }, ports.log)) ?? found;
  return { plugin: found, root: dir, resolved };
}

/** An npm package that was installed from a file or folder is placed as if it had been installed by its name. */
async function inModules(dir: string, from: string, resolved: string, ports: FetchPorts): Promise<Fetched> {
  const { name } = JSON.parse(readFileSync(join(dir, "package.json"), "utf8")) as { readonly name?: unknown };
  if (typeof name !== "string" || !PACKAGE_NAME.test(name))
    throw new UserError(`The package in ${from} has an invalid name: ${JSON.stringify(name)}.`);
  const root = join(ports.stage, "packages");
  const place = join(root, "node_modules", name);
  mkdirSync(dirname(place), { recursive: true });
  renameSync(dir, place);
  await fetchDependencies(place, ports);
  const [plugin, ...others] = await readPackage(place, ports.log);
  return { plugin: plugin!, others, root, resolved };
}

const PACKAGE_NAME = /^(@[a-z0-9][\w.-]*\/)?[a-z0-9][\w.-]*$/i;

/** Packages that a plugin's own `package.json` names, unless they are bundled. */
async function fetchDependencies(dir: string, ports: FetchPorts): Promise<void> {
  const file = join(dir, "package.json");
  if (!existsSync(file) || existsSync(join(dir, "node_modules"))) return;
  const { dependencies } = JSON.parse(readFileSync(file, "utf8")) as { readonly dependencies?: JsonObject };
  if (Object.keys(dependencies ?? {}).length > 0) await runNpm(["--prefix", dir], dir, ports);
  checkTree(dir, dir);
}
