import { tmpdir } from "node:os";
import { join } from "node:path";
import { real } from "./look.ts";

/**
 * Package caches in the home: what builds and installs write, and nothing that runs by its name. Programs that such
 * tools install (`~/.cargo/bin`, `~/.local/bin`, `~/go/bin`) are not among them.
 */
export const CACHES: readonly string[] = [
  ".cache",
  ".npm",
  ".yarn/berry/cache",
  ".pnpm-store",
  ".local/share/pnpm/store",
  ".bun/install/cache",
  ".node-gyp",
  ".cargo/registry",
  ".cargo/git",
  "go/pkg/mod",
  ".gradle/caches",
  ".gradle/wrapper",
  ".gradle/daemon",
  ".gradle/native",
  ".m2/repository",
  ".ivy2/cache",
  ".sbt/boot",
  ".nuget/packages",
  ".composer/cache",
  ".gem/specs",
  ".bundle/cache",
  ".hex",
  ".pub-cache/hosted",
  ".conan2/p",
  ".ccache",
  ".terraform.d/plugin-cache",
  "Library/Caches",
];

/** Of these a missing one is made, since a tool's first run would make it. */
export const COMMON_CACHES: readonly string[] = [".cache", ".npm"];

/**
 * In a cache, and yet nothing to write: the agent's compiled code, and the Node that was fetched for it, run at the
 * next start, outside every sandbox. Where XDG_CACHE_HOME says otherwise, there too.
 */
export function agentCaches(home: string, { XDG_CACHE_HOME }: NodeJS.ProcessEnv): readonly string[] {
  return [join(home, ".cache"), ...(XDG_CACHE_HOME ? [XDG_CACHE_HOME] : [])].map((cache) =>
    join(cache, "hermes-agent"),
  );
}

/** Parts of the agent's home whose paths commands receive: skills with their scripts, long results. */
export const READABLE_STATE: readonly string[] = ["skills", "cache/results"];

/** Folders for temporary files, which the file tools and other programs share with commands. */
export function TEMPORARY(): readonly string[] {
  return ["/tmp", tmpdir()].flatMap((path) => real(path) ?? []);
}
