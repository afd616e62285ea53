import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Home } from "../../environment/home.ts";
import type { FoundPlugin } from "../discovery/discovery.ts";
import { missingNpmPackages, takesNpmPackages } from "./npm-needs.ts";
import { pythonOf } from "./python-environment.ts";
import { distributionName, readNeed, type PythonNeed } from "./python-needs.ts";
import { siteOf, type PythonPlace } from "./python-packages.ts";

/**
 * Packages that the plugin names and that its Python, or Node, does not find. For a plugin that is a package itself, pip installed
 * them.
 * @param shared The package folders of the `python3` on PATH.
 */
export function missingOf(
  plugin: FoundPlugin,
  home: Home,
  path: string | undefined,
  shared: readonly PythonPlace[],
): readonly string[] {
  if (takesNpmPackages(plugin)) return missingNpmPackages(plugin);
  const needs = plugin.manifest.dependencies ?? [];
  if (needs.length === 0 || plugin.module !== undefined || plugin.source === "bundled") return [];
  const python = pythonOf(plugin, home, path);
  const sites = shared.map(({ site }) => site);
  if (python?.own !== true) return missingPackages(needs, sites);
  const environment = dirname(dirname(python.program));
  return missingPackages(needs, [siteOf(environment) ?? "", ...(seesShared(environment) ? sites : [])]);
}

function seesShared(environment: string): boolean {
  try {
    return /^include-system-site-packages\s*=\s*true\s*$/im.test(readFileSync(join(environment, "pyvenv.cfg"), "utf8"));
  } catch {
    return false; // Not a virtual environment.
  }
}

/** The needs that no package in these folders fulfils. Compares names and versions without running Python. */
export function missingPackages(needs: readonly string[], sites: readonly string[]): readonly string[] {
  if (needs.length === 0) return [];
  const installed = new Map(sites.toReversed().flatMap(distributions));
  const python = /python(\d+(?:\.\d+)*)/.exec(sites[0] ?? "")?.[1];
  return needs.filter((text) => {
    const need = readNeed(text);
    if (need !== undefined && !applies(need.marker, python)) return false;
    return need === undefined || !installed.has(need.name) || !fits(need, installed.get(need.name)!);
  });
}

/** Names and versions from `NAME-VERSION.dist-info`. */
function distributions(site: string): readonly (readonly [name: string, version: string])[] {
  let names: readonly string[];
  try {
    names = readdirSync(site);
  } catch {
    return []; // The folder disappeared, so it has no packages.
  }
  return names.flatMap((folder) => {
    const found = /^(.+?)(?:-(\d[^-]*))?(?:-py[\d.]+)?\.(?:dist|egg)-info$/.exec(folder);
    return found === null ? [] : [[distributionName(found[1]!), found[2] ?? ""] as const];
  });
}

function fits({ versions }: PythonNeed, version: string): boolean {
  return version === "" || versions.every(({ operator, version: wanted }) => holds(operator, version, wanted));
}

function holds(operator: string, version: string, wanted: string): boolean {
  const order = compare(version, wanted);
  const begins = (prefix: string): boolean =>
    compare(release(version).slice(0, release(prefix).length).join("."), prefix) === 0;
  switch (operator) {
    case "==":
      return wanted.endsWith(".*") ? begins(wanted.slice(0, -2)) : order === 0;
    case "!=":
      return wanted.endsWith(".*") ? !begins(wanted.slice(0, -2)) : order !== 0;
    case ">=":
      return order >= 0;
    case "<=":
      return order <= 0;
    case ">":
      return order > 0;
    case "<":
      return order < 0;
    case "~=":
      return order >= 0 && begins(release(wanted).slice(0, -1).join("."));
    default:
      return version === wanted;
  }
}

/** Compares release numbers; pre- and post-releases are left to pip. */
function compare(left: string, right: string): number {
  const [a, b] = [release(left), release(right)];
  for (let at = 0; at < Math.max(a.length, b.length); at += 1) {
    const difference = (a[at] ?? 0) - (b[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

function release(version: string): readonly number[] {
  return (/^v?(?:\d+!)?(\d+(?:\.\d+)*)/.exec(version)?.[1] ?? "0").split(".").map(Number);
}

/**
 * Whether a need applies to this system: the comparisons that packages commonly use. An unknown one counts as applying.
 */
function applies(marker: string, python: string | undefined): boolean {
  if (marker === "") return true;
  const facts: { readonly [name: string]: string | undefined } = {
    sys_platform: process.platform,
    platform_system: { linux: "Linux", darwin: "Darwin", win32: "Windows" }[process.platform as string],
    os_name: process.platform === "win32" ? "nt" : "posix",
    python_version: python,
  };
  const one = (comparison: string): boolean => {
    const found = /^\(?\s*(\w+)\s*(===|[=!<>~]=|[<>])\s*["']([^"']*)["']\s*\)?$/.exec(comparison.trim());
    if (found === null) return true;
    const [, name, operator, wanted] = found as unknown as [string, string, string, string];
    if (name === "extra") return false;
    const fact = facts[name];
    if (fact === undefined) return true;
    return name === "python_version"
      ? holds(operator, fact, wanted)
      : operator === "=="
        ? fact === wanted
        : operator === "!="
          ? fact !== wanted
          : true;
  };
  return marker.split(/\s+or\s+/).some((all) => all.split(/\s+and\s+/).every(one));
}
