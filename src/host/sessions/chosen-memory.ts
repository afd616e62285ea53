import { toolWithRole } from "../../engine/tools/tool-role.ts";
import type { MemorySetup } from "../../contract/services/app.ts";
import type { Logger } from "../../contract/common/logger.ts";
import type { PluginHost } from "../plugins/registry/plugin-host.ts";
import type { Memory } from "../memory/open-memory.ts";
import { systemClock } from "../app/system-clock.ts";

export interface MemoryPorts {
  readonly plugins: Pick<PluginHost, "slots" | "tools" | "hooks">;
  readonly log: Logger;
  readonly home: string;
  readonly profile: string;
  /** Reports a problem to the user once. */
  report(text: string, hint?: string): void;
}

/** The memory provider that the settings choose. It opens on demand, and again after another one is chosen. */
export class ChosenMemory implements AsyncDisposable {
  readonly #ports: MemoryPorts;
  /** The sessions for which memory may be recalled and stored. */
  readonly #sessions = new Set<string>();
  #chosen: { readonly id: string; readonly opened: Promise<void> } = { id: "", opened: Promise.resolve() };
  #memory: Memory | undefined;

  constructor(ports: MemoryPorts) {
    this.#ports = ports;
  }

  /** The provider, if it is open and usable. */
  get current(): Memory | undefined {
    return this.#memory;
  }

  /** Concurrent callers wait for the same one. */
  open(): Promise<void> {
    const id = this.#chosenId();
    if (this.#chosen.id !== id) this.#chosen = { id, opened: this.#chosen.opened.then(() => this.#change(id)) };
    return this.#chosen.opened;
  }

  /** `undefined` if the settings choose none. */
  async state(): Promise<{ readonly available: boolean; readonly tools: readonly string[] } | undefined> {
    await this.open();
    return this.#chosenId() === ""
      ? undefined
      : { available: this.#memory !== undefined, tools: this.#memory?.tools ?? [] };
  }

  async setup(): Promise<MemorySetup | undefined> {
    const [{ findMemory }, { memorySetup }] = await Promise.all([
      import("../memory/open-memory.ts"),
      import("../memory/memory-setup.ts"),
    ]);
    const entry = findMemory(this.#ports.plugins.slots, this.#chosenId());
    return entry === undefined ? undefined : memorySetup(entry, this.#ports.home);
  }

  remembers(sessionId: string, takesPart: boolean): void {
    if (takesPart) this.#sessions.add(sessionId);
    else this.#sessions.delete(sessionId);
  }

  /** Tools of the memory provider, each with the tool with which Hermes offers it. */
  companions(): readonly { readonly tool: string; readonly of: string }[] {
    const of = this.#notesTool();
    return of === undefined ? [] : (this.#memory?.tools ?? []).map((tool) => ({ tool, of }));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#chosen.opened;
    await this.#memory?.[Symbol.asyncDispose]();
  }

  #chosenId(): string {
    return this.#ports.plugins.slots.chosen("memory") ?? "";
  }

  /**
   * The tool of the agent's own notes: a memory provider's tools are offered beside it, and the provider receives what
   * it writes.
   */
  #notesTool(): string | undefined {
    return toolWithRole(this.#ports.plugins.tools, "notes")?.name;
  }

  /** An unusable provider counts as none and is reported. */
  async #change(id: string): Promise<void> {
    const before = this.#memory;
    this.#memory = undefined;
    await before?.[Symbol.asyncDispose]();
    if (id === "") return;
    const { plugins, log, report, home, profile } = this.#ports;
    const module = await import("../memory/open-memory.ts");
    this.#memory = await module.openMemory(
      {
        slots: plugins.slots,
        tools: plugins.tools,
        hooks: plugins.hooks,
        clock: systemClock,
        log: log.child("memory"),
        report,
        takesPart: (sessionId) => this.#sessions.has(sessionId),
        home,
        profile,
        notesTool: this.#notesTool() ?? "",
      },
      id,
    );
  }
}
