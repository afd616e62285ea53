/**
 * Large folders that a package manager, a build or a version control system can recreate. Checkpoints save everything
 * else, also ignored files.
 */
export const EXCLUDED_NAMES: ReadonlySet<string> = new Set([
  ".git",
  ".hg",
  ".svn",
  ".jj",
  "node_modules",
  "bower_components",
  ".pnpm-store",
  ".yarn",
  ".venv",
  "venv",
  "__pycache__",
  ".tox",
  ".nox",
  ".mypy_cache",
  ".pytest_cache",
  ".ruff_cache",
  ".eggs",
  ".gradle",
  ".m2",
  ".cargo",
  ".rustup",
  "target",
  "Pods",
  "DerivedData",
  ".terraform",
  ".next",
  ".nuxt",
  ".turbo",
  ".parcel-cache",
  ".cache",
]);

/**
 * Names that users also give their own folders, with the files next to such a folder when a build made
 * it.
 */
export const BUILT_BESIDE: ReadonlyMap<string, readonly string[]> = new Map([
  ["target", ["Cargo.toml", "pom.xml", "build.sbt"]],
]);
