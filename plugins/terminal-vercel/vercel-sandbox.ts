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

  /**
   * @throws {TerminalUnavailable} It is gone, or cannot be made. After one that is gone, the next call makes another.
   */
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
        throw new TerminalUnavailable(`The sandbox of this task (${this.#wanted.name}) is gone, with all its files.`, {
          hint: "The next command gets a new sandbox.",
          cause: error,
        });
      }
      throw notMade(error);
    }
  }

  async #getOrCreate(): Promise<VercelMachine> {
    try {
      return await this.#sdk.Sandbox.getOrCreate(this.#wanted);
    } catch (error) {
      // Another agent was faster, or our own request succeeded and its answer was lost.
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
      // It may have ended already.
      if (![404, 410, 422].includes(statusOf(error) ?? 0)) throw error;
    }
  }

  /** The plan's own limit still applies. Its files are saved, and the next command resumes it. */
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
  [401, "Check VERCEL_TOKEN, VERCEL_TEAM_ID and VERCEL_PROJECT_ID."],
  [403, "Check VERCEL_TOKEN, VERCEL_TEAM_ID and VERCEL_PROJECT_ID: the token is wrong, expired, or lacks permission."],
  [402, "The Vercel plan's quota is used up."],
  [429, "Vercel limits the rate of requests. Try again later."],
];

function notMade(error: unknown): TerminalUnavailable {
  const { message, json, cause } = error as Error & {
    readonly json?: { readonly error?: { readonly message?: string } };
  };
  const hint =
    statusOf(error) === undefined
      ? "Vercel may be unreachable. Check the network."
      : HINTS.find(([status]) => status === statusOf(error))?.[1];
  return new TerminalUnavailable(
    `Cannot start a Vercel sandbox: ${json?.error?.message ?? (cause instanceof Error ? `${message} (${cause.message})` : message)}`,
    { cause: error, from: { source: "Vercel" }, hint },
  );
}
