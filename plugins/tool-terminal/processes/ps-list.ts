import { machineProcesses, portsOf, treeOf, type MachineProcess } from "./machine-processes.ts";
import type { ProcessRow, ProcessTable } from "./process-table.ts";

/** A process that the agent, or one of its commands, has started. */
export interface PsEntry {
  /** `proc_…`, or the PID of a process without a row. */
  readonly id: string;
  /**
   * `background`: managed by its agent. `kept`: outlives its agent. `command`: runs in a terminal now, or was left
   * behind there. `stray`: its terminal no longer exists. `ended`: only on request.
   */
  readonly kind: "background" | "kept" | "command" | "stray" | "ended";
  readonly pid: number | null;
  /** TCP ports on which it or its children listen. */
  readonly ports: readonly number[];
  /** Epoch ms. */
  readonly startedAt: number;
  readonly place: string;
  readonly session: string | null;
  readonly cwd: string | null;
  readonly command: string;
  readonly exitCode: number | null;
  readonly row: ProcessRow | undefined;
}

/**
 * Running processes that agents of this home have started, those with a row first. Without /proc, only those with a
 * row.
 */
export function psEntries(table: ProcessTable, options: { readonly ended?: boolean } = {}): readonly PsEntry[] {
  const all = machineProcesses();
  const seen = new Set<number>(ownChain(all));
  const rows = table.all();
  const listed = rows
    .filter((row) => row.end === null || options.ended === true)
    .map((row) => {
      const tree = row.end === null && row.identity !== null ? treeOf(row.identity.pid, all) : [];
      for (const pid of tree) seen.add(pid);
      return entryOf(row, row.end === null && row.identity === null ? (row.ports?.tcp ?? []) : portsOf(tree));
    });
  return [...listed, ...unlisted(all, table.home, seen)];
}

function entryOf(row: ProcessRow, ports: readonly number[]): PsEntry {
  const kind = row.end !== null ? "ended" : row.foreground === true ? "command" : row.kept ? "kept" : "background";
  return {
    id: row.id,
    kind,
    pid: row.pid,
    ports,
    startedAt: row.startedAt,
    place: row.backend,
    session: row.sessionId,
    cwd: row.cwd,
    command: row.command,
    exitCode: row.end?.exitCode ?? null,
    row,
  };
}

/** Processes with the mark of a terminal of this home that belong to no listed one: one entry for each tree. */
function unlisted(all: readonly MachineProcess[], home: string, seen: ReadonlySet<number>): readonly PsEntry[] {
  const own = all.filter((one) => one.home === home);
  const byPid = new Map(own.map((one) => [one.pid, one]));
  const marked = (pid: number): MachineProcess | undefined => {
    const one = byPid.get(pid);
    return one?.terminal === undefined ? undefined : one;
  };
  return own.flatMap((one) => {
    if (one.terminal === undefined || seen.has(one.pid) || isShell(one)) return [];
    const parent = marked(one.parent);
    if (parent !== undefined && !isShell(parent)) return [];
    const tree = treeOf(one.pid, all);
    return [
      {
        id: String(one.pid),
        kind: parent === undefined ? "stray" : "command",
        pid: one.pid,
        ports: portsOf(tree),
        startedAt: one.startedAt,
        place: "local",
        session: one.task?.split(" ")[0] ?? null,
        cwd: null,
        command: one.command,
        exitCode: null,
        row: undefined,
      } satisfies PsEntry,
    ];
  });
}

/** Whether it is a terminal's shell or a fork of it. */
function isShell(one: MachineProcess): boolean {
  return /^\S*bash --norc --noprofile$/.test(one.command);
}

/** This process and its ancestors, which the list omits. */
function ownChain(all: readonly MachineProcess[]): readonly number[] {
  const byPid = new Map(all.map((one) => [one.pid, one]));
  const chain: number[] = [];
  for (let pid = process.pid; pid > 1 && !chain.includes(pid); pid = byPid.get(pid)?.parent ?? 0) chain.push(pid);
  return chain;
}
