import { delimiter, join } from "node:path";

const ALLOWED = new Set(["PATH", "HOME", "USER", "LANG", "LC_ALL", "TERM", "SHELL", "TMPDIR"]);

/** What a server sees of the agent's environment: what every program needs, and what its entry declares. Never a secret that nobody gave it. */
export function serverEnvironment(
  from: NodeJS.ProcessEnv,
  declared: { readonly [name: string]: string },
  agentHome: string,
): { readonly [name: string]: string } {
  const saved: { [name: string]: string } = {};
  for (const [name, value] of Object.entries(from))
    if (value !== undefined && (ALLOWED.has(name) || name.startsWith("XDG_"))) saved[name] = value;
  // Where node, npx and uvx lie for people whose start-up files would have told.
  const more = [
    join(agentHome, "node", "bin"),
    ...(saved["HOME"] === undefined ? [] : [join(saved["HOME"], ".local", "bin")]),
    "/usr/local/bin",
  ];
  const path = saved["PATH"] ?? "/usr/bin:/bin";
  saved["PATH"] = [path, ...more.filter((folder) => !path.split(delimiter).includes(folder))].join(delimiter);
  return { ...saved, ...declared };
}
