import { setTimeout as wait } from "node:timers/promises";
import { UserError, type CliIo } from "hermes-agent/plugin";
import type { Reach } from "./detached-elsewhere.ts";
import { LeftElsewhere } from "./detached-remote.ts";
import { endMachineTree } from "./machine-processes.ts";
import { readLog, readLogFrom } from "./output-log.ts";
import { plainText } from "hermes-agent/terminal";
import { identityOf, isAlive } from "./process-identity.ts";
import type { ProcessRequest, ProcessRow, ProcessTable } from "./process-table.ts";
import { psEntries, type PsEntry } from "./ps-list.ts";
import { psText } from "./ps-text.ts";

/** How long the agent that owns a process may take to handle a request. */
const AGENT_MS = 6_000;
const LOOK_MS = 50;
const PLACE_LOOK_MS = 1_000;
const PORTS_MS = 2_000;
/** How long connecting to an environment may take. */
const PLACE_MS = 3_000;
const SHOWN_LINES = 200;

export interface PsInput {
  readonly action?: string;
  readonly id?: string;
  readonly all?: boolean;
  readonly json?: boolean;
}

/** `hermes ps` and `/ps`: lists and controls processes from any program of the user. */
export class PsCommand {
  readonly #table: ProcessTable;
  readonly #mask: (text: string) => string;
  readonly #graceMs: number;
  readonly #left: LeftElsewhere;

  /**
   * @param graceMs Time between SIGTERM and SIGKILL. @param reach Connects to detached processes in remote
   * environments.
   */
  constructor(table: ProcessTable, mask: (text: string) => string, graceMs: number, reach: Reach) {
    this.#table = table;
    this.#left = new LeftElsewhere(table, reach);
    this.#mask = mask;
    this.#graceMs = graceMs;
  }

