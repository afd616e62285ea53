/** How a command in the shell ended. `left`: it left the shell, so that another one has taken its place. */
export interface Report {
  readonly kind: "done" | "left";
  readonly code: number;
  /** Where the shell is now. Empty when it does not say. */
  readonly cwd: string;
}

/** Reports that a shell sends through its control pipe: how commands end, and steps on the way. */
export class ShellReports {
  readonly #reports = new Map<number, (report: Report) => void>();
  readonly #notices = new Map<string, (words: string[]) => void>();
  readonly #each: (report: Report) => void;
  #rest = "";

  /** @param each Called with every report, before those that wait for it. */
  constructor(each: (report: Report) => void) {
    this.#each = each;
  }

  report(id: number): Promise<Report> {
    return new Promise((resolve) => this.#reports.set(id, resolve));
  }

  notice(kind: string, id: number): Promise<string[]> {
    return new Promise((resolve) => this.#notices.set(`${kind} ${id}`, resolve));
  }

  forget(id: number): void {
    this.#reports.delete(id);
  }

  receive(bytes: Uint8Array): void {
    const lines = (this.#rest + Buffer.from(bytes).toString("latin1")).split("\0");
    this.#rest = lines.pop()!;
    for (const line of lines) {
      const [kind = "", id = "", ...words] = Buffer.from(line, "latin1").toString("utf8").split(" ");
      if (kind === "done" || kind === "left") {
        const report: Report = { kind, code: Number(words[0]), cwd: words.slice(1).join(" ") };
        this.#each(report);
        this.#reports.get(Number(id))?.(report);
      } else {
        this.#notices.get(`${kind} ${id}`)?.(words);
        this.#notices.delete(`${kind} ${id}`);
      }
    }
  }
}
