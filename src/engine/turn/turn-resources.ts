import type { Fact, Live } from "../../contract/conversation/fact.ts";
import type { CallSession, SessionPorts } from "../ports.ts";
import type { Transcript } from "../transcript/transcript.ts";

/** The resources of a turn. The session creates and owns all of them. */
export interface TurnResources {
  readonly ports: SessionPorts;
  readonly sessionId: string;
  readonly surface: string;
  readonly cwd: string;
  readonly prompter: boolean;
  readonly transcript: Transcript;
  /** Durable, applied to the transcript and shown when it resolves. */
  write(facts: readonly Fact[]): Promise<void>;
  /** Applied to the transcript at once; durable and shown before what is written next, and within some milliseconds. */
  hold(facts: readonly Fact[]): void;
  /** Something is held that is not durable yet. */
  holding(): boolean;
  /** Resolves when the deferred facts are durable. */
  flush(): Promise<void>;
  /** Resolves when all submitted facts are durable. */
  stored(): Promise<void>;
  live(live: Live): void;
  /** The session as dispatch sees it now. */
  calls(): CallSession;
  /** Why nothing can be written any more, once that is so. */
  conflict(): Error | undefined;
  /** Observers that may end after the turn. */
  background(work: Promise<unknown>): void;
}
