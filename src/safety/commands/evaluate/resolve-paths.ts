import { posix } from "node:path";
import { MANY, UNKNOWN } from "../parse/marks.ts";
import type { ShellState } from "../parse/state.ts";

/** Every absolute path the text may mean; it starts with a mark where the beginning is not known. */
export function resolvePaths(text: string, state: ShellState): readonly string[] {
  state.budget.spend(3 + (4 + text.length / 30) * state.cwds.length);
  if (text.startsWith("/")) return absolute(clean(text), state);
  const first = text.charCodeAt(0);
  if (first >= 0xe000 && first < 0xe008) return [text.replaceAll(MANY, "")];
  return [
    ...new Set(
      state.cwds.map((cwd) => (cwd === undefined ? `${UNKNOWN}/${text}` : outside(clean(`${cwd}/${text}`), state))),
    ),
  ];
}

/** `/proc/self/root` is the root, `/proc/self/cwd` the working directory. */
function absolute(path: string, state: ShellState): readonly string[] {
  const alias = path.startsWith("/proc/")
    ? /^\/proc\/(?:self|thread-self|\d+|[\uE000-\uE00F]+)(?:\/task\/[^/]+)?\/(root|cwd)(\/.*|$)/.exec(path)
    : null;
  if (alias === null) return [outside(path, state)];
  return alias[1] === "root" ? absolute(alias[2] || "/", state) : resolvePaths(alias[2]!.slice(1) || ".", state);
}

/** As seen from outside the container, when the command runs in one. */
function outside(path: string, state: ShellState): string {
  for (const mount of state.mounts ?? []) {
    state.budget.spend(1);
    if (path === mount.inside || path.startsWith(mount.inside === "/" ? "/" : `${mount.inside}/`))
      return clean(`${mount.outside}/${path.slice(mount.inside.length)}`);
  }
  return state.mounts ? `${UNKNOWN}container:${path}` : path;
}

function clean(path: string): string {
  const normal = posix.normalize(path.replaceAll(MANY, "")).replace(/^\/\/+/, "/");
  return normal.length > 1 && normal.endsWith("/") ? normal.slice(0, -1) : normal;
}
