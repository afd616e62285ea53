import { posix } from "node:path";
import { ToolFailure } from "../../contract/common/failure.ts";
import { hidesParent } from "./path-readings.ts";

const MAX_CHARS = 4096;

/**
 * The absolute path a file tool means: `~` and relative parts gone, links not followed. A leading `~` is a home only
 * alone, as `~/`, and as `~user/` of a user that exists; otherwise it belongs to a name.
 * @param homeOf The home of another user; `undefined` if there is none.
 * @throws {ToolFailure} `bad_arguments` for a name no file can have, or one that only a shell, a browser or another
 *   system understands.
 */
export function absolutePath(
  path: string,
  cwd: string,
  home: string,
  homeOf: (user: string) => string | undefined = () => undefined,
): string {
  if (path.includes("\0")) throw new ToolFailure("bad_arguments", "A path cannot contain a NUL character.");
  if (path.length > MAX_CHARS)
    throw new ToolFailure("bad_arguments", `A path of ${path.length} characters is too long for a file.`);
  const untrusted = UNTRUSTED.find(([looks]) => looks.test(path));
  if (untrusted)
    throw new ToolFailure("bad_arguments", `${JSON.stringify(path)} ${untrusted[1]}.`, {
      hint: "Give a path on this machine, absolute or relative to the working directory.",
    });
  if (hidesParent(path))
    throw new ToolFailure("bad_arguments", `${JSON.stringify(path)} disguises "..", the parent folder.`, {
      hint: 'Write ".." plainly, or give an absolute path.',
    });
  const open = withoutTilde(path, home, homeOf);
  const whole = posix.isAbsolute(open) ? posix.join(open) : posix.join(cwd, open);
  return whole.length > 1 && whole.endsWith("/") ? whole.slice(0, -1) : whole;
}

function withoutTilde(path: string, home: string, homeOf: (user: string) => string | undefined): string {
  const tilde = /^~([a-z_][\w.-]*)?(?:$|\/)/i.exec(path);
  if (tilde === null) return path;
  const user = tilde[1];
  if (user === undefined) return posix.join(home, path.slice(1));
  if (!path.includes("/")) return path;
  const other = user === posix.basename(home) ? home : homeOf(user);
  return other === undefined ? path : posix.join(other, path.slice(1 + user.length));
}

/** The home of a user in a password file, as `/etc/passwd`. */
export function homeInPasswords(passwords: string, user: string): string | undefined {
  const fields = passwords
    .split("\n")
    .map((line) => line.split(":"))
    .find(([name]) => name === user);
  const home = fields?.[5];
  return home !== undefined && posix.isAbsolute(home) ? home : undefined;
}

/** What would land as an odd name in the working directory, where something else was meant. */
const UNTRUSTED: readonly (readonly [looks: RegExp, what: string])[] = [
  [/^~[+-](\/|$)/, "uses a shell's notation for a folder, which file tools do not expand"],
  [/^[a-z]{2,}:\/\//i, "is a URL, not a path"],
  [/^file:/i, "is a URL, not a path"],
  [/^(\\\\|\/\/\?\/|[a-z]:[\\/])/i, "is a path of another operating system"],
];
