import { randomBytes } from "node:crypto";
import { TerminalUnavailable, type Logger, type PluginStorage } from "hermes-agent/plugin";
import { carriedChannel, type Channel } from "hermes-agent/terminal";
import { startCarriage } from "./modal-carriage.ts";
import { isAbsent, isTaken, type ModalClient, type ModalMachine, type ModalWanted } from "./modal-sdk.ts";

const APP = "hermes-agent";
const SNAPSHOT_LIMIT_MS = 120_000;

export interface ModalEnvironment {
  readonly client: ModalClient;
  readonly image: string;
  readonly wanted: ModalWanted;
  readonly variables: Record<string, string>;
  /** Where the ids of snapshots are kept; `undefined` where nothing is to outlive its sandbox. */
  readonly snapshots: Pick<PluginStorage, "get" | "set" | "delete"> | undefined;
  readonly log: Logger;
}

/** The sandbox of one task: found again by its name, or made from what it left behind, when a shell is wanted in it. */
export class ModalSandbox {
  readonly #place: ModalEnvironment;
  #made: ModalMachine | undefined;
  #making: Promise<ModalMachine> | undefined;

  constructor(place: ModalEnvironment) {
    this.#place = place;
  }

  /**
   * @throws {TerminalUnavailable} It is gone, or cannot be made. After one that is gone, the next call makes another.
   */
  async startShell(): Promise<Channel> {
    const known = this.#made;
    try {
      const machine = known ?? (await (this.#making ??= this.#make()));
      this.#made = machine;
      return carriedChannel(
        await startCarriage(machine, `hermes-carrier-${randomBytes(9).toString("hex")}`, this.#place.variables),
        "the Modal sandbox",
      );
    } catch (error) {
      this.#forget();
      if (known === undefined) throw notMade(error);
      const left =
        this.#place.snapshots === undefined ? "with all its files" : "with everything written since its last snapshot";
      throw new TerminalUnavailable(`The sandbox of this task (${this.#place.wanted.name}) is gone, ${left}.`, {
        hint: "The next command gets a new sandbox.",
        cause: error,
      });
    }
  }

  /** Takes a snapshot of its files, where they are to be kept, and ends it. */
  async leave(): Promise<void> {
    const machine = this.#made;
    this.#forget();
    if (machine === undefined) return;
    const { snapshots, wanted, log } = this.#place;
    try {
      if (snapshots !== undefined)
        await snapshots.set(wanted.name, (await machine.snapshotFilesystem({ timeoutMs: SNAPSHOT_LIMIT_MS })).imageId);
    } catch (cause) {
      if (!isAbsent(cause)) log.warning(`Cannot save the files of the Modal sandbox ${wanted.name}.`, { cause });
    }
    await machine.terminate().catch((cause: unknown) => {
      if (!isAbsent(cause)) throw cause;
    });
    machine.detach();
  }

  async #make(): Promise<ModalMachine> {
    const { client, wanted, image } = this.#place;
    try {
      return await client.sandboxes.fromName(APP, wanted.name);
    } catch (error) {
      if (!isAbsent(error)) throw error;
    }
    const app = await client.apps.fromName(APP, { createIfMissing: true });
    try {
      return await client.sandboxes.create(app, (await this.#snapshot()) ?? client.images.fromRegistry(image), wanted);
    } catch (error) {
      // Another agent was faster, or our own request succeeded and its answer was lost.
      if (!isTaken(error)) throw error;
      return client.sandboxes.fromName(APP, wanted.name);
    }
  }

  /** The snapshot of an earlier sandbox, if the service still has it. */
  async #snapshot(): Promise<object | undefined> {
    const { client, snapshots, wanted, log } = this.#place;
    const id = await snapshots?.get(wanted.name);
    if (typeof id !== "string") return undefined;
    try {
      return await client.images.fromId(id);
    } catch (cause) {
      if (!isAbsent(cause)) throw cause;
      log.warning(`Modal no longer has the snapshot of ${wanted.name}; the sandbox starts from its image.`, { cause });
      await snapshots!.delete(wanted.name);
      return undefined;
    }
  }

  #forget(): void {
    this.#made = this.#making = undefined;
  }
}

/** By status or words. */
const HINTS: readonly (readonly [number | undefined, RegExp | undefined, string])[] = [
  [14, /name resolution|ECONNREFUSED/i, "Modal is unreachable. Check the network."],
  [16, /credential|token/i, "Check MODAL_TOKEN_ID and MODAL_TOKEN_SECRET."],
  [8, undefined, "Modal has no capacity, or the account reached its limit. Try again later."],
  [undefined, /image/i, "Check terminal.modal_image."],
];

function notMade(error: unknown): TerminalUnavailable {
  const { message, details, code } = error as Error & { readonly details?: string; readonly code?: number };
  const words = (details ?? message).split("\n").slice(0, 2).join(" ");
  const hint = HINTS.find(([status, pattern]) => code === status || pattern?.test(words))?.[2];
  return new TerminalUnavailable(`Cannot start a Modal sandbox: ${words}`, {
    cause: error,
    from: { source: "Modal" },
    hint,
  });
}
