/** What is made anew by a package manager, a build or a version control system, and is large. Everything else is kept, ignored files too. */
export const EXCLUDED_NAMES: ReadonlySet<string> = new Set([
  ".git", ".hg", ".svn", ".jj",
  "node_modules", "bower_components", ".pnpm-store", ".yarn",
  ".venv", "venv", "__pycache__", ".tox", ".nox", ".mypy_cache", ".pytest_cache", ".ruff_cache", ".eggs",
  ".gradle", ".m2", ".cargo", ".rustup", "target", "Pods", "DerivedData", ".terraform",
  ".next", ".nuxt", ".turbo", ".parcel-cache", ".cache",
]);
