import type { Fact } from "../../contract/conversation/fact.ts";
import { SESSION_GRANTS } from "../approval/approvers.ts";
import { defers } from "../tools/deferred-tools.ts";
import { OfferedTools, type Offered } from "../tools/offered-tools.ts";
import type { CallSession, ChildRequest, Grants, RequestSources, SessionOptions, SessionTools } from "../ports.ts";
import type { SessionLog } from "./session-log.ts";

type SessionCallPorts = SessionTools & Pick<RequestSources, "prefix">;

/**
 * A session as its calls see it: what they may call, what they leave in its facts, what their subagents have in common
 * with it.
 */
export class SessionCalls {
  readonly #ports: SessionCallPorts;
  readonly #options: SessionOptions;
  readonly #log: SessionLog;
  readonly #queue: CallSession["queue"];
  #carried: { readonly hash: string; readonly names: ReadonlySet<string> } = { hash: "", names: new Set() };
  /** Given for the session; a subagent has those of its parent. */
  readonly #grants: Grants;

  constructor(ports: SessionCallPorts, options: SessionOptions, log: SessionLog, queue: CallSession["queue"]) {
    this.#ports = ports;
    this.#options = options;
    this.#log = log;
    this.#queue = queue;
    this.#grants = options.subagent?.grants ?? {
      get: () => log.transcript.state.get(SESSION_GRANTS),
      set: (value) => log.write([{ type: "state.set", key: SESSION_GRANTS, value }]),
    };
  }

  /** Names of the tools in the session's prefix, and of those deferred there. */
  offered(): Offered {
    return new OfferedTools(this.#inRequests(), () => this.#held());
  }

  #inRequests(): ReadonlySet<string> {
    const { prefix } = this.#log.transcript;
    if (prefix !== undefined && prefix.hash !== this.#carried.hash)
      this.#carried = { hash: prefix.hash, names: new Set(prefix.tools.map((tool) => tool.name)) };
    return this.#carried.names;
  }

  #held(): readonly string[] {
    const { prefix } = this.#log.transcript;
    if (prefix === undefined || !defers(prefix.tools)) return [];
    const carried = this.#inRequests();
    return (this.#ports.selected?.() ?? []).filter((name) => !carried.has(name));
  }

  /** @param hold Absent: nothing is held. */
  session(hold?: CallSession["hold"]): CallSession {
    const { sessionId, surface, cwd, whose, yolo, prompter } = this.#options;
    const { untrusted, subagent, state } = this.#log.transcript;
    const { openChild } = this.#ports;
    return {
      sessionId,
      taskId: sessionId,
      surface,
      cwd,
      whose,
      yolo,
      prompter,
      offered: this.offered(),
      held: () => this.#held(),
      wouldOffer: this.#log.transcript.prefix === undefined ? () => this.#wouldOffer() : undefined,
      record: (facts) => this.#record(facts),
      hold,
      live: (live) => this.#log.live(live),
      state: (key) => (key === SESSION_GRANTS ? this.#grants.get() : state.get(key)),
      get untrusted() {
        return untrusted.state; // Calls inside a call bring words in while it runs.
      },
      queue: this.#queue,
      subagent,
      openChild:
        openChild === undefined
          ? undefined
          : (child: ChildRequest) =>
              openChild(child, {
                offered: this.offered(),
                untrusted: untrusted.state,
                grants: this.#grants,
                chosen: this.#log.transcript.model,
              }),
    };
  }

  async #wouldOffer(): Promise<ReadonlySet<string>> {
    const { sessionId, surface, cwd, prompter } = this.#options;
    const { tools } = await this.#ports.prefix({
      sessionId,
      surface,
      prompter: prompter !== undefined,
      cwd,
      model: "",
    });
    return new Set(tools.map(({ name }) => name));
  }

  /** A session approval that a subagent's question received also holds for its parent. */
  async #record(facts: readonly Fact[]): Promise<void> {
    const shared = this.#options.subagent?.grants;
    if (shared !== undefined)
      for (const fact of facts)
        if (fact.type === "state.set" && fact.key === SESSION_GRANTS) await shared.set(fact.value);
    await this.#log.write(facts);
  }
}
