import type { HarmId } from "./harms.ts";
import type { Call } from "../evaluate/call.ts";
import type { CommandEffect, Flow } from "./effect.ts";
import { Links } from "../parse/links.ts";
import { hasMark, isKnown, readable } from "../parse/marks.ts";
import { isNoise } from "./noise.ts";
import { resolvePaths } from "../evaluate/resolve-paths.ts";
import type { ShellState } from "../parse/state.ts";
import { definedFields } from "../../../contract/common/defined-fields.ts";

const MAX_EFFECTS = 200;
/** A command that signals this many of the first hundred numbers signals all processes in turn. */
const FIRST_PROCESSES = 10;

/** Gathers what a script would do, each thing once and not without end. */
export abstract class Findings {
  effects: CommandEffect[] = [];
  /** Every program so far was called in a way that is known to read only. */
  onlyReads = true;
  /** The user whose rights a command takes; `root` outweighs any other. */
  runsAs: string | undefined;
  private seen = new Set<string>();
  private readonly links = new Links();
  private readonly lowest = new Set<string>();

  abstract readonly home: string;

  /** Data written to a path that is a script's input goes to that script. */
  abstract feed(path: string, flow: Flow, state: ShellState): void;

  add(effect: CommandEffect): void {
    if (
      effect.kind === "signal" &&
      /^[1-9]\d?$/.test(effect.target) &&
      this.lowest.add(effect.target).size === FIRST_PROCESSES
    )
      this.add({ ...effect, target: "numbers from a sequence", everything: true });
    this.keep(effect);
    if (this.links.some) this.atTheEnd(effect);
  }

  private keep(effect: CommandEffect): void {
    const key = JSON.stringify(effect);
    if (this.seen.has(key)) return;
    this.seen.add(key);
    if (this.effects.length < MAX_EFFECTS) this.effects.push(effect);
    else this.effects[MAX_EFFECTS] ??= { kind: "harm", harm: "parser-limit", what: `more than ${MAX_EFFECTS} effects` };
    // The floor is looked for behind the cap as well.
    if (
      this.effects.length > MAX_EFFECTS &&
      effect.kind !== "execute" &&
      effect.kind !== "read" &&
      this.effects.length < 2 * MAX_EFFECTS
    )
      this.effects.push(effect);
  }

  /** Writing to a link, or changing its mode, affects the link's target. */
  private atTheEnd(effect: CommandEffect): void {
    if (!("path" in effect) || effect.path === undefined || effect.kind === "harm" || effect.kind === "read") return;
    const end = effect.kind === "delete" ? this.links.mount(effect.path) : this.links.end(effect.path);
    if (end !== undefined) this.keep({ ...effect, path: end });
  }

  harm(harm: HarmId, what: string, path?: string): void {
    this.add(definedFields({ kind: "harm", harm, what: readable(what.slice(0, 300)), path }));
  }

  suspect(work: () => void): void {
    const { onlyReads } = this;
    this.apart(work, (found) => {
      this.onlyReads = onlyReads;
      for (const effect of found) if (!isNoise(effect)) this.add(effect);
    });
  }

  /** Keeps what the work finds away from what was found before it; both stay when the work breaks off. */
  protected apart(work: () => void, take: (found: readonly CommandEffect[]) => void): void {
    const { effects, seen } = this;
    this.effects = [];
    this.seen = new Set();
    try {
      work();
    } finally {
      const found = this.effects;
      Object.assign(this, { effects, seen });
      take(found);
    }
  }

  takeRights(user: string, state: ShellState): void {
    if (state.guessed !== true && this.runsAs !== "root") this.runsAs = isKnown(user) ? user : "another user";
  }

  overflow(): void {
    this.harm("parser-limit", "more than the analysis can follow");
  }

  paths(text: string, state: ShellState): readonly string[] {
    const found = resolvePaths(text, state);
    return this.links.some ? found.map((path) => this.links.through(path, text)) : found;
  }

  /** Another name for a place; a mount is one, too. */
  link(target: string, name: string, call: Call, mounted = false): void {
    for (const path of this.paths(name, call.state)) this.links.make(path, target, mounted);
  }

  unlink(name: string, call: Call): void {
    for (const path of this.paths(name, call.state)) this.links.drop(path);
  }

  read(text: string, call: Call, options: { recursive?: boolean; shown?: boolean } = {}): void {
    const named = this.paths(text, call.state);
    const copied =
      call.state.copies.size === 0
        ? []
        : named.flatMap((path) => this.paths(call.state.copies.get(path) ?? path, call.state));
    // A name that another command printed: in a home it may be that of a secret.
    const here = hasMark(text.slice(0, 1)) ? call.state.cwds.filter((cwd) => cwd === this.home) : [];
    for (const path of new Set([...named, ...copied, ...here.map((cwd) => `${cwd}/${text}`)]))
      this.add({ kind: "read", path, shown: options.shown ?? true, recursive: options.recursive ? true : undefined });
  }

  write(text: string, call: Call, how: "create" | "append" | "edit" | "copy" = "create", content?: Flow): void {
    this.writeIn(text, call.state, how, content);
  }

  writeIn(text: string, state: ShellState, how: "create" | "append" | "edit" | "copy", content?: Flow): void {
    for (const path of this.paths(text, state)) {
      if (content) {
        state.files.set(path, content);
        this.feed(path, content, state);
      }
      if (HARMLESS_TARGETS.test(path)) continue;
      if (OPTION_NAME.test(path))
        this.harm("option-runs", `writes a file whose name is an option that runs a program: ${path}`);
      this.add({ kind: "write", path, how });
    }
  }

  remove(text: string, call: Call, options: { recursive: boolean; narrowed?: boolean; by?: string }): void {
    if (call.state.eachFile !== undefined && !options.by?.startsWith("find"))
      this.harm(call.state.eachFile, `${call.program} ${call.args.join(" ")}`);
    for (const path of this.paths(text, call.state)) {
      this.add({
        kind: "delete",
        path,
        recursive: options.recursive,
        by: options.by ?? call.program,
        narrowed: options.narrowed ? true : undefined,
      });
      if (this.links.some && this.links.mount(path) === undefined) this.links.drop(path);
    }
  }

  written(text: string, call: Call): Flow | undefined {
    for (const path of this.paths(text, call.state)) {
      const flow = call.state.files.get(path);
      if (flow) return flow;
    }
    return undefined;
  }

  network(url: string, sends = false): void {
    this.add({ kind: "network", url: readable(url), sends });
  }
}

/** `tar cf a.tar *` takes a file of such a name for an option. */
const OPTION_NAME =
  /\/--?(?:checkpoint-action|to-command|use-compress-program|rsh|rsync-path|info-script|unzip-command|pre|exec)=./;
const HARMLESS_TARGETS = /^\/dev\/(null|zero|stdout|stderr|stdin|tty|fd\/\d+)$/;
