import { ToolFailure, UserError } from "../../../contract/common/failure.ts";
import type { Logger } from "../../../contract/common/logger.ts";
import type { Plugin, PluginContext } from "../../../contract/plugins/plugin.ts";
import { HOOK_KINDS } from "../../../contract/plugins/hook.ts";
import { importRegister } from "./import-register.ts";
import { noteReads } from "../discovery/variables-read.ts";
import { cliModule, entryModule } from "../discovery/plugin-files.ts";
import { whatFailed } from "./describe-failure.ts";

/** Kinds of registrations. */
export type Kind = "tool" | "toolset" | "hook" | "middleware" | "command" | "cli" | "skill" | "provider";

export interface RuntimePorts {
  readonly key: string;
  readonly dir: string;
  /** A bundled plugin: it resolves the public entry point directly. */
  readonly bundled: boolean;
  /** It provides for a category that has one provider: its `cli.ts` has that provider's commands. */
  readonly exclusive?: boolean;
  /** The plugin's entry module, if it is not `index.*` in its folder. */
  readonly entry?: string;
  /** Why its files may not run as they are now. Called just before they run. */
  refusal?(): string | undefined;
  /** Represents it if it runs in another process, which limits the time of `register` itself. */
  readonly remote?: Plugin;
  readonly log: Logger;
  context(runtime: PluginRuntime): PluginContext;
  /** Called once if the code cannot be loaded or `register` throws, with the reason. */
  failed(reason: string): void;
  /** Called once, after `register` has finished and what it no longer registers is taken back. */
  activated?(): void;
}

interface Binding {
  readonly kind: Kind;
  readonly name: string;
  readonly disposable: Disposable;
  /** The value from the plugin's code; absent while only the snapshot describes it. */
  real: unknown;
}

const REGISTER_MS = 15_000;

/**
 * One plugin in this process. Offers the registrations of its snapshot at once. On first use it imports the module and
 * runs `register`, once; the results replace the offers by kind, name and order.
 */
export class PluginRuntime {
  readonly #ports: RuntimePorts;
  readonly #bindings = new Map<string, Binding>();
  /** Created on first access: a hundred plugins that are never used need none. */
  #abort: AbortController | undefined;
  #unloaded = false;
  readonly #cleanups: (() => void | Promise<void>)[] = [];
  #counts = new Map<string, number>();
  #registering = false;
  #activation: Promise<void> | undefined;

  constructor(ports: RuntimePorts) {
    this.#ports = ports;
  }

  get key(): string {
    return this.#ports.key;
  }

  /** Aborted when the plugin is unloaded. */
  get signal(): AbortSignal {
    this.#abort ??= new AbortController();
    return this.#abort.signal;
  }

  /** The plugin's code is loaded or loading. */
  get active(): boolean {
    return this.#activation !== undefined;
  }

  /** Offers a registration of the snapshot; `add` puts a stand-in into its registry. */
  offer(kind: Kind, name: string, add: (real: () => Promise<unknown>, now: () => unknown) => Disposable): void {
    const id = this.#id(kind, name, this.#counts);
    const binding: Binding = {
      kind,
      name,
      real: undefined,
      disposable: add(
        () => this.#real(id, kind, name),
        () => this.#bindings.get(id)?.real,
      ),
    };
    this.#bindings.set(id, binding);
  }

  /** Skips a registration of the snapshot, so that later ones of its kind and name keep their positions. */
  leaveOut(kind: Kind, name: string): void {
    this.#id(kind, name, this.#counts);
  }

  /** Every registration of its snapshot is offered. */
  offered(): void {
    this.#ports.log.debug(`Offered ${this.key} from its snapshot, without importing it: ${this.#counted()}`);
  }

