import { ToolFailure, type PluginContext } from "hermes-agent/plugin";
import type { Meeting } from "./meeting.ts";

export interface JoinInput {
  readonly url: string;
  readonly guest_name?: string;
  readonly duration?: string;
}

/** The call that the agent is in or joins: one at a time. */
export class CurrentCall {
  readonly #ctx: PluginContext;
  #meeting: Meeting | undefined;
  #joining: { readonly stop: AbortController; readonly done: Promise<Meeting> } | undefined;

  constructor(ctx: PluginContext) {
    this.#ctx = ctx;
  }

  /** @throws {ToolFailure} for an invalid address or duration, and when there is a call already. */
  async join({ url: given, guest_name, duration }: JoinInput, caller: AbortSignal): Promise<Meeting> {
    const origin = String(this.#ctx.config["origin"] ?? "https://meet.google.com");
    const { url, id } = addressOf(given, origin);
    const longestMs = longestOf(duration);
    if (this.#joining !== undefined) throw failed("The agent is already joining a call.", "meet_leave cancels that.");
    if (this.#meeting !== undefined && !this.#meeting.over)
      throw failed(`The agent is already in the call ${this.#meeting.id}.`, "Leave it with meet_leave.");
    const stop = new AbortController();
    const signal = AbortSignal.any([caller, stop.signal]);
    const name = guest_name ?? String(this.#ctx.config["guest_name"] ?? "Hermes Agent");
    this.#joining = {
      stop,
      done: import("./meeting.ts").then(({ Meeting: Joined }) =>
        Joined.join(this.#ctx, { id, url, name, longestMs, signal }),
      ),
    };
    try {
      this.#meeting = await this.#joining.done;
    } finally {
      this.#joining = undefined;
    }
    return this.#meeting;
  }

  /** Leaves the call, or stops joining one. @returns The call that the agent left; none when it only joined. */
  async leave(reason: string): Promise<Meeting | undefined> {
    if (this.#joining !== undefined) {
      await this.#giveUp(reason);
      return undefined;
    }
    if (this.#meeting === undefined || this.#meeting.over) throw failed("The agent is in no call.");
    await this.#meeting.leave(reason);
    return this.#meeting;
  }

  /** The call, also after it ended. @throws {ToolFailure} when there was none. */
  current(): Meeting {
    if (this.#meeting === undefined) throw failed("There is no call.", "Join one with meet_join.");
    return this.#meeting;
  }

  /** Where the transcript's text comes from; undefined before the first call. */
  source(): { readonly source: string; readonly host: string } | undefined {
    const meeting = this.#meeting;
    return meeting === undefined ? undefined : { source: `the call ${meeting.id}`, host: new URL(meeting.url).host };
  }

  /** The agent ends: so does whatever runs. */
  async close(reason: string): Promise<void> {
    await this.#giveUp(reason);
    await this.#meeting?.leave(reason);
  }

  async #giveUp(reason: string): Promise<void> {
    this.#joining?.stop.abort(failed(`The agent did not join the call: ${reason}.`));
    await this.#joining?.done.catch(() => undefined); // The joining call gets the error.
  }
}

function addressOf(given: string, origin: string): { readonly url: string; readonly id: string } {
  const url = URL.parse(given.trim());
  const id = /^\/(?:lookup\/)?([a-z0-9]{3,}(?:-[a-z0-9]{3,}){0,2})\/?$/.exec(url?.pathname ?? "")?.[1];
  if (url === null || url.origin !== origin || url.username !== "" || id === undefined)
    throw failed(`This is not the address of a call. Use one like ${origin}/abc-defg-hij.`);
  return { url: url.href, id };
}

/** How long the agent stays at most; without a duration until meet_leave. */
function longestOf(duration: string | undefined): number | undefined {
  if (duration === undefined) return undefined;
  const time = /^(\d{1,4})([smh])$/.exec(duration.trim());
  if (time === null) throw failed(`"${duration}" is not a duration. Use one like 90s, 30m or 2h.`);
  return Number(time[1]) * { s: 1_000, m: 60_000, h: 3_600_000 }[time[2] as "s" | "m" | "h"];
}

function failed(message: string, hint?: string): ToolFailure {
  return new ToolFailure("failed", message, { data: { success: false }, hint });
}
