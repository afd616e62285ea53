import type { ServerResponse } from "node:http";
import type { Asked, HttpDouble, Trouble } from "./http-double.ts";
import type { ScratchSandbox } from "./scratch-sandbox.ts";

/** A cloud with an HTTP API: its sandboxes by id, and what a test does to them as another client. */
export abstract class HttpCloud<
  Known extends { readonly name: string; readonly sandbox: ScratchSandbox },
> implements AsyncDisposable {
  readonly sandboxes = new Map<string, Known>();
  protected readonly http: HttpDouble;

  protected constructor(http: HttpDouble) {
    this.http = http;
    http.answer = (asked, outgoing) => this.answer(asked, outgoing);
  }

  protected abstract answer(asked: Asked, outgoing: ServerResponse): Promise<void>;

  /** Part of every path for this sandbox while it runs. */
  protected abstract pathOf(known: Known): string;

  get url(): string {
    return this.http.url;
  }

  get asked(): readonly Asked[] {
    return this.http.asked;
  }

  get trouble(): Trouble[] {
    return this.http.trouble;
  }

  find(name: RegExp): Known | undefined {
    return [...this.sandboxes.values()].find((one) => name.test(one.name));
  }

  cut(name: RegExp): Promise<void> {
    return this.http.cut(this.pathOf(this.find(name)!));
  }

  /** Deletes it, as another client would. */
  async remove(name: RegExp): Promise<void> {
    for (const [id, { name: its, sandbox }] of this.sandboxes) {
      if (!name.test(its)) continue;
      this.sandboxes.delete(id);
      await sandbox.remove();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.http[Symbol.asyncDispose]();
    for (const { sandbox } of this.sandboxes.values()) await sandbox.remove();
  }
}
