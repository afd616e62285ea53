import type {
  ChatAddress,
  ChatLanes,
  ChatSession,
  DeliveryState,
  Outgoing,
  PendingDelivery,
  ReceivedMessage,
  WaitingMessage,
} from "../../../contract/services/gateway-service.ts";
import type { JsonObject } from "../../../contract/common/json.ts";
import type { PlatformMessage } from "../../../contract/providers/platform.ts";
import type { DatabaseFile } from "../facts/database-file.ts";
import type { SqliteStore } from "../facts/sqlite-store.ts";

/**
 * `chat_inbox`: new → handed → done. `chat_outbox`: waiting → sending → sent, or unknown (a process ended while it
 * sent), or failed. `chat_shows`: in which message the beginning of an answer stands that has not come to the outbox
 * yet. A row that is over keeps its id and loses its words; the conversation has them.
 */
const SCHEMA = `
  CREATE TABLE IF NOT EXISTS chat_inbox (
    id INTEGER PRIMARY KEY AUTOINCREMENT, at INTEGER NOT NULL, platform TEXT NOT NULL, chat_id TEXT NOT NULL, message_id TEXT,
    session_key TEXT NOT NULL, body TEXT NOT NULL, state TEXT NOT NULL, session_id TEXT
  ) STRICT;
  CREATE UNIQUE INDEX IF NOT EXISTS chat_inbox_once ON chat_inbox (platform, chat_id, message_id) WHERE message_id IS NOT NULL;
  CREATE INDEX IF NOT EXISTS chat_inbox_open ON chat_inbox (id) WHERE state <> 'done';
  CREATE TABLE IF NOT EXISTS chat_outbox (
    id INTEGER PRIMARY KEY AUTOINCREMENT, at INTEGER NOT NULL, key TEXT NOT NULL UNIQUE, platform TEXT NOT NULL, chat_id TEXT NOT NULL,
    body TEXT NOT NULL, state TEXT NOT NULL, piece INTEGER NOT NULL DEFAULT 0, why TEXT
  ) STRICT;
  CREATE INDEX IF NOT EXISTS chat_outbox_open ON chat_outbox (id) WHERE state <> 'sent';
  CREATE TABLE IF NOT EXISTS chat_shows (key TEXT PRIMARY KEY, at INTEGER NOT NULL, message_id TEXT NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS webhook_deliveries (
    route TEXT NOT NULL, id TEXT NOT NULL, at INTEGER NOT NULL, reply TEXT NOT NULL, PRIMARY KEY (route, id)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS chat_sessions (session_key TEXT PRIMARY KEY, session_id TEXT NOT NULL, at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
`;

/** The tables are made when chats are first served; the store's format stays what it is. */
export async function openChatLanes(store: SqliteStore, now: () => number): Promise<ChatLanes> {
  await store.transaction((file) => file.database.exec(SCHEMA));
  return {
    ...inboxOf(store, now),
    ...outboxOf(store, now),
    ...chatSessionsOf(store),
    ...deliveriesOf(store, now),
    prune: (beforeAt) =>
      store.transaction((file) => {
        file.statement("DELETE FROM chat_inbox WHERE state = 'done' AND at < ?").run(beforeAt);
        file.statement("DELETE FROM chat_shows WHERE at < ?").run(beforeAt);
        file.statement("DELETE FROM webhook_deliveries WHERE at < ?").run(beforeAt);
        file.statement("DELETE FROM chat_outbox WHERE state NOT IN ('waiting', 'sending') AND at < ?").run(beforeAt);
      }),
  };
}

type Lanes<Member extends keyof ChatLanes> = Pick<ChatLanes, Member>;

