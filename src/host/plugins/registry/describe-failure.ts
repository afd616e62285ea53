/** Describes an error of a plugin's own code by its type and line: `ValueError: no such city (tools.py:12)`. */
export function whatFailed(cause: unknown, dir: string): string {
  if (!(cause instanceof Error)) return String(cause);
  const missing = missingNpmPackage(cause);
  if (missing !== undefined)
    return `it needs the npm package ${missing}, which is not installed${placeOfImport(dir, cause)}`;
  const type = typeOf(cause);
  const place = placeIn(dir, cause);
  // Some errors already name the location, such as a file that cannot be parsed.
  const [file = ""] = place.slice(2).split(":");
  return `${type === "" ? "" : `${type}: `}${cause.message}${file !== "" && cause.message.includes(file) ? "" : place}`;
}

/** The module that a Python plugin imports and its Python does not have. */
export function missingModule(cause: unknown): string | undefined {
  for (let one = cause; one instanceof Error; one = one.cause) {
    const found = /^No module named '([\w.]+)'/.exec(one.message);
    if (found !== null) return found[1];
  }
  return undefined;
}

const NO_PACKAGE = /^Cannot find (?:package|module) '((?:@[^/']+\/)?[^./'][^/']*)[^']*' imported from (\S+)/;

/** The npm package that a plugin imports and Node does not find. */
export function missingNpmPackage(cause: unknown): string | undefined {
  for (let one = cause; one instanceof Error; one = one.cause) {
    const found = NO_PACKAGE.exec(one.message);
    if (found !== null) return found[1];
  }
  return undefined;
}

/** The file of the plugin that imports it. */
function placeOfImport(dir: string, cause: Error): string {
  for (let one: unknown = cause; one instanceof Error; one = one.cause) {
    const file = NO_PACKAGE.exec(one.message)?.[2];
    if (file !== undefined) return file.startsWith(`${dir}/`) ? ` (${file.slice(dir.length + 1)})` : "";
  }
  return "";
}

/** Omits types without information: our own, whose message is complete, and the plain ones. */
function typeOf(cause: unknown): string {
  for (let one = cause; one instanceof Error; one = one.cause) {
    if (!["Error", "UserError", "ToolFailure", "HostGone", "PeerError", "RuntimeError", "Exception"].includes(one.name))
      return one.name;
  }
  return "";
}

/** ` (index.ts:12:3)`, the plugin's own line of the error: the first in a stack of Node, the last in one of Python. */
function placeIn(dir: string, cause: unknown): string {
  for (let one = cause; one instanceof Error; one = one.cause) {
    const own = (one.stack ?? "").split("\n").filter((line) => line.includes(`${dir}/`));
    const python = own
      .map((line) => /File "(?:[^"]*\/)?([^"/]+)", line (\d+)/.exec(line))
      .findLast((found) => found !== null);
    if (python !== undefined) return ` (${python[1]}:${python[2]})`;
    const found = /([^/\s(]+?)(?:\?[^:]*)?:(\d+)(?::(\d+))?\)?$/.exec(own[0] ?? "");
    if (found !== null) return ` (${found[1]}:${found[2]}${found[3] === undefined ? "" : `:${found[3]}`})`;
  }
  return "";
}
