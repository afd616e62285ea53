/** Folders that a package manager, a build or a version control system makes anew, and that are large. Everything else is kept, ignored files too. */
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

/** Of them names that people use too: what lies beside such a folder when a build has made it. */
export const BUILT_BESIDE: ReadonlyMap<string, readonly string[]> = new Map([
  ["target", ["Cargo.toml", "pom.xml", "build.sbt"]],
]);
