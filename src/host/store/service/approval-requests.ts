import type { PendingApproval, ApprovalReply } from "../../../contract/services/approval-service.ts";
import type { Answer } from "../../../contract/conversation/question.ts";
import type { DatabaseFile } from "../facts/database-file.ts";
import { isDead, thisProcess } from "../facts/process-owner.ts";
import type { SqliteStore } from "../facts/sqlite-store.ts";
import { watchStore } from "../facts/watch-store.ts";

/** The database's own clock, in epoch ms: all processes of one home share it. */
const NOW = "CAST(unixepoch('subsec') * 1000 AS INTEGER)";
/** How long a settled question stays, so that a late answer is refused with its outcome. */
const RETAINED_MS = 3_600_000;

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS approval_requests (id TEXT PRIMARY KEY, surface TEXT NOT NULL, question TEXT NOT NULL, at_terminal INTEGER NOT NULL, asked_at INTEGER NOT NULL, until_at INTEGER NOT NULL, owner TEXT NOT NULL, answer TEXT) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS approval_watchers (owner TEXT PRIMARY KEY, until_at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
`;

/** The result of storing an answer from another process. */
export type Stored = "stored" | "unknown" | "closed" | "at a terminal" | "not offered";

/**
 * Questions that wait for the user, and their answers, shared by the processes of a home. The first answer that is
 * stored counts; no later one replaces it.
 */
export interface ApprovalRequests {
  /** Adds a question of this process. `answerMs`: how long another process may answer it. */
  open(request: Omit<PendingApproval, "askedAt" | "untilAt">, answerMs: number): Promise<void>;
  /** Stores the answer of the process that asked. @returns the answer that counts. */
  settle(id: string, answer: Answer): Promise<Answer>;
  /** Stores an answer from elsewhere, if the question still waits and offers it. */
  reply(id: string, reply: ApprovalReply): Promise<Stored>;
  /** The stored answer, as soon as there is one. Stays open if `signal` aborts first. */
  answered(id: string, signal: AbortSignal): Promise<Answer>;
  /** Questions of living processes that wait, oldest first. */
  pending(): Promise<readonly PendingApproval[]>;
  /** Notes that a user of this process sees pending questions for so long; 0 ends that. */
  watch(forMs: number): Promise<void>;
  /** Whether a user sees pending questions in any process. */
  watched(): Promise<boolean>;
}

/** The tables are made with the first question. Their rows need not survive a power cut: the processes do not either. */
export async function openApprovalRequests(store: SqliteStore): Promise<ApprovalRequests> {
  const write = <T>(work: (file: DatabaseFile) => T): Promise<T> => store.quickly(work);
  await write((file) => file.database.exec(SCHEMA));
  return {
    open: ({ id, surface, question, atTerminal }, answerMs) =>
      write((file) => {
        file.statement(`DELETE FROM approval_requests WHERE until_at < ${NOW} - ?`).run(RETAINED_MS);
        file
          .statement(`INSERT INTO approval_requests VALUES (?1, ?2, ?3, ?4, ${NOW}, ${NOW} + ?5, ?6, NULL)`)
          .run(
            id,
            surface,
            JSON.stringify(question),
            atTerminal ? 1 : 0,
            Math.max(0, Math.floor(answerMs)),
            JSON.stringify(thisProcess()),
          );
      }),
    settle: (id, answer) =>
      write((file) => {
        file
          .statement("UPDATE approval_requests SET answer = ?2 WHERE id = ?1 AND answer IS NULL")
          .run(id, JSON.stringify(answer));
        return answerIn(file, id) ?? answer;
      }),
    reply: (id, reply) =>
      write((file) => {
        const row = file.statement(`SELECT *, until_at > ${NOW} AS open FROM approval_requests WHERE id = ?`).get(id);
        if (row === undefined) return "unknown";
        if (row["at_terminal"] === 1) return "at a terminal";
        if (row["answer"] !== null || row["open"] !== 1 || isDead(String(row["owner"]))) return "closed";
        const { scopes } = JSON.parse(String(row["question"])) as PendingApproval["question"];
        if (reply.kind === "approved" && !scopes.includes(reply.scope)) return "not offered";
        file
          .statement("UPDATE approval_requests SET answer = ?2 WHERE id = ?1 AND answer IS NULL")
          .run(id, JSON.stringify(reply));
        return "stored";
      }),
    answered: (id, signal) => answered(store, id, signal),
    pending: () =>
      store.lookup((file) =>
        file
          .statement(`SELECT * FROM approval_requests WHERE answer IS NULL AND until_at > ${NOW} ORDER BY asked_at`)
          .all()
          .flatMap((row) => (isDead(String(row["owner"])) ? [] : [requestOf(row)])),
      ),
    watch: (forMs) =>
      write((file) => {
        file
          .statement(
            `INSERT INTO approval_watchers VALUES (?1, ${NOW} + ?2) ON CONFLICT (owner) DO UPDATE SET until_at = ${NOW} + ?2`,
          )
          .run(JSON.stringify(thisProcess()), forMs);
        file.statement(`DELETE FROM approval_watchers WHERE until_at <= ${NOW}`).run();
      }),
    watched: () =>
      store.lookup((file) =>
        file
          .statement(`SELECT owner FROM approval_watchers WHERE until_at > ${NOW}`)
          .all()
          .some(({ owner }) => !isDead(String(owner))),
      ),
  };
}

function answered(store: SqliteStore, id: string, signal: AbortSignal): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const look = (): void => {
      if (signal.aborted) return;
      store.lookup((file) => answerIn(file, id)).then((answer) => answer !== undefined && resolve(answer), reject);
    };
    const watching = watchStore(store.path, look);
    signal.addEventListener("abort", () => watching[Symbol.dispose](), { once: true });
    look();
  });
}

function answerIn(file: DatabaseFile, id: string): Answer | undefined {
  const answer = file.statement("SELECT answer FROM approval_requests WHERE id = ?").get(id)?.["answer"];
  return typeof answer === "string" ? (JSON.parse(answer) as Answer) : undefined;
}

function requestOf(row: Readonly<Record<string, unknown>>): PendingApproval {
  return {
    id: String(row["id"]),
    surface: String(row["surface"]),
    question: JSON.parse(String(row["question"])) as PendingApproval["question"],
    atTerminal: row["at_terminal"] === 1,
    askedAt: Number(row["asked_at"]),
    untilAt: Number(row["until_at"]),
  };
}
