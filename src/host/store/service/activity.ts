import type { ActivityService, OpenCall, OpenTurn, StoreChange } from "../../../contract/services/activity-service.ts";
import { maskRecorded, type Mask } from "../../masking/mask-fact.ts";
import type { DatabaseFile } from "../facts/database-file.ts";
import { liveLease } from "../facts/leases.ts";
import type { SqliteStore } from "../facts/sqlite-store.ts";
import { watchStore } from "../facts/watch-store.ts";

/** More are not worth sending one by one. */
const MOST = 2_000;

/** Follows the store's facts, whichever process writes them. */
export function openActivity(store: SqliteStore, mask: Mask): ActivityService {
  async function* watch({
    signal,
    after,
  }: {
    readonly signal: AbortSignal;
    readonly after?: number;
  }): AsyncGenerator<StoreChange, void, undefined> {
    let woken = Promise.withResolvers<void>();
    const wake = (): void => woken.resolve();
    using _own = store.onChange(wake);
    using _others = watchStore(store.path, wake);
    signal.addEventListener("abort", wake, { once: true });
    try {
      let { lastId, removals } = await store.standing(0);
      let seenRemovals = removals;
      // A position beyond the last fact belongs to another store.
      let position = Math.min(after ?? lastId, lastId);
      for (let first = true; !signal.aborted; first = false) {
        if (!first) ({ lastId, removals } = await store.standing(0));
        yield await changeFrom(position, lastId, removals !== seenRemovals);
        [position, seenRemovals] = [lastId, removals];
        await woken.promise;
        woken = Promise.withResolvers();
      }
    } finally {
      signal.removeEventListener("abort", wake);
    }
  }

  async function changeFrom(position: number, lastId: number, removed: boolean): Promise<StoreChange> {
    if (lastId - position > MOST) return { position: lastId, facts: [], removed, skipped: true };
    const changes = lastId === position ? [] : await store.changes(position, lastId - position);
    const facts = changes.map(({ sessionId, recorded }) => ({ sessionId, recorded: maskRecorded(recorded, mask) }));
    return { position: lastId, facts, removed, skipped: false };
  }

  return {
    watch,
    openTurns: () =>
      store.lookup((file) =>
        file
          .statement("SELECT session_id FROM sessions WHERE open_turn IS NOT NULL")
          .all()
          .map((row): OpenTurn => {
            const sessionId = String(row["session_id"]);
            const live = liveLease(file, sessionId) !== undefined;
            return { sessionId, live, calls: live ? openCalls(file, sessionId) : [] };
          }),
      ),
    async draft(sessionId) {
      const draft = await store.draft(sessionId);
      return draft === undefined ? undefined : { ...draft, text: mask(draft.text) };
    },
  };
}

const NEWEST = `
  SELECT json_extract(body, '$.type') AS type, json_extract(body, '$.callId') AS call, json_extract(body, '$.tool') AS tool
  FROM facts WHERE session_id = ? ORDER BY seq DESC
`;

/** Reads back to the start of the turn. */
function openCalls(file: DatabaseFile, sessionId: string): readonly OpenCall[] {
  const ended = new Set<unknown>();
  const decided = new Set<unknown>();
  const asked = new Set<unknown>();
  const open: OpenCall[] = [];
  for (const { type, call, tool } of file.statement(NEWEST).iterate(sessionId)) {
    if (type === "turn.started") break;
    if (type === "tool.settled") ended.add(call);
    else if (type === "approval.given") decided.add(call);
    else if (type === "approval.asked" && !decided.has(call)) asked.add(call);
    else if (type === "tool.called" && !ended.has(call))
      open.unshift({ callId: String(call), tool: String(tool), approval: asked.has(call) });
  }
  return open;
}
