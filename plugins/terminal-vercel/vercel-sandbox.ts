import { randomBytes } from "node:crypto";
import { TerminalUnavailable } from "hermes-agent/plugin";
import { carriedChannel, type Channel } from "hermes-agent/terminal";
import { startCarriage } from "./vercel-carriage.ts";
import { statusOf, type VercelMachine, type VercelSdk, type VercelWanted } from "./vercel-sdk.ts";

/** A sandbox in use is given more time this often, before its own has passed. */
const EXTEND_MS = 600_000;

/** The sandbox of one task: found again by its name, resumed or made when a shell is wanted in it. */
export class VercelSandbox {
  readonly #sdk: VercelSdk;
  readonly #wanted: VercelWanted;
  readonly #variables: Record<string, string>;
  #made: Promise<VercelMachine> | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(sdk: VercelSdk, wanted: VercelWanted, variables: Record<string, string>) {
    this.#sdk = sdk;
    this.#wanted = wanted;
    this.#variables = variables;
  }

  /** @throws {TerminalUnavailable} It is gone, or cannot be made. After one that is gone, the next call makes another. */
  async startShell(): Promise<Channel> {
    try {
      const known = this.#made !== undefined;
      if (known) this.#made = this.#sdk.Sandbox.get(this.#wanted);
      else this.#made = this.#getOrCreate();
      const machine = await this.#made;
      this.#extend(machine);
      return carriedChannel(
        await startCarriage(machine, `hermes-carrier-${randomBytes(9).toString("hex")}`, this.#variables),
        "the Vercel sandbox",
      );
    } catch (error) {
      const known = this.#timer !== undefined;
      this.#forget();
      if (known && [404, 410].includes(statusOf(error) ?? 0)) {
        throw new TerminalUnavailable(
          `The sandbox of this task (${this.#wanted.name}) is gone, with all that was in it.`,
          { hint: "The next command gets a new sandbox.", cause: error },
        );
      }
      throw notMade(error);
    }
  }

  async #getOrCreate(): Promise<VercelMachine> {
    try {
      return await this.#sdk.Sandbox.getOrCreate(this.#wanted);
    } catch (error) {
      // Somebody else was quicker, or we were ourselves and the answer was lost.
      if (statusOf(error) !== 409) throw error;
      return this.#sdk.Sandbox.get(this.#wanted);
    }
  }

  /** Stops it, which keeps its files, or deletes it. */
  async leave(): Promise<void> {
    const machine = await this.#made?.catch(() => undefined);
    this.#forget();
    try {
      await (this.#wanted.persistent ? machine?.stop() : machine?.delete());
    } catch (error) {
      // It may be gone by itself.
      if (![404, 410, 422].includes(statusOf(error) ?? 0)) throw error;
    }
  }

  /** The plan's own limit ends it all the same; its files are kept, and the next command resumes it. */
  #extend(machine: VercelMachine): void {
    clearInterval(this.#timer);
    this.#timer = setInterval(() => void machine.extendTimeout(EXTEND_MS).catch(() => undefined), EXTEND_MS);
    this.#timer.unref();
  }

  #forget(): void {
    clearInterval(this.#timer);
    this.#made = this.#timer = undefined;
  }
}

const HINTS: readonly (readonly [number, string])[] = [
  [401, "Look at VERCEL_TOKEN, VERCEL_TEAM_ID and VERCEL_PROJECT_ID."],
  [
    403,
    "Look at VERCEL_TOKEN, VERCEL_TEAM_ID and VERCEL_PROJECT_ID: the token is wrong, has ended, or may not do this.",
  ],
  [402, "The plan's allowance is used up."],
  [429, "Vercel limits how often it is asked; try again later."],
];

function notMade(error: unknown): TerminalUnavailable {
  const { message, json, cause } = error as Error & {
    readonly json?: { readonly error?: { readonly message?: string } };
  };
  const hint =
    statusOf(error) === undefined
      ? "Vercel may be out of reach: look at the network."
      : HINTS.find(([status]) => status === statusOf(error))?.[1];
  return new TerminalUnavailable(
    `No Vercel sandbox could be had: ${json?.error?.message ?? (cause instanceof Error ? `${message} (${cause.message})` : message)}`,
    { cause: error, from: { source: "Vercel" }, hint },
  );
}