  /** A registration of `register`: fills the stand-in of the same kind, name and order, or is added as new. */
  claim(kind: Kind, name: string, real: unknown, add: () => Disposable): Disposable {
    if (this.#unloaded)
      throw new UserError(`The plugin "${this.key}" is unloaded and cannot register the ${kind} "${name}".`);
    const id = this.#id(kind, name, this.#counts);
    const offered = this.#bindings.get(id);
    const binding: Binding =
      offered !== undefined && offered.real === undefined && this.#registering
        ? offered
        : { kind, name, real, disposable: add() };
    binding.real = real;
    this.#bindings.set(id, binding);
    return {
      [Symbol.dispose]: () => {
        binding.disposable[Symbol.dispose]();
        this.#bindings.delete(id);
      },
    };
  }

  onUnload(cleanup: () => void | Promise<void>): void {
    this.#cleanups.push(cleanup);
  }

  /**
   * Imports the module and runs `register`, once. Rejects with an error that names the plugin; then only broken guards
   * remain.
   */
  activate(): Promise<void> {
    this.#activation ??= this.#activate();
    return this.#activation;
  }

  /** Takes everything back, aborts the plugin's signal, then runs its cleanups, last registered first. */
  async unload(): Promise<void> {
    if (this.#unloaded) return;
    this.#unloaded = true;
    this.#takeBack(() => true);
    this.#abort?.abort(new Error(`The plugin "${this.key}" is unloaded.`));
    for (const cleanup of this.#cleanups.splice(0).toReversed()) {
      try {
        await cleanup();
      } catch (cause) {
        this.#ports.log.warning(`Error while unloading the plugin "${this.key}"`, { cause });
      }
    }
  }

  async #activate(): Promise<void> {
    const { key, log } = this.#ports;
    try {
      this.#counts = new Map();
      this.#registering = true;
      await this.#register();
      this.#registering = false;
      this.#takeBack(({ real, kind, name }) => {
        if (real !== undefined) return false;
        log.warning(`The plugin "${key}" no longer registers the ${kind} "${name}".`);
        return true;
      });
      log.debug(`Loaded ${key}: ${this.#counted()}`);
      this.#ports.activated?.();
    } catch (cause) {
      const reason = whatFailed(cause, this.#ports.dir);
      // A guard that cannot answer refuses. Without it, every call that it should block would pass.
      this.#takeBack(
        ({ kind, name, real }) =>
          !(kind === "hook" && real === undefined && HOOK_KINDS[name as keyof typeof HOOK_KINDS] === "first"),
      );
      log.warning(`The plugin "${key}" failed: ${reason}`, { cause });
      this.#ports.failed(reason);
      throw new ToolFailure("plugin_gone", `Cannot use the plugin "${key}": ${reason}`, {
        hint: `Run \`hermes plugins disable ${key}\` to turn it off.`,
        cause,
      });
    } finally {
      this.#registering = false;
    }
  }

  async #register(): Promise<void> {
    const { remote, bundled } = this.#ports;
    const register = async (): Promise<PluginContext> => {
      const plugin = await this.#load();
      const context = this.#ports.context(this);
      const registering = Promise.resolve(plugin(context));
      await (remote === undefined
        ? withinTime(registering, REGISTER_MS, `register() did not finish within ${REGISTER_MS / 1000} seconds`)
        : registering);
      return context;
    };
    // Another process reports what it looked up. Bundled plugins register the same everywhere: their snapshot.
    if (remote !== undefined || bundled) return void (await register());
    const { withLookups } = await import("../discovery/watch-lookups.ts");
    const { result, reported } = await withLookups(register);
    noteReads(result, reported);
  }

  async #load(): Promise<Plugin> {
    const { dir, bundled, key, log } = this.#ports;
    const refusal = this.#ports.refusal?.();
    if (refusal !== undefined) throw new UserError(refusal);
    if (this.#ports.remote !== undefined) return this.#ports.remote;
    const entry = this.#ports.entry === undefined ? entryModule(dir) : { file: this.#ports.entry };
    if ("reason" in entry) throw new UserError(entry.reason);
    if (entry.file.endsWith(".py"))
      throw new UserError(`${entry.file} is Python, and no runtime for it is available here`);
    log.debug(`Importing ${key} from ${entry.file}`);
    const register = await importRegister(entry.file, bundled);
    const cli = this.#ports.exclusive === true ? cliModule(dir) : undefined;
    return cli === undefined ? register : async (ctx) => (await import("./memory-cli.ts")).withCli(register, cli, ctx);
  }

  async #real(id: string, kind: Kind, name: string): Promise<unknown> {
    await this.activate();
    const real = this.#bindings.get(id)?.real;
    if (real === undefined)
      throw new ToolFailure("plugin_gone", `The plugin "${this.key}" no longer registers the ${kind} "${name}".`);
    return real;
  }

  #takeBack(which: (binding: Binding) => boolean): void {
    for (const [id, binding] of [...this.#bindings].toReversed()) {
      if (!which(binding)) continue;
      binding.disposable[Symbol.dispose]();
      this.#bindings.delete(id);
    }
  }

  #id(kind: Kind, name: string, counts: Map<string, number>): string {
    const count = counts.get(`${kind}:${name}`) ?? 0;
    counts.set(`${kind}:${name}`, count + 1);
    return `${kind}:${name}#${count}`;
  }

  #counted(): string {
    const of = (kind: Kind): number => [...this.#bindings.values()].filter((binding) => binding.kind === kind).length;
    return `${of("tool")} tools, ${of("hook")} hooks, ${of("command")} slash commands, ${of("cli")} CLI commands, ${of("provider")} providers`;
  }
}

async function withinTime<T>(work: Promise<T>, ms: number, reason: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => (timer = setTimeout(() => reject(new Error(reason)), ms)));
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
