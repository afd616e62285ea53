import type { Program } from "../evaluate/call.ts";
import { LATER, type LaterTable } from "../evaluate/later-programs.ts";
import { PartMissing } from "../evaluate/part-missing.ts";
import { BUILTINS } from "./builtins.ts";
import { FILES } from "./files.ts";
import { FIND } from "./find.ts";
import { READERS } from "./readers.ts";
import { VIEWERS } from "./viewers.ts";
import { WRAPPERS } from "./wrappers.ts";

/**
 * Tables that know a program only by some of its words. All its words are also judged like those of an unknown program.
 */
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
/** Programs whose function understands every argument, so that only secrets are searched for. */
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

/** Tables whose programs say themselves what they connect to, or whose words are program texts. */
const OWN_CONNECTIONS = new Set<LaterTable>(["git", "fetchers", "interpreters", "remote"]);

/** Whether the words of a program belong to the command that it runs: wrappers, shells, find. */
export const runsItsWords = remembered(
  (name) => Object.hasOwn(WRAPPERS, name) || Object.hasOwn(FIND, name) || ownerOf(name) === "carriers",
);

/** Whether a URL among the words of a program may be an address that it connects to. */
export const mayConnect = remembered((name) => {
  if (BASE.some((table) => Object.hasOwn(table, name))) return false;
  const table = ownerOf(name);
  return table === undefined || !OWN_CONNECTIONS.has(table);
});

/** Keeps the answers for the names that occurred; there are few, and a script may hold many of its own. */
function remembered(answer: (name: string) => boolean): (name: string) => boolean {
  const known = new Map<string, boolean>();
  return (name) => {
    let found = known.get(name);
    if (found === undefined) {
      found = answer(name);
      if (known.size < 500) known.set(name, found);
    }
    return found;
  };
}

/**
 * The first names are searched in the lists. A run that needs only a few does not build the map of two thousand names.
 */
const FEW = 100;
let asked = 0;
let owners: ReadonlyMap<string, LaterTable> | undefined;

function ownerOf(name: string): LaterTable | undefined {
  if (owners === undefined && ++asked > FEW)
    owners = new Map(TABLES.flatMap((table) => LATER[table].split(/\s+/).map((one) => [one, table] as const)));
  return owners === undefined ? TABLES.find((table) => holds(LATER[table], name)) : owners.get(name);
}

const TABLES = Object.keys(LATER) as LaterTable[];

/** Whether a list of words, separated by blanks or line ends, contains this one. */
function holds(list: string, word: string): boolean {
  for (let at = list.indexOf(word); at >= 0; at = list.indexOf(word, at + 1)) {
    const before = at === 0 ? " " : list[at - 1]!;
    const after = list[at + word.length] ?? " ";
    if ((before === " " || before === "\n") && (after === " " || after === "\n")) return true;
  }
  return false;
}

/** Tables that are always loaded. The first table with the program wins. */
const BASE: readonly Readonly<Record<string, Program>>[] = [BUILTINS, WRAPPERS, FIND, FILES, VIEWERS, READERS];
const LOADED = new Map<string, Program>();

function known(name: string): Program | undefined {
  const loaded = LOADED.get(name);
  if (loaded !== undefined) return loaded;
  for (const table of BASE) if (Object.hasOwn(table, name)) return table[name];
  return undefined;
}

const LOADERS: { readonly [table in LaterTable]: () => Promise<Readonly<Record<string, Program>>> } = {
  interpreters: async () => (await import("./interpreters.ts")).INTERPRETERS,
  packages: async () => (await import("./packages.ts")).PACKAGES,
  git: async () => (await import("./git.ts")).GIT,
  containers: async () => (await import("./containers.ts")).CONTAINERS,
  remote: async () => (await import("./remote.ts")).REMOTE_PROGRAMS,
  machine: async () => (await import("./machine.ts")).MACHINE,
  fetchers: async () => (await import("./fetchers.ts")).FETCHERS,
  power: async () => (await import("./power.ts")).POWER_TOOLS,
  disks: async () => (await import("./disks.ts")).DISKS,
  databases: async () => (await import("./databases.ts")).DATABASES,
  clouds: async () => (await import("./clouds.ts")).CLOUDS,
  systems: async () => (await import("./systems.ts")).SYSTEMS,
  shares: async () => (await import("./shares.ts")).SHARES,
  tunnels: async () => (await import("./tunnels.ts")).TUNNELS,
  administration: async () => (await import("./administration.ts")).ADMINISTRATION,
  runners: async () => (await import("./runners.ts")).RUNNERS,
  vaults: async () => (await import("./vaults.ts")).VAULTS,
  repositories: async () => (await import("./repositories.ts")).REPOSITORIES,
  carriers: async () => (await import("./carriers.ts")).CARRIERS,
  archives: async () => (await import("./archives.ts")).ARCHIVES,
};

export async function loadTable(table: LaterTable): Promise<void> {
  const programs = await LOADERS[table]();
  for (const name of LATER[table].split(/\s+/)) LOADED.set(name, programs[name]!);
}

/** The tables of the programs in the text. Loading them first avoids judging the text twice. */
export function tablesNamed(text: string): readonly LaterTable[] {
  const tables = new Set<LaterTable>();
  for (const [word] of text.slice(0, 2000).matchAll(/[A-Za-z][\w.+-]*/g)) {
    if (known(word) !== undefined) continue;
    const table = ownerOf(word) ?? ownerOf(word.toLowerCase());
    if (table !== undefined) tables.add(table);
  }
  return [...tables];
}

/**
 * The table entry of a program, or undefined. Versions and variants share an entry: `python3.12`, `mkfs.ext4`.
 */
export function findProgram(name: string, platform: "linux" | "darwin" | "win32"): Program | undefined {
  const exact = entry(name) ?? (platform === "linux" ? undefined : entry(name.toLowerCase()));
  if (exact) return exact;
  if (name.startsWith("mkfs.")) return entry("mkfs");
  // Names of PowerShell ignore case.
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