  async cli(input: PsInput, io: CliIo): Promise<number> {
    const { action = "list" } = input;
    if (action === "follow") return this.#follow(this.#find(input.id, action), io);
    if (action === "list") await this.#lookElsewhere();
    if (action === "list")
      io.out(
        input.json === true
          ? `${JSON.stringify(this.#entries(input.all).map(jsonOf))}\n`
          : psText(this.#entries(input.all)),
      );
    else
      io.out(
        `${input.json === true ? JSON.stringify(await this.#grip(action, input.id)) : (await this.#grip(action, input.id)).text}\n`,
      );
    return 0;
  }

  async slash(args: string): Promise<string> {
    const [action = "list", id] = args.split(/\s+/).filter((word) => word !== "");
    if (action === "list" || action === "all") await this.#lookElsewhere();
    if (action === "list" || action === "all") return psText(this.#entries(action === "all")).trimEnd();
    if (action === "follow") {
      const entry = this.#find(id, action);
      await this.#bring(entry);
      return this.#newest(entry) || "No output yet.";
    }
    return (await this.#grip(action, id)).text;
  }

  complete(): readonly string[] {
    return [
      "all",
      ...this.#entries(false).flatMap(({ id, row }) => [
        `stop ${id}`,
        ...(row === undefined ? [] : [`follow ${id}`, `keep ${id}`]),
      ]),
    ];
  }

  /**
   * Asks the agents, or the environments of detached processes, for the state and ports of remote processes. Does not
   * wait for one that does not answer.
   */
  async #lookElsewhere(): Promise<void> {
    const from = Date.now();
    const elsewhere = this.#table.all().filter((row) => row.end === null && row.identity === null);
    const asked = elsewhere.filter((row) => isAlive(row.owner));
    const looking = this.#left.lookAtAll(
      elsewhere.filter((row) => !isAlive(row.owner)),
      AbortSignal.timeout(PLACE_MS),
    );
    for (const { id } of asked) this.#table.ask(id, "look");
    const silent = () =>
      asked.filter(({ id }) => {
        const row = this.#table.read(id);
        return row !== undefined && row.end === null && (row.ports?.at ?? 0) < from;
      });
    while (silent().length > 0 && Date.now() - from < PORTS_MS) await wait(LOOK_MS);
    for (const { id } of silent()) this.#table.withdraw(id, "look");
    await looking;
  }

  #entries(ended = false): readonly PsEntry[] {
    return psEntries(this.#table, { ended }).map((entry) => ({ ...entry, command: this.#mask(entry.command) }));
  }

  async #grip(
    action: string,
    id: string | undefined,
  ): Promise<{ readonly id: string; readonly done: string; readonly text: string }> {
    if (action !== "stop" && action !== "keep")
      throw new UserError(`Unknown ps action "${action}".`, {
        hint: "Use list, follow, stop or keep.",
        exitCode: 2,
      });
    const entry = this.#find(id, action);
    if (entry.kind === "ended") throw new UserError(`${entry.id} has already ended.`);
    const text = action === "stop" ? await this.#stop(entry) : await this.#keep(entry);
    return { id: entry.id, done: action, text };
  }

  async #stop(entry: PsEntry): Promise<string> {
    const { row } = entry;
    if (row !== undefined && isAlive(row.owner)) {
      const after = await this.#asked(row, "stop", (now) => now.end !== null);
      if (after !== undefined) return `Stopped ${entry.id}.`;
    }
    if (row?.grip !== undefined) {
      await this.#left.stop(row, this.#graceMs);
      return `Stopped ${entry.id}.`;
    }
    const identity = row === undefined ? identityOf(entry.pid!) : row.identity;
    if (identity === null)
      throw new UserError(
        `Cannot stop ${entry.id}: its agent does not answer, and "${entry.place}" is reachable only through it.`,
        { hint: `End that agent (PID ${row?.owner.pid}); its processes there end with it.` },
      );
    if (identity !== undefined && !(await endMachineTree(identity, this.#graceMs)))
      throw new UserError(`${entry.id} survived SIGKILL.`, {
        hint: "It may belong to another user, or be stuck in the kernel.",
      });
    const last = row === undefined ? undefined : this.#table.read(row.id);
    if (last !== undefined && !isAlive(last.owner))
      this.#table.write({ ...last, end: { at: Date.now(), exitCode: -15, reason: "killed", source: "person" } });
    return `Stopped ${entry.id}.`;
  }

  async #keep(entry: PsEntry): Promise<string> {
    const { row } = entry;
    if (row === undefined || row.foreground === true)
      throw new UserError(`Cannot keep ${entry.id}: it is not a background process of an agent.`, {
        hint: "Only processes of the kind background can be kept.",
      });
    if (entry.kind === "kept") return `${entry.id} already outlives its agent.`;
    const after = isAlive(row.owner)
      ? await this.#asked(row, "keep", (now) => now.kept || now.end !== null || now.refusal !== null)
      : undefined;
    if (after === undefined)
      throw new UserError(`Cannot keep ${entry.id}: the Hermes process that runs it does not answer.`, {
        hint: "Try again later.",
      });
    if (after.end === null && after.refusal !== null) throw new UserError(`Cannot keep ${entry.id}: ${after.refusal}`);
    if (!after.kept) throw new UserError(`Cannot keep ${entry.id}: the process has ended.`);
    return `${entry.id} will continue after its agent ends. Stop it with: hermes ps stop ${entry.id}`;
  }

  /** Sends a request to the owner and waits for the row that it writes; `undefined` on a timeout. */
  async #asked(
    row: ProcessRow,
    request: ProcessRequest,
    done: (row: ProcessRow) => boolean,
  ): Promise<ProcessRow | undefined> {
    this.#table.ask(row.id, request);
    const until = performance.now() + AGENT_MS + this.#graceMs;
    while (performance.now() < until) {
      const now = this.#table.read(row.id);
      // Until the request is claimed, the row may still have the refusal of an earlier one.
      if (now === undefined || now.end !== null || (!this.#table.isAsked(row.id, request) && done(now))) return now;
      await wait(LOOK_MS);
    }
    this.#table.withdraw(row.id, request);
    return undefined;
  }

  async #follow(entry: PsEntry, io: CliIo): Promise<number> {
    await this.#bring(entry);
    const shown = this.#newest(entry);
    if (shown !== "") io.out(`${shown}\n`);
    const file = this.#table.logFile(entry.id);
    let { at } = readLogFrom(file, Number.MAX_SAFE_INTEGER);
    for (let over = false; !over && !io.signal.aborted;) {
      const row = this.#table.read(entry.id);
      over = row === undefined || row.end !== null;
      const next = readLogFrom(file, at);
      at = next.at;
      if (next.text !== "") io.out(plainText(this.#mask(next.text)));
      else if (!over) {
        await wait(row?.grip === undefined ? LOOK_MS * 4 : PLACE_LOOK_MS, undefined, { signal: io.signal }).catch(
          () => {},
        ); // Ctrl-C ends the following, not the process.
        await this.#bring(entry);
      }
    }
    return 0;
  }

  /** The output of a remote process. */
  async #bring({ id }: PsEntry): Promise<void> {
    const row = this.#table.read(id);
    if (row !== undefined && row.end === null && row.grip !== undefined) await this.#left.look(row);
  }

  #newest(entry: PsEntry): string {
    if (entry.row === undefined)
      throw new UserError(`Cannot follow ${entry.id}: Hermes does not store the output of this process.`, {
        hint: "Choose a process whose ID begins with proc_; `hermes ps` lists them.",
      });
    return plainText(this.#mask(readLog(this.#table.logFile(entry.id))))
      .trimEnd()
      .split("\n")
      .slice(-SHOWN_LINES)
      .join("\n");
  }

  #find(id: string | undefined, action: string): PsEntry {
    const entries = this.#entries(true);
    if (id === undefined || id === "")
      throw new UserError(`ps ${action} needs an ID.`, { hint: "List the IDs with: hermes ps", exitCode: 2 });
    const found = entries.filter((entry) => entry.id === id);
    const begun =
      found.length > 0
        ? found
        : entries.filter(
            (entry) =>
              entry.id.startsWith(id) ||
              entry.id.startsWith(`proc_${id}`) ||
              (String(entry.pid) === id && entry.kind !== "ended"),
          );
    if (begun.length === 1) return begun[0]!;
    throw new UserError(
      begun.length === 0
        ? `No running process has the ID "${id}".`
        : `"${id}" is ambiguous: ${begun.length} IDs begin with it.`,
      { hint: "List the IDs with: hermes ps", exitCode: 2 },
    );
  }
}

function jsonOf({ row, ...entry }: PsEntry) {
  const agent = row === undefined ? null : { pid: row.owner.pid, alive: isAlive(row.owner) };
  return {
    ...entry,
    ageSeconds: Math.max(0, Math.round((Date.now() - entry.startedAt) / 1_000)),
    agent,
    end: row?.end ?? null,
  };
}