/** `chat_inbox`: the received messages. An answer goes to the outbox in the transaction that completes its message. */
function inboxOf(
  store: SqliteStore,
  now: () => number,
): Lanes<"receive" | "join" | "revise" | "backlog" | "hand" | "finish" | "unfinished" | "recentChats"> {
  const write = <T>(work: (file: DatabaseFile) => T): Promise<T> => store.transaction(work);
  return {
    receive: ({ platform, sessionKey, message, done }) =>
      write((file) => {
        const body = done === true ? "{}" : JSON.stringify(message);
        const row = file
          .statement(
            "INSERT INTO chat_inbox (at, platform, chat_id, message_id, session_key, body, state) VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING RETURNING id",
          )
          .get(
            now(),
            platform,
            message.chat_id,
            message.message_id ?? null,
            sessionKey,
            body,
            done === true ? "done" : "new",
          );
        return row === undefined ? "duplicate" : Number(row["id"]);
      }),
    join: ([first, ...others], message) =>
      write((file) => {
        file.statement("UPDATE chat_inbox SET body = ? WHERE id = ?").run(JSON.stringify(message), first!);
        const over = file.statement("UPDATE chat_inbox SET state = 'done', body = '{}' WHERE id = ?");
        for (const id of others) over.run(id);
      }),
    revise: ({ platform, chatId, messageId }, text) =>
      write((file) => {
        const row = file
          .statement("SELECT id, state, body FROM chat_inbox WHERE platform = ? AND chat_id = ? AND message_id = ?")
          .get(platform, chatId, messageId);
        if (row === undefined) return undefined;
        const [id, state] = [Number(row["id"]), row["state"] as "new" | "handed" | "done"];
        if (state === "new" && text === undefined)
          file.statement("UPDATE chat_inbox SET state = 'done', body = '{}' WHERE id = ?").run(id);
        else if (state === "new")
          file.statement("UPDATE chat_inbox SET body = json_set(body, '$.text', ?) WHERE id = ?").run(text!, id);
        return { id, state };
      }),
    backlog: (platform, prefix) =>
      store.lookup((file) => {
        const row = file
          .statement(
            "SELECT count(*) AS everything, count(*) FILTER (WHERE substr(session_key, 1, length(?1)) = ?1) AS own FROM chat_inbox WHERE state <> 'done' AND platform = ?2",
          )
          .get(prefix, platform);
        return { all: Number(row?.["everything"] ?? 0), own: Number(row?.["own"] ?? 0) };
      }),
    hand: (id, sessionId) =>
      write(
        (file) =>
          void file.statement("UPDATE chat_inbox SET state = 'handed', session_id = ? WHERE id = ?").run(sessionId, id),
      ),
    finish: (id, answer) =>
      write((file) => {
        if (answer !== undefined) putAnswer(file, answer, now());
        if (id !== undefined) file.statement("UPDATE chat_inbox SET state = 'done', body = '{}' WHERE id = ?").run(id);
      }),
    unfinished: () =>
      store.lookup((file) =>
        file.statement("SELECT * FROM chat_inbox WHERE state <> 'done' ORDER BY id").all().map(receivedOf),
      ),
    recentChats: () =>
      store.lookup((file) =>
        file
          .statement(
            "SELECT platform, chat_id FROM chat_inbox GROUP BY platform, chat_id ORDER BY max(id) DESC LIMIT 50",
          )
          .all()
          .map((row): ChatAddress => ({ platform: String(row["platform"]), chatId: String(row["chat_id"]) })),
      ),
  };
}

/** `chat_outbox` and `chat_shows`: the messages to send, and the answers that are shown before they are complete. */
function outboxOf(
  store: SqliteStore,
  now: () => number,
): Lanes<
  | "showing"
  | "waiting"
  | "delivery"
  | "sending"
  | "apart"
  | "sent"
  | "unsent"
  | "unsure"
  | "again"
  | "pendingDeliveries"
  | "resend"
> {
  const write = <T>(work: (file: DatabaseFile) => T): Promise<T> => store.transaction(work);
  return {
    showing: (key, messageId) =>
      write((file) => {
        if (messageId === undefined) file.statement("DELETE FROM chat_shows WHERE key = ?").run(key);
        else
          file
            .statement("INSERT INTO chat_shows VALUES (?1, ?2, ?3) ON CONFLICT (key) DO UPDATE SET message_id = ?3")
            .run(key, now(), messageId);
      }),
    waiting: (after) =>
      store.lookup((file) =>
        file
          .statement("SELECT * FROM chat_outbox WHERE state = 'waiting' AND id > ? ORDER BY id")
          .all(after)
          .map(waitingOf),
      ),
    delivery: (key) =>
      store.lookup((file): DeliveryState | undefined => {
        const row = file.statement("SELECT state, why FROM chat_outbox WHERE key = ?").get(key);
        return row === undefined
          ? undefined
          : {
              state: row["state"] as DeliveryState["state"],
              why: row["why"] === null ? undefined : String(row["why"]),
            };
      }),
    sending: (id) =>
      write((file) => void file.statement("UPDATE chat_outbox SET state = 'sending' WHERE id = ?").run(id)),
    // Empty and not taken out: the pieces stay what they are.
    apart: (id) =>
      write(
        (file) =>
          void file.statement("UPDATE chat_outbox SET body = json_set(body, '$.edits', '') WHERE id = ?").run(id),
      ),
    sent: (id, piece, last) =>
      write(
        (file) =>
          void file
            .statement(`UPDATE chat_outbox SET state = ?, piece = ?${last ? ", body = '{}'" : ""} WHERE id = ?`)
            .run(last ? "sent" : "waiting", piece, id),
      ),
    unsent: (id, why, final) =>
      write(
        (file) =>
          void file
            .statement("UPDATE chat_outbox SET state = ?, why = ? WHERE id = ?")
            .run(final ? "failed" : "waiting", why, id),
      ),
    unsure: (doubt, id) =>
      write((file) => {
        // To write the same into the same message twice does no harm.
        file
          .statement(
            "UPDATE chat_outbox SET state = 'waiting' WHERE state = 'sending' AND piece = 0 AND nullif(json_extract(body, '$.edits'), '') IS NOT NULL AND id = coalesce(?, id)",
          )
          .run(id ?? null);
        const rows = file
          .statement("SELECT * FROM chat_outbox WHERE state = 'sending' AND id = coalesce(?, id) ORDER BY id")
          .all(id ?? null)
          .map(waitingOf);
        for (const row of rows) {
          file.statement("UPDATE chat_outbox SET state = 'unknown' WHERE id = ?").run(row.id);
          putAnswer(file, doubt(row), now());
        }
        return rows;
      }),
    pendingDeliveries: (most) =>
      store.lookup((file) =>
        file
          .statement("SELECT * FROM chat_outbox WHERE state <> 'sent' ORDER BY id DESC LIMIT ?")
          .all(most)
          .map(pendingOf),
      ),
    // A running gateway has seen the old id already, and looks only for later ones.
    resend: (id) =>
      write((file) => {
        const { changes } = file
          .statement(
            "UPDATE chat_outbox SET state = 'waiting', why = NULL, id = (SELECT max(id) + 1 FROM chat_outbox) WHERE state IN ('unknown', 'failed') AND id = ?",
          )
          .run(id);
        return Number(changes) > 0;
      }),
    again: ({ platform, chatId }: ChatAddress) =>
      write((file) => {
        const { changes } = file
          .statement(
            "UPDATE chat_outbox SET state = 'waiting' WHERE state IN ('unknown', 'failed') AND platform = ? AND chat_id = ?",
          )
          .run(platform, chatId);
        return Number(changes);
      }),
  };
}

