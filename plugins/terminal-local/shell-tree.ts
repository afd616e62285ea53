import { alive, ChildList, descendants, groupMembers, hasMark, marked } from "./process-tree.ts";

/** Which processes belong to a shell: to what runs in it, to a copy of it, or left behind. */
export class ShellTree implements Disposable {
  readonly #pid: number;
  readonly #children: ChildList;
  readonly #watchdog: number;
  readonly #mark: string;
  readonly #ended: () => boolean;
  /** Copies of the shell that run, or have just run, a command. */
  readonly #copies = new Set<number>();
  /** Background commands that outlive the shell: id and number. */
  readonly #background = new Map<number, number>();

  /** @param mark In the environment of all that is started there. @param ended Whether the shell itself has. */
  constructor(pid: number, watchdog: number, mark: string, ended: () => boolean) {
    this.#pid = pid;
    this.#children = new ChildList(pid);
    this.#watchdog = watchdog;
    this.#mark = mark;
    this.#ended = ended;
  }

  /** The shell's own children, dead ones not yet collected included. Empty where the system keeps no list of them. */
  children(): number[] {
    return this.#children.now();
  }

  copied(pid: number): void {
    this.#copies.add(pid);
  }

  keep(id: number, pid: number): void {
    this.#background.set(id, pid);
  }

  unkeep(id: number): void {
    this.#background.delete(id);
  }

  /**
   * The shell, its watchdog and everything that was started there, except processes that are to outlive it.
   * @param unmarked For several checks in a row: processes that need no second check.
   */
  everything(unmarked: Set<number>): number[] {
    const own = this.#ended() ? [] : [this.#pid, ...descendants(this.#pid)];
    const spared = new Set([...this.#background].flatMap(([id, pid]) => this.ofCopy(pid, id)));
    return [...new Set([...own, ...marked(this.#mark, unmarked)])].filter((pid) => !spared.has(pid));
  }

  /** As `everything`, without the shell and its watchdog. */
  started(unmarked: Set<number>): number[] {
    return this.everything(unmarked).filter((pid) => pid !== this.#pid && pid !== this.#watchdog);
  }

  /**
   * Processes that the run in the shell itself started: everything below the shell except what was there before it and
   * what runs beside it.
   */
  ofRun(before: ReadonlySet<number>): number[] {
    if (this.#ended()) return [];
    const direct = this.children();
    if (direct.length === 0) return process.platform === "linux" ? [] : descendants(this.#pid);
    const roots = direct.filter((pid) => !before.has(pid) && !hasMark(pid, "HERMES_RUN="));
    return roots.flatMap((pid) => [pid, ...descendants(pid)]);
  }

  /** A copy of the shell, and all that came from its command. */
  ofCopy(pid: number, id: number): number[] {
    const strays = [...groupMembers(pid), ...marked(`HERMES_RUN=${id}`).filter((stray) => hasMark(stray, this.#mark))];
    return [
      ...new Set([
        ...(alive(pid) ? [pid, ...descendants(pid)] : []),
        ...strays.flatMap((stray) => [stray, ...descendants(stray)]),
      ]),
    ];
  }

  /** Children that are neither the watchdog nor a copy that runs a command. */
  strays(children: readonly number[] = this.children()): number[] {
    if (this.#ended()) return [];
    for (const pid of this.#copies) if (!children.includes(pid)) this.#copies.delete(pid);
    return children.filter((pid) => pid !== this.#watchdog && !this.#copies.has(pid) && alive(pid));
  }

  [Symbol.dispose](): void {
    this.#children[Symbol.dispose]();
  }
}
