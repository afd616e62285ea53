import { StringDecoder } from "node:string_decoder";
import type { Process, ScreenSize } from "../../contract/providers/terminal.ts";
import { BoundedOutput } from "../output/bounded-output.ts";
import type { BackgroundRun } from "./shell.ts";

/** A background command of a kept-open shell. */
export class ShellProcess implements Process {
  readonly #output: BoundedOutput;
  readonly #decoder = new StringDecoder("utf8");
  readonly #listeners = new Set<(text: string) => void>();
  readonly #end = Promise.withResolvers<Awaited<Process["ended"]>>();
  readonly ended = this.#end.promise;
  #run: BackgroundRun | undefined;
  #over = false;
  keep?: NonNullable<Process["keep"]>;
  leave?: NonNullable<Process["leave"]>;

  constructor(maxOutputBytes: number) {
    this.#output = new BoundedOutput(0, maxOutputBytes);
  }

  /** @param where The place's own name, where what it runs can be left there. */
  attach(run: BackgroundRun, where?: () => string | Promise<string>): void {
    this.#run = run;
    if (where !== undefined && run.leave !== undefined)
      this.leave = async () => ({ where: await where(), ...(await run.leave!()) });
    if (run.keep !== undefined) this.keep = (log) => run.keep!(log);
    void run.ended.then((end) => this.#finish(end));
  }

  get pid(): number | undefined {
    return this.#run?.pid;
  }

  readonly push = (bytes: Uint8Array): void => {
    this.#output.push(bytes);
    if (this.#listeners.size === 0) return;
    const text = this.#decoder.write(Buffer.from(bytes));
    if (text !== "") for (const listener of this.#listeners) listener(text);
  };

  output(): { readonly text: string; readonly droppedBytes: number } {
    const { head, tail, omittedBytes } = this.#output.saved();
    return { text: head + tail, droppedBytes: omittedBytes };
  }

  async write(text: string): Promise<void> {
    await this.#run!.write(text);
  }

  async end(): Promise<void> {
    await this.#run!.endInput();
  }

  async kill(graceMs?: number): Promise<void> {
    const first = !this.#over;
    this.#over = true;
    await this.#run!.kill(graceMs);
    if (first) this.#end.resolve({ endedBy: "killed" });
  }

  async resize(size: ScreenSize): Promise<void> {
    if (!this.#over) await this.#run!.resize(size);
  }

  onOutput(listener: (text: string) => void): Disposable {
    this.#listeners.add(listener);
    return { [Symbol.dispose]: () => void this.#listeners.delete(listener) };
  }

  #finish(end: Awaited<Process["ended"]>): void {
    if (this.#over) return;
    this.#over = true;
    this.#end.resolve(end);
  }
}
