import type { Fact, Live } from "../../contract/conversation/fact.ts";
import type { CallSession, SessionPorts } from "../ports.ts";
import type { Transcript } from "../transcript/transcript.ts";

/** What a turn works with. The session makes it and owns all of it. */
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
  /** What is held is durable when it resolves. */
  flush(): Promise<void>;
  /** What was handed over to be stored is durable when it resolves. */
  stored(): Promise<void>;
  live(live: Live): void;
  /** The session as dispatch sees it now. */
  calls(): CallSession;
  /** Why nothing can be written any more, once that is so. */
  conflict(): Error | undefined;
  /** Observers that may end after the turn. */
  background(work: Promise<unknown>): void;
}