/** `chat_sessions`: the session of each chat. */
function chatSessionsOf(store: SqliteStore): Lanes<"chat" | "noteChat"> {
  return {
    chat: (sessionKey) =>
      store.lookup((file): ChatSession | undefined => {
        const row = file.statement("SELECT session_id, at FROM chat_sessions WHERE session_key = ?").get(sessionKey);
        return row === undefined
          ? undefined
          : { sessionKey, sessionId: String(row["session_id"]), at: Number(row["at"]) };
      }),
    noteChat: ({ sessionKey, sessionId, at }) =>
      store.transaction(
        (file) =>
          void file
            .statement(
              "INSERT INTO chat_sessions VALUES (?1, ?2, ?3) ON CONFLICT (session_key) DO UPDATE SET session_id = ?2, at = ?3",
            )
            .run(sessionKey, sessionId, at),
      ),
  };
}

/** `webhook_deliveries`: what each route has handled, with its reply. */
function deliveriesOf(store: SqliteStore, now: () => number): Lanes<"noteDelivery" | "delivered"> {
  const replyOf = (file: DatabaseFile, route: string, id: string): JsonObject | undefined => {
    const row = file.statement("SELECT reply FROM webhook_deliveries WHERE route = ? AND id = ?").get(route, id);
    return row === undefined ? undefined : (JSON.parse(String(row["reply"])) as JsonObject);
  };
  return {
    delivered: (route, id) => store.lookup((file) => replyOf(file, route, id)),
    noteDelivery: (route, id, reply) =>
      store.transaction((file) => {
        const before = replyOf(file, route, id);
        if (before === undefined)
          file
            .statement("INSERT INTO webhook_deliveries VALUES (?, ?, ?, ?)")
            .run(route, id, now(), JSON.stringify(reply));
        return before;
      }),
  };
}

/** Replaces the message that shows the beginning of the answer, if there is one. */
function putAnswer(file: DatabaseFile, { key, ...body }: Outgoing, at: number): void {
  const shows = file.statement("DELETE FROM chat_shows WHERE key = ? RETURNING message_id").get(key);
  const saved = shows === undefined ? body : { ...body, edits: String(shows["message_id"]) };
  file
    .statement(
      "INSERT INTO chat_outbox (at, key, platform, chat_id, body, state) VALUES (?, ?, ?, ?, ?, 'waiting') ON CONFLICT (key) DO NOTHING",
    )
    .run(at, key, body.to.platform, body.to.chatId, JSON.stringify(saved));
}

type Row = Readonly<Record<string, unknown>>;

function receivedOf(row: Row): ReceivedMessage {
  const sessionId = row["session_id"];
  return {
    id: Number(row["id"]),
    platform: String(row["platform"]),
    sessionKey: String(row["session_key"]),
    message: JSON.parse(String(row["body"])) as PlatformMessage,
    sessionId: typeof sessionId === "string" ? sessionId : undefined,
  };
}

function pendingOf(row: Row): PendingDelivery {
  const { to, text, files } = waitingOf(row);
  return {
    id: Number(row["id"]),
    at: Number(row["at"]),
    to,
    text,
    files: files?.length ?? 0,
    state: row["state"] as DeliveryState["state"],
    why: row["why"] === null ? undefined : String(row["why"]),
  };
}

function waitingOf(row: Row): WaitingMessage {
  return {
    ...(JSON.parse(String(row["body"])) as Omit<Outgoing, "key">),
    key: String(row["key"]),
    id: Number(row["id"]),
    piece: Number(row["piece"]),
  };
}
