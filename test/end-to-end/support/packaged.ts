import { spawn, spawnSync } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { homedir, tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { ended, type Ended } from "./test-user.ts";
import { definedFields } from "../../../src/contract/common/defined-fields.ts";

const ROOT = join(import.meta.dirname, "../../..");
/** The Node.js package that the launchers download if Node.js is too old. */
const NODE_PACKAGE = `node-${process.platform}-${process.arch}`;

/** An isolated machine: a temp directory with a home, npm's cache, tools and the installation. */
export class Machine implements Disposable {
  readonly root = mkdtempSync(join(tmpdir(), "hermes-machine-"));
  readonly home = this.folder("home");
  readonly work = this.folder("work");

  folder(...names: readonly string[]): string {
    const path = join(this.root, ...names);
    mkdirSync(path, { recursive: true });
    return path;
  }

  /** A file of the home if it starts with `~/`, else of the working folder. */
  write(path: string, text: string): void {
    const file = path.startsWith("~/") ? join(this.home, path.slice(2)) : join(this.work, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }

  /** A `PATH` of one folder with links to the system's programs, but with this `node`, and with npm only on request. */
  path(name: string, node: string, options: { readonly npm: boolean }): string {
    const folder = this.folder("bin", name);
    for (const system of ["/usr/bin", "/bin"]) {
      for (const program of readdirSync(system)) {
        if (!/^(node|nodejs|npm|npx|corepack|hermes)$/.test(program) && !existsSync(join(folder, program)))
          symlinkSync(join(system, program), join(folder, program));
      }
    }
    symlinkSync(node, join(folder, "node"));
    if (options.npm) symlinkSync(which("npm")[0] ?? "npm", join(folder, "npm"));
    return folder;
  }

  /** An `npm` that only records its calls, first in the returned path. */
  withoutNpm(path: string): { readonly path: string; called(): boolean } {
    const folder = mkdtempSync(join(this.root, "no-npm-"));
    const mark = join(folder, "called");
    writeFileSync(join(folder, "npm"), `#!/bin/sh\necho called >> ${mark}\nexit 1\n`);
    chmodSync(join(folder, "npm"), 0o755);
    return { path: `${folder}${delimiter}${path}`, called: () => existsSync(mark) };
  }

  run(
    command: string,
    args: readonly string[],
    path: string,
    env: { readonly [name: string]: string } = {},
  ): Promise<Ended> {
    return ended(
      spawn(command, args, { cwd: this.work, env: { ...this.env(path), ...env }, stdio: ["ignore", "pipe", "pipe"] }),
    );
  }

  env(path: string): { readonly [name: string]: string | undefined } {
    return {
      ...npmEnvironment(),
      PATH: path,
      HOME: this.home,
      TERM: "dumb",
      LANG: "C.UTF-8",
      HERMES_CLONE_BUILD: "off", // A background process of a start would write into folders that the test deletes.
      NPM_CONFIG_CACHE: this.folder("npm-cache"),
    };
  }

  [Symbol.dispose](): void {
    rmSync(this.root, { recursive: true, force: true });
  }
}

/** How npm reaches its registry: through the user's own settings. */
export function npmEnvironment(): { readonly [name: string]: string } {
  const own = join(homedir(), ".npmrc");
  const settings = process.env["NPM_CONFIG_USERCONFIG"] ?? (existsSync(own) ? own : undefined);
  const certificates = process.env["NODE_EXTRA_CA_CERTS"];
  return definedFields({
    NPM_CONFIG_USERCONFIG: settings,
    NODE_EXTRA_CA_CERTS: certificates,
  });
}

/** Why these tests cannot run here, or false. */
export function unpackable(): string | false {
  if (!existsSync(join(ROOT, ".git"))) return "this is not a clone";
  if (which("npm").length === 0 || which("git").length === 0) return "npm or git is not installed";
  const seen = spawnSync("npm", ["view", `${NODE_PACKAGE}@24`, "version", "--json"], {
    env: { ...npmEnvironment(), PATH: process.env["PATH"], HOME: homedir() },
    encoding: "utf8",
    timeout: 15_000,
  });
  return seen.status === 0 ? false : "npm cannot reach its registry";
}

/** A Node.js of this machine that is too old for the agent, but new enough for npm. */
export function oldNode(): string | undefined {
  return which("node").find((node) => {
    const major = Number(/^v(\d+)/.exec(spawnSync(node, ["--version"], { encoding: "utf8" }).stdout)?.[1]);
    return major >= 18 && major < 24;
  });
}

/** A copy of this checkout's files, as in a fresh clone; their dates are kept. */
export function cloneInto(folder: string): void {
  const names = spawnSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
    cwd: ROOT,
    encoding: "utf8",
    maxBuffer: 1 << 26,
  }).stdout.split("\0");
  for (const name of names) {
    const stat = name === "" ? undefined : statSync(join(ROOT, name), { throwIfNoEntry: false });
    if (stat?.isFile() !== true) continue;
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    copyFileSync(join(ROOT, name), join(folder, name));
    chmodSync(join(folder, name), stat.mode);
    utimesSync(join(folder, name), stat.atime, stat.mtime);
  }
}

/** Packs a clone as `npm publish` would, with the dependencies of this checkout. */
export function packIn(
  clone: string,
  target: string,
): { readonly tarball: string; readonly manifest: { readonly before: string; readonly after: string } } {
  const modules = join(clone, "node_modules");
  mkdirSync(modules);
  for (const name of readdirSync(join(ROOT, "node_modules")))
    if (!name.startsWith(".hermes") && name !== "hermes-agent")
      symlinkSync(join(ROOT, "node_modules", name), join(modules, name));
  symlinkSync("..", join(modules, "hermes-agent")); // as npm links it: a link to ROOT would bundle its sources beside the clone's
  writeFileSync(join(modules, ".hermes-developer"), `${process.execPath}\n`);
  const before = readFileSync(join(clone, "package.json"), "utf8");
  const packed = spawnSync("npm", ["pack", "--silent", "--pack-destination", target], {
    cwd: clone,
    env: {
      ...npmEnvironment(),
      PATH: `${dirname(process.execPath)}${delimiter}${process.env["PATH"]}`,
      HOME: homedir(),
    },
    encoding: "utf8",
  });
  if (packed.status !== 0) throw new Error(`npm pack: ${packed.stdout}${packed.stderr}`);
  const tarball = readdirSync(target).find((name) => name.endsWith(".tgz"));
  if (tarball === undefined) throw new Error(`npm pack left no tarball: ${packed.stdout}${packed.stderr}`);
  return {
    tarball: join(target, tarball),
    manifest: { before, after: readFileSync(join(clone, "package.json"), "utf8") },
  };
}

export function which(program: string): readonly string[] {
  return (process.env["PATH"] ?? "")
    .split(delimiter)
    .map((folder) => join(folder, program))
    .filter((path) => statSync(path, { throwIfNoEntry: false })?.isFile() === true);
}
