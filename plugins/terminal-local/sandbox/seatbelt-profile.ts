import type { Profile } from "./profile.ts";

/**
 * The sandbox profile for macOS, in the language of `sandbox-exec`, where the last rule that matches decides. macOS
 * checks names, not mounts, so protected names need not exist.
 */
export function seatbeltProfile(profile: Profile, own: string, pipes: string): string {
  const writable = [...profile.write, ...profile.write.flatMap(privateName), "/dev"];
  return [
    "(version 1)",
    "(allow default)",
    "(deny file-write*)",
    `(allow file-write* ${subpaths(writable)})`,
    rule("deny file-read* file-write*", subpaths([...profile.hideFolders, pipes])),
    rule("deny file-read* file-write*", literals(profile.hideFiles)),
    rule("allow file-read*", subpaths(profile.show.filter((path) => !profile.write.includes(path)))),
    rule(
      "allow file-read* file-write*",
      subpaths([...profile.show.filter((path) => profile.write.includes(path)), own]),
    ),
    rule("deny file-write*", subpaths([...profile.keep, ...profile.placeholders])),
    String.raw`(deny file-write* (regex #"/\.git/hooks(/|$)") (regex #"/\.git/config$"))`,
    // A process that can talk to these can do everything that they can do.
    "(deny network-outbound (remote unix-socket))",
    '(deny mach-lookup (global-name "com.apple.SecurityServer"))',
    ...(profile.network === "open" ? [] : ["(deny network*)"]),
    "",
  ]
    .filter((line, index, all) => line !== "" || index === all.length - 1)
    .join("\n");
}

/** `/tmp` is a link there, and rules see where it leads. */
function privateName(path: string): readonly string[] {
  return /^\/(tmp|var)(\/|$)/.test(path) ? [`/private${path}`] : [];
}

function rule(head: string, places: string): string {
  return places === "" ? "" : `(${head} ${places})`;
}

function subpaths(paths: readonly string[]): string {
  return paths.map((path) => `(subpath ${text(path)})`).join(" ");
}

function literals(paths: readonly string[]): string {
  return paths.map((path) => `(literal ${text(path)})`).join(" ");
}

function text(path: string): string {
  return `"${path.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;
}
