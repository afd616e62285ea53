import { delimiter, join } from "node:path";

const ALLOWED = new Set(["PATH", "HOME", "USER", "LANG", "LC_ALL", "TERM", "SHELL", "TMPDIR"]);

/** The environment of a server: basic variables and those that its entry declares. Never another secret. */
export function serverEnvironment(
  from: NodeJS.ProcessEnv,
  declared: { readonly [name: string]: string },
  agentHome: string,
): { readonly [name: string]: string } {
  const saved: { [name: string]: string } = {};
  for (const [name, value] of Object.entries(from))
    if (value !== undefined && (ALLOWED.has(name) || name.startsWith("XDG_"))) saved[name] = value;
  // Usual locations of node, npx and uvx, for users whose shell start-up files would have added them to PATH.
  const more = [
    join(agentHome, "node", "bin"),
    ...(saved["HOME"] === undefined ? [] : [join(saved["HOME"], ".local", "bin")]),
    "/usr/local/bin",
  ];
  const path = saved["PATH"] ?? "/usr/bin:/bin";
  saved["PATH"] = [path, ...more.filter((folder) => !path.split(delimiter).includes(folder))].join(delimiter);
  return { ...saved, ...declared };
}
