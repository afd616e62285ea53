import type { Notice } from "./control-reader.ts";

/** Waits for reports of a shell. For one kind and command, only the last waiter gets the report, once. */
export class ShellNotices {
  readonly #waiting = new Map<string, (rest: string) => void>();

  wait(kind: string, id: number): Promise<string> {
    return new Promise((resolve) => this.#waiting.set(`${kind} ${id}`, resolve));
  }

  report({ kind, id, rest }: Notice): void {
    this.#waiting.get(`${kind} ${id}`)?.(rest);
    this.#waiting.delete(`${kind} ${id}`);
  }

  forget(kind: string, id: number | undefined): void {
    this.#waiting.delete(`${kind} ${id}`);
  }
}
