import type { CliIo } from "../conversation/command.ts";

/** An address of this machine that a browser comes back to from a service that was signed in to. */
export interface BrowserReturn extends Disposable {
  readonly port: number;
  /**
   * Waits until the browser comes back, or its last address is pasted. Only what carries `state` is the answer to this
   * sign-in. Rejects when the service refused, or with the reason of `stop`.
   */
  came(state: string, io: CliIo, stop: AbortSignal): Promise<BrowserAnswer>;
}

export interface BrowserAnswer {
  readonly code: string;
  readonly iss: string | undefined;
}

/** Opens such an address. Port 0 is a free one. */
export type OpenBrowserReturn = (place: {
  readonly host: string;
  readonly port: number;
  readonly path: string;
}) => Promise<BrowserReturn>;
