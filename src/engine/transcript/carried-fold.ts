import type { Fact, Origin } from "../../contract/conversation/fact.ts";
import type { Part } from "../../contract/conversation/part.ts";
import type { CallState } from "../dispatch/call-state.ts";
import type { Place } from "./conversation.ts";

/** An instruction: what a user wrote, or in a subagent's session the task that its parent's model gave. */
export interface Instruction {
  readonly turnId: string;
  readonly origin: Origin;
  readonly parts: readonly Part[];
}

const MAX_LINES = 2_000;
const MAX_CHARS = 2_000;

/**
 * What must outlive every compaction, folded from all facts of a session: no summary is involved, so none can forget it.
 */
export class CarriedFold {
  /** Oldest first; their texts are those of the facts. */
  #instructions: (Instruction & { readonly at: Place })[] = [];
  /** Calls that were refused, with the reason. */
  readonly refused = new Map<string, string>();
  /** Calls that a user approved, with the kind of risk and for how long. */
  readonly approved = new Map<string, string>();
  /** Calls of which no one knows whether they happened. */
  readonly unknown = new Map<string, string>();
  /** Files that tools and commands created, changed or deleted. */
  readonly changed = new Map<string, string>();
  readonly read = new Map<string, string>();

  /** The first instruction of the session. */
  get first(): Instruction | undefined {
    return this.#instructions[0];
  }

  /** All of the newest turn that has one. */
  get last(): readonly Instruction[] {
    const turnId = this.#instructions.at(-1)?.turnId;
    const before = this.#instructions.findLastIndex((one) => one.turnId !== turnId);
    return this.#instructions.slice(before + 1);
  }

  message(at: Place, { turnId, origin, parts }: Extract<Fact, { type: "message.added" }>): void {
    if (origin === "person" || origin === "model") this.#instructions.push({ at, turnId, origin, parts });
  }

  /** The user took back everything from here on; what its calls did has happened. */
  cut(from: number): void {
    this.#instructions = this.#instructions.filter(({ at }) => at.seq < from);
  }

  /** A call has its end. @param touched Paths that it may have changed, as its tool reported them. */
  settled(call: CallState, touched: readonly string[] | undefined, cwd: string): void {
    const { outcome, called, given, asked } = call;
    if (outcome === undefined) return;
    const line = callLine(call);
    if (given?.kind === "allow" && asked !== undefined) {
      newest(this.approved, line, `${asked.risk.key}, ${APPROVED[given.scope]}`);
      this.refused.delete(line);
    }
    if (outcome.kind === "denied") {
      newest(this.refused, line, firstSentence(outcome.reason));
      this.approved.delete(line);
      return;
    }
    if (outcome.kind === "unknown") newest(this.unknown, line, "");
    else this.unknown.delete(line);
    const { args, effect } = called ?? {};
    const path = typeof args?.["path"] === "string" ? args["path"] : undefined;
    if (effect === "read") {
      if (path !== undefined && outcome.kind === "ok") newest(this.read, shownPath(path, cwd), "");
      return;
    }
    // A failed write has changed nothing; a failed command may have.
    if (effect !== "execute" && (effect !== "write" || outcome.kind === "failed")) return;
    if (outcome.kind === "cancelled") return;
    for (const file of touched ?? (effect === "write" && path !== undefined ? [path] : []))
      if (isFile(file, cwd)) newest(this.changed, shownPath(file, cwd), "");
  }
}

const APPROVED = { once: "approved once", session: "approved for this session", always: "always approved" } as const;

/** The newest stands last. */
function newest(lines: Map<string, string>, line: string, value: string): void {
  lines.delete(line);
  lines.set(line, value);
  if (lines.size > MAX_LINES) lines.delete(lines.keys().next().value!);
}

function callLine({ tool, called, args }: CallState): string {
  const text = called?.args === undefined ? (args ?? "") : JSON.stringify(called.args);
  return oneLine(`${tool} ${text}`);
}

/** The whole directory says nothing of its files, and a device is none. */
function isFile(path: string, cwd: string): boolean {
  const bare = path.replace(/\/+$/, "");
  return bare !== "" && bare !== "." && bare !== cwd.replace(/\/+$/, "") && !/^\/(dev|proc|sys)\//.test(bare);
}

/** Relative to the session's directory where it is below it. */
function shownPath(path: string, cwd: string): string {
  const root = cwd.endsWith("/") ? cwd : `${cwd}/`;
  return oneLine((path.startsWith(root) ? path.slice(root.length) : path).replace(/^(\.\/)+/, ""));
}

function firstSentence(text: string): string {
  return oneLine(/^.*?[.!?](?=\s|$)/s.exec(text)?.[0] ?? text);
}

/** One line, since each line of a list is an item. */
export function oneLine(text: string): string {
  const flat = text.replaceAll(/\s+/g, " ").trim();
  return flat.length <= MAX_CHARS ? flat : `${flat.slice(0, MAX_CHARS - 1)}…`.toWellFormed();
}
