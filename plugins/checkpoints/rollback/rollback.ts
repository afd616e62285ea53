import { judgeCommand, UserError, type Fact, type PluginContext } from "hermes-agent/plugin";
import type { CheckpointService, RolledBack, ScopePlan } from "../checkpoint-service.ts";
import { diffOf } from "../snapshot/diff-of.ts";
import { pickTurn, type UndoableTurn } from "./undoable-turn.ts";

/** The result of a rollback, also printed as JSON. */
export interface RollbackReport extends RolledBack {
  /** Known effects of the undone turns other than file changes. */
  readonly notUndone: readonly string[];
  /** The conversation as it was before; absent when only one file was restored. */
  readonly sessionId?: string;
}

/** User operations on checkpoints: they change files and the conversation together. */
export class Rollback {
  readonly #service: CheckpointService;
  readonly #sessions: PluginContext["sessions"];
  readonly #home: string;

  constructor(service: CheckpointService, context: PluginContext, home: string) {
    this.#service = service;
    this.#sessions = context.sessions;
    this.#home = home;
  }

  async list(sessionId: string): Promise<readonly UndoableTurn[]> {
    return this.#service.turns(new Set(turnsOf(await this.#facts(sessionId)).keys()));
  }

  /** The changes that undoing this turn and all later ones would make, as unified diffs. */
  async diff(sessionId: string, which: string): Promise<string> {
    const { checkpoints } = pickTurn(await this.list(sessionId), which);
    const plans = await this.#service.plan(checkpoints);
    return diffOf(plans, (hash) => this.#service.content(hash));
  }

  /**
   * Undoes a turn and all later ones: files and, unless one `file` is named, the conversation, which continues in a
   * copy that ends before the turn. Changes that the user made stay.
   */
  async restore(sessionId: string, which: string, file?: string): Promise<RollbackReport> {
    const { turn, checkpoints } = pickTurn(await this.list(sessionId), which);
    const plans = await this.#service.plan(checkpoints, file);
    if (file !== undefined && plans.every(({ steps }) => steps.length === 0))
      throw new UserError(
        `Cannot roll back "${file}": it has not changed since that turn, or no checkpoint contains it.`,
        {
          hint: "Omit the file to undo all files of the turn.",
          exitCode: 2,
        },
      );
    const facts = await this.#facts(sessionId);
    const branch =
      file === undefined
        ? await this.#sessions.branch(sessionId, Math.max(1, (turnsOf(facts).get(turn.turnId) ?? 2) - 1))
        : undefined;
    const done = await this.#service.carryOut(plans, {
      sessionId: branch?.id ?? sessionId,
      cameFrom: sessionId,
      label: `rollback to before “${turn.label}”`,
    });
    const undone = file === undefined ? await this.#notUndone(facts, turn.turnId, plans) : [];
    return { ...done, notUndone: undone, sessionId: branch?.id };
  }

  /** Reverses the newest rollback, and the conversation with it. */
  async redo(sessionId: string): Promise<RollbackReport> {
    const rollback = this.#service.lastRollback(sessionId);
    const [first] = rollback;
    if (first === undefined) throw new UserError("There is no rollback to redo in this conversation.", { exitCode: 2 });
    const plans = await this.#service.plan(rollback);
    const done = await this.#service.carryOut(plans);
    // A rollback can be redone once; after that, the one before it can be redone.
    await this.#service.forget(rollback);
    return { ...done, notUndone: [], sessionId: first.cameFrom === sessionId ? undefined : first.cameFrom! };
  }

  #facts(sessionId: string): Promise<readonly { readonly seq: number; readonly fact: Fact }[]> {
    return Array.fromAsync(this.#sessions.facts(sessionId));
  }

  /** Calls since the turn began whose effects go beyond files that checkpoints cover. */
  async #notUndone(
    facts: readonly { readonly fact: Fact }[],
    turnId: string,
    plans: readonly ScopePlan[],
  ): Promise<readonly string[]> {
    const from = facts.findIndex(({ fact }) => fact.type === "turn.started" && fact.turnId === turnId);
    const ran = new Set(facts.flatMap(({ fact }) => (fact.type === "tool.started" ? [fact.callId] : [])));
    const message: string[] = [];
    for (const { fact } of facts.slice(from)) {
      if (
        fact.type !== "tool.called" ||
        !ran.has(fact.callId) ||
        fact.effect === "none" ||
        fact.effect === "read" ||
        fact.effect === "write"
      )
        continue;
      const command = fact.args?.["command"];
      const subject = typeof command === "string" ? command : `${fact.tool} ${JSON.stringify(fact.args ?? {})}`;
      if (typeof command === "string" && (await this.#onlyFiles(command, plans))) continue;
      message.push(subject.length > 120 ? `${subject.slice(0, 119)}…` : subject);
    }
    return [...new Set(message)];
  }

  async #onlyFiles(command: string, plans: readonly ScopePlan[]): Promise<boolean> {
    const [cwd = "/"] = plans.map(({ scope }) => scope.root);
    const { effects } = await judgeCommand(command, { cwd, home: this.#home });
    return effects.every((effect) => {
      if (effect.kind === "read") return true;
      if (effect.kind !== "write" && effect.kind !== "delete" && effect.kind !== "mode") return false;
      return (
        effect.path !== undefined &&
        plans.some(({ scope }) => effect.path === scope.root || effect.path!.startsWith(`${scope.root}/`))
      );
    });
  }
}

/** Sequence number of the fact that began each turn. */
function turnsOf(facts: readonly { readonly seq: number; readonly fact: Fact }[]): ReadonlyMap<string, number> {
  return new Map(facts.flatMap(({ seq, fact }) => (fact.type === "turn.started" ? [[fact.turnId, seq] as const] : [])));
}
