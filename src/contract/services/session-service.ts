import type { Recorded } from "../conversation/fact.ts";
import type { SessionView } from "../conversation/session.ts";

export interface SessionService {
  /** @param options.whose Only those of this person of a chat. */
  list(options?: {
    readonly limit?: number;
    readonly surface?: string;
    readonly whose?: string;
  }): Promise<readonly SessionSummary[]>;
  /** By id, unique start of an id, or title. @throws {UserError} that lists the candidates. */
  find(idOrTitle: string): Promise<SessionSummary>;
  /** Sessions that contain messages: a tool called by hand leaves a session that no one resumes. */
  latest(surface?: string): Promise<SessionSummary | undefined>;
  view(id: string): Promise<SessionView>;
  facts(id: string): AsyncIterable<Recorded>;
  /**
   * The facts of the session with exactly this id, for a caller that stored the id: a session that was deleted, pruned
   * or never written is an empty conversation.
   * @param after Only facts with a higher `seq`. Default 0.
   */
  factsOf(sessionId: string, after?: number): AsyncIterable<Recorded>;
  /**
   * Sessions with the words, newest first, each with its best message. `snippet` marks hits with `>>>` and `<<<`. Of a
   * message the first 32,000 characters are searched, of a tool's result 4,000.
   */
  search(
    words: string,
    options?: SessionSearchOptions,
  ): Promise<
    readonly {
      readonly session: SessionSummary;
      readonly seq: number;
      readonly role: string;
      readonly snippet: string;
      readonly at: number;
    }[]
  >;
  rename(id: string, title: string): Promise<void>;
  /** A copy up to `seq` (default: all) that goes its own way, in its own folder where `cwd` names one. */
  branch(id: string, seq?: number, cwd?: string): Promise<SessionSummary>;
  remove(id: string): Promise<void>;
  prune(options: { readonly olderThanMs: number; readonly dryRun?: boolean }): Promise<readonly SessionSummary[]>;
  /**
   * Takes sessions of the Python original out of its `state.db`, by default the one in the home. Those that are here
   * already stay. @throws {UserError}
   */
  importOriginal(path?: string): Promise<ImportedSessions>;
}

export interface SessionSearchOptions {
  /** Sessions. Default 20. */
  readonly limit?: number;
  /** List only sessions of this chat user. */
  readonly whose?: string;
  /** Only messages of these roles: `user`, `assistant`, `tool`, `title`, `summary`. */
  readonly roles?: readonly string[];
  /** Called when so many messages match that only the newest `count` were looked at: older sessions may be missing. */
  readonly onlyNewest?: (count: number) => void;
}

export interface ImportedSessions {
  readonly imported: number;
  /** Were here already. */
  readonly known: number;
  /** Sessions without messages. */
  readonly empty: number;
  /** The number that the file has for its layout. */
  readonly layout: number;
}

export interface SessionSummary {
  readonly id: string;
  readonly title: string | undefined;
  readonly surface: string;
  readonly cwd: string;
  readonly startedAt: number;
  readonly lastAt: number;
  readonly turns: number;
  readonly messages: number;
  readonly toolCalls: number;
  /** Requests to a model. */
  readonly apiCalls: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** USD of all requests whose cost is known, with those of subagents and side tasks. */
  readonly costUsd: number | undefined;
  /** Requests whose cost is unknown. Absent: none. */
  readonly unknownCosts?: number;
  readonly model: string | undefined;
  readonly preview: string;
  /** The session's last turn started and did not end. */
  readonly interrupted: boolean;
  readonly parentId: string | undefined;
  /** The chat user of the session, if that is not the owner. */
  readonly whose?: string;
}
