import { randomBytes } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { TerminalUnavailable, type JsonObject } from "hermes-agent/plugin";
import { carriedChannel, type Channel } from "hermes-agent/terminal";
import { startCarriage } from "./daytona-carriage.ts";
import type { DaytonaClient, DaytonaSandboxState } from "./daytona-client.ts";

/** A first start may have to build the image. */
const START_LIMIT_MS = 600_000;
const READY = "started";
const ON_ITS_WAY = new Set([
  "creating",
  "starting",
  "restoring",
  "pending_build",
  "building_snapshot",
  "pulling_snapshot",
  "stopping",
  "resizing",
  "unknown",
]);
const ASLEEP = new Set(["stopped", "archived"]);

/** The sandbox of one task: found again by its name, started or made when a shell is wanted in it. */
export class DaytonaSandbox {
  readonly #client: DaytonaClient;
  readonly #wanted: JsonObject & { readonly name: string };
  readonly #variables: Record<string, string>;
  #made: Promise<DaytonaSandboxState> | undefined;

  /** @param wanted As `POST /sandbox` takes it. */
  constructor(
    client: DaytonaClient,
    wanted: JsonObject & { readonly name: string },
    variables: Record<string, string>,
  ) {
    this.#client = client;
    this.#wanted = wanted;
    this.#variables = variables;
  }

  /**
   * @throws {TerminalUnavailable} It is gone, or cannot be made. After one that is gone, the next call makes another.
   */
  async startShell(): Promise<Channel> {
    const known = await this.#made?.catch(() => undefined);
    if (known !== undefined && (await this.#client.find(known.id)) === undefined) {
      this.#made = undefined;
      throw new TerminalUnavailable(`The sandbox of this task (${this.#wanted.name}) is gone, with all its files.`, {
        hint: "The next command gets a new sandbox.",
      });
    }
    this.#made = this.#settled(known);
    this.#made.catch(() => (this.#made = undefined));
    const sandbox = await this.#made;
    return carriedChannel(
      await startCarriage(this.#client, sandbox, `hermes-carrier-${randomBytes(9).toString("hex")}`, this.#variables),
      "the Daytona sandbox",
    );
  }

  /** Stops it and keeps its files, or deletes it. */
  async leave(keep: boolean): Promise<void> {
    const made = await this.#made?.catch(() => undefined);
    this.#made = undefined;
    if (made === undefined) return;
    try {
      await (keep ? this.#client.stop(made) : this.#client.remove(made));
    } catch (error) {
      // It may have stopped or been deleted.
      const now = await this.#client.find(made.id);
      if (now !== undefined && !(keep && ASLEEP.has(now.state))) throw error;
    }
  }

  async #settled(known: DaytonaSandboxState | undefined): Promise<DaytonaSandboxState> {
    let now = (await this.#client.find(known?.id ?? this.#wanted.name)) ?? (await this.#client.create(this.#wanted));
    const until = performance.now() + START_LIMIT_MS;
    for (let pauseMs = 100, asked = false; now.state !== READY; pauseMs = Math.min(2_000, pauseMs * 1.5)) {
      if (ASLEEP.has(now.state) && !asked) {
        asked = true;
        await this.#client.start(now);
      } else if (!ON_ITS_WAY.has(now.state) && !ASLEEP.has(now.state)) {
        throw new TerminalUnavailable(
          `The sandbox ${this.#wanted.name} does not start (${now.state}): ${now.errorReason ?? "Daytona gave no reason"}`,
          {
            hint: "Check terminal.daytona_image, or delete the sandbox at Daytona.",
            from: now.errorReason === undefined ? undefined : { source: "Daytona" },
          },
        );
      }
      if (performance.now() > until)
        throw new TerminalUnavailable(
          `The sandbox ${this.#wanted.name} was not ready after ${START_LIMIT_MS / 60_000} minutes (${now.state}).`,
        );
      // Polls, because Daytona's API has no event for a ready sandbox.
      await wait(pauseMs);
      const next = await this.#client.find(now.id);
      if (next === undefined)
        throw new TerminalUnavailable(`The sandbox ${this.#wanted.name} was deleted while it started.`);
      now = next;
    }
    return now;
  }
}
