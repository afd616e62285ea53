import type { Fact } from "../../../contract/conversation/fact.ts";

export interface Subagent {
  readonly goal: string;
  /** What it does now, in a few words. */
  readonly doing: string;
  /** By `performance.now()`. */
  readonly since: number;
  /** The subagent that it works for; `undefined`: the call. */
  readonly parentId?: string;
  readonly ended?: Pick<Extract<Fact, { type: "subagent.ended" }>, "reason" | "durationMs">;
}

/** A subagent, and the lines before its own: `│  ├ `. */
export interface Branch {
  readonly subagent: Subagent;
  readonly lines: string;
}

/** The subagents of one call, and theirs. */
export class SubagentTree {
  readonly #all = new Map<string, Subagent>();

  /** Adds a subagent, or what is new about it. */
  update(sessionId: string, news: Partial<Omit<Subagent, "since">>): void {
    const before = this.#all.get(sessionId) ?? { goal: "", doing: "", since: performance.now() };
    // A goal that is not new is not reported again.
    const given = Object.fromEntries(Object.entries(news).filter(([, value]) => value !== undefined && value !== ""));
    this.#all.set(sessionId, { ...before, ...given });
  }

  /** From top to bottom. @param nested With the subagents of subagents, which are not stored. */
  branches(nested: boolean): readonly Branch[] {
    return this.#below(undefined, "", nested);
  }

  #below(parentId: string | undefined, before: string, nested: boolean): readonly Branch[] {
    const children = [...this.#all].filter(([, subagent]) => subagent.parentId === parentId);
    return children.flatMap(([sessionId, subagent], at) => {
      const last = at === children.length - 1;
      const lines = `${before}${last ? "└" : "├"} `;
      const deeper = nested ? this.#below(sessionId, `${before}${last ? "  " : "│ "}`, nested) : [];
      return [{ subagent, lines }, ...deeper];
    });
  }
}
