import { posix } from "node:path";
import { ToolFailure } from "../../contract/common/failure.ts";

const MAX_CHARS = 4096;

/**
 * The absolute path a file tool means: `~` and relative parts gone, links not followed.
 * @throws {ToolFailure} `bad_arguments` for a name no file can have, or one that only a shell, a browser or another
 *   system understands.
 */
export function absolutePath(path: string, cwd: string, home: string): string {
  if (path.includes("\0")) throw new ToolFailure("bad_arguments", "A path cannot contain a NUL character.");
  if (path.length > MAX_CHARS)
    throw new ToolFailure("bad_arguments", `A path of ${path.length} characters is too long for a file.`);
  const untrusted = UNTRUSTED.find(([looks]) => looks.test(path));
  if (untrusted)
    throw new ToolFailure("bad_arguments", `${JSON.stringify(path)} ${untrusted[1]}.`, {
      hint: "Give a path on this machine, absolute or relative to the working directory.",
    });
  const open = path === "~" ? home : path.startsWith("~/") ? posix.join(home, path.slice(2)) : path;
  const whole = posix.isAbsolute(open) ? posix.join(open) : posix.join(cwd, open);
  return whole.length > 1 && whole.endsWith("/") ? whole.slice(0, -1) : whole;
}

/** What would land as an odd name in the working directory, where something else was meant. */
const UNTRUSTED: readonly (readonly [looks: RegExp, what: string])[] = [
  [
    /^~[a-z_][\w.-]*(\/|$)|^~[+-](\/|$)/i,
    "uses a shell's notation for a home directory, which file tools do not expand",
  ],
  [/^[a-z]{2,}:\/\//i, "is a URL, not a path"],
  [/^file:/i, "is a URL, not a path"],
  [/^(\\\\|\/\/\?\/|[a-z]:[\\/])/i, "is a path of another operating system"],
];
