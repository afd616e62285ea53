import type { Program } from "./call.ts";
import { LATER, type LaterTable } from "./later-programs.ts";
import { PartMissing } from "./part-missing.ts";
import { BUILTINS } from "./programs/builtins.ts";
import { FILES } from "./programs/files.ts";
import { FIND } from "./programs/find.ts";
import { READERS } from "./programs/readers.ts";
import { VIEWERS } from "./programs/viewers.ts";
import { WRAPPERS } from "./programs/wrappers.ts";

/** Tables that tell most of their programs by the words they are given: the words are looked at once more for what they say of any program. */
const BY_WORDS = new Set<LaterTable>([
  "clouds",
  "databases",
  "systems",
  "administration",
  "runners",
  "vaults",
  "repositories",
  "tunnels",
  "remote",
  "machine",
  "containers",
]);
/** Of these every word is understood. */
const UNDERSTOOD = new Set(
  "kill pkill killall skill killall5 xkill docker podman nerdctl docker-compose podman-compose kubectl oc k3s microk8s k".split(
    " ",
  ),
);

export function lookedAtAgain(name: string): "all" | "secrets" | undefined {
  const table = ownerOf(name);
  if (table === undefined || !BY_WORDS.has(table)) return undefined;
  return UNDERSTOOD.has(name) ? "secrets" : "all";
}

/** So many names are looked for in the lists as they stand: a start that meets a few of them makes no map of two thousand. */
const FEW = 100;
let asked = 0;
let owners: ReadonlyMap<string, LaterTable> | undefined;

function ownerOf(name: string): LaterTable | undefined {
  if (owners === undefined && ++asked > FEW)
    owners = new Map(TABLES.flatMap((table) => LATER[table].split(/\s+/).map((one) => [one, table] as const)));
  return owners === undefined ? TABLES.find((table) => holds(LATER[table], name)) : owners.get(name);
}

const TABLES = Object.keys(LATER) as LaterTable[];

/** Does the list of words, between spaces and line ends, have this one? */
function holds(list: string, word: string): boolean {
  for (let at = list.indexOf(word); at >= 0; at = list.indexOf(word, at + 1)) {
    const before = at === 0 ? " " : list[at - 1]!;
    const after = list[at + word.length] ?? " ";
    if ((before === " " || before === "\n") && (after === " " || after === "\n")) return true;
  }
  return false;
}

/** Always there; the last one that has a program has it. */
const BASE: readonly Readonly<Record<string, Program>>[] = [BUILTINS, WRAPPERS, FIND, FILES, VIEWERS, READERS];
const LOADED = new Map<string, Program>();

function known(name: string): Program | undefined {
  const loaded = LOADED.get(name);
  if (loaded !== undefined) return loaded;
  for (const table of BASE) if (Object.hasOwn(table, name)) return table[name];
  return undefined;
}

const LOADERS: { readonly [table in LaterTable]: () => Promise<Readonly<Record<string, Program>>> } = {
  interpreters: async () => (await import("./programs/interpreters.ts")).INTERPRETERS,
  packages: async () => (await import("./programs/packages.ts")).PACKAGES,
  git: async () => (await import("./programs/git.ts")).GIT,
  containers: async () => (await import("./programs/containers.ts")).CONTAINERS,
  remote: async () => (await import("./programs/remote.ts")).REMOTE_PROGRAMS,
  machine: async () => (await import("./programs/machine.ts")).MACHINE,
  fetchers: async () => (await import("./programs/fetchers.ts")).FETCHERS,
  power: async () => (await import("./programs/power.ts")).POWER_TOOLS,
  disks: async () => (await import("./programs/disks.ts")).DISKS,
  databases: async () => (await import("./programs/databases.ts")).DATABASES,
  clouds: async () => (await import("./programs/clouds.ts")).CLOUDS,
  systems: async () => (await import("./programs/systems.ts")).SYSTEMS,
  shares: async () => (await import("./programs/shares.ts")).SHARES,
  tunnels: async () => (await import("./programs/tunnels.ts")).TUNNELS,
  administration: async () => (await import("./programs/administration.ts")).ADMINISTRATION,
  runners: async () => (await import("./programs/runners.ts")).RUNNERS,
  vaults: async () => (await import("./programs/vaults.ts")).VAULTS,
  repositories: async () => (await import("./programs/repositories.ts")).REPOSITORIES,
  carriers: async () => (await import("./programs/carriers.ts")).CARRIERS,
  archives: async () => (await import("./programs/archives.ts")).ARCHIVES,
};

export async function loadTable(table: LaterTable): Promise<void> {
  const programs = await LOADERS[table]();
  for (const name of LATER[table].split(/\s+/)) LOADED.set(name, programs[name]!);
}

/** The tables whose names stand in the text: loaded at once they save a second start. */
export function tablesNamed(text: string): readonly LaterTable[] {
  const tables = new Set<LaterTable>();
  for (const [word] of text.slice(0, 2000).matchAll(/[A-Za-z][\w.+-]*/g)) {
    if (known(word) !== undefined) continue;
    const table = ownerOf(word) ?? ownerOf(word.toLowerCase());
    if (table !== undefined) tables.add(table);
  }
  return [...tables];
}

/** What is known of a program; undefined for everybody else's. Versions and variants share an entry: `python3.12`, `mkfs.ext4`. */
export function findProgram(name: string, platform: "linux" | "darwin" | "win32"): Program | undefined {
  const exact = entry(name) ?? (platform === "linux" ? undefined : entry(name.toLowerCase()));
  if (exact) return exact;
  if (name.startsWith("mkfs.")) return entry("mkfs");
  // PowerShell's own names come in any case.
  if (/^[A-Z][A-Za-z]*-[A-Z]/.test(name)) return entry(name.toLowerCase());
  const versioned = /^([a-z+]+?)-?\d+(\.\d+)*$/.exec(name);
  return versioned ? entry(versioned[1]!) : undefined;
}

function entry(name: string): Program | undefined {
  const program = known(name);
  if (program !== undefined) return program;
  const table = ownerOf(name);
  if (table !== undefined) throw new PartMissing(table, () => loadTable(table));
  return undefined;
}
