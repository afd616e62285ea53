import type { SessionService, SessionSummary } from "../../../contract/services/session-service.ts";
import type { Chance } from "../../../contract/common/clock.ts";
import { definedFields } from "../../../contract/common/defined-fields.ts";
import { UserError } from "../../../contract/common/failure.ts";
import type { Recorded } from "../../../contract/conversation/fact.ts";
import type { SessionView } from "../../../contract/conversation/session.ts";
import { backupStore } from "../repair/backup-store.ts";
import { costQueries } from "./cost-queries.ts";
import { branchFacts } from "../facts/branch-facts.ts";
import { exportSession, type ExportFormat } from "./export-session.ts";
import { newSessionId } from "../facts/session-id.ts";
import type { SessionIndex } from "../index/session-index.ts";
import type { SqliteStore } from "../facts/sqlite-store.ts";

export interface SessionServicePorts {
  readonly store: SqliteStore;
  readonly index: SessionIndex;
  readonly now?: () => number;
  readonly random?: Chance;
}

/** The session service of the store, which can also export and back up. */
export interface StoreService extends Omit<SessionService, "importOriginal" | "factsOf"> {
  /** Pieces of text that make one document. */
  exportSession(idOrTitle: string, format: ExportFormat): AsyncIterable<string>;
  /** A whole copy of the store as of now, through SQLite's own backup. Returns the path. */
  backup(targetPath: string): Promise<string>;
}

const TITLE_CHARS = 100;

/** Queries about past sessions. */
export function openSessionService(ports: SessionServicePorts): StoreService {
  const { store, index } = ports;
  const now = ports.now ?? Date.now;

  const withCosts = costsJoiner(store);

  async function find(idOrTitle: string): Promise<SessionSummary> {
    const wanted = idOrTitle.trim();
    const exact = await index.get(wanted);
    if (exact !== undefined) return exact;
    const all = wanted === "" ? [] : await index.matching(wanted);
    // A subagent's session begins within the same minute as its parent's.
    const people = all.filter(({ surface }) => surface !== "subagent");
    const found = people.length > 0 ? people : all;
    if (found.length === 1 && found[0] !== undefined) return found[0];
    if (found.length === 0)
      throw new UserError(`No session has the id or title "${wanted}".`, {
        hint: "`hermes sessions list` shows all sessions; `hermes sessions search WORDS` searches their text.",
        exitCode: 2,
      });
    throw new UserError(`"${wanted}" matches more than one session:\n${found.map(describe).join("\n")}`, {
      hint: "Give more characters of the id.",
      exitCode: 2,
    });
  }

  /** All subagent sessions below a session, at any depth. */
  async function subagentsOf(id: string): Promise<readonly string[]> {
    const all = await index.list({ surface: "subagent" });
    const own = new Set([id]);
    for (let before = 0; before < own.size;) {
      before = own.size;
      for (const { id: child, parentId } of all) if (parentId !== undefined && own.has(parentId)) own.add(child);
    }
    own.delete(id);
    return [...own];
  }

  async function* facts(id: string): AsyncGenerator<Recorded, void, undefined> {
    yield* store.read((await find(id)).id);
  }

  async function view(id: string): Promise<SessionView> {
    const { viewOf } = await import("../../../engine/session/view.ts");
    return viewOf(await Array.fromAsync(facts(id)));
  }

  return {
    list: async (options) => withCosts(await index.list(options)),
    find: async (idOrTitle) => (await withCosts([await find(idOrTitle)]))[0]!,
    latest: async (surface) => (await index.list({ limit: 1, talked: true, surface }))[0],
    view,
    facts,
    search: async (words, options) => {
      const { limit = 20, whose, roles, onlyNewest } = options ?? {};
      const result = await index.search(
        words,
        definedFields({ limit, whose, roles: roles === undefined ? undefined : new Set(roles) }),
      );
      if (result.onlyNewest !== undefined) onlyNewest?.(result.onlyNewest);
      return result.found.map(({ session, seq, role, snippet, at }) => ({ session, seq, role, snippet, at }));
    },
    rename: async (id, title) => {
      const clean = title.replace(/\s+/g, " ").trim();
      if (clean === "") throw new UserError("A session's title cannot be empty.", { exitCode: 2 });
      if (clean.length > TITLE_CHARS)
        throw new UserError(`A session's title has at most ${TITLE_CHARS} characters; this one has ${clean.length}.`, {
          exitCode: 2,
        });
      await store.append((await find(id)).id, [{ type: "session.titled", title: clean }]);
    },
    branch: async (id, seq, cwd) => {
      const parent = await find(id);
      const records = await Array.fromAsync(store.read(parent.id));
      const last = records.length;
      if (seq !== undefined && (!Number.isInteger(seq) || seq < 1 || seq > last))
        throw new UserError(`Session "${parent.id}" has facts 1 to ${last}; it cannot be branched at ${seq}.`, {
          exitCode: 2,
        });
      const branchId = newSessionId(now(), ports.random ?? Math.random);
      await store.copyIn(branchId, branchFacts(records.slice(0, seq), { sessionId: parent.id, now: now(), cwd }));
      const branch = await find(branchId);
      if (branch.title === undefined) return branch;
      await store.append(branchId, [{ type: "session.titled", title: await freeTitle(index, branch.title) }]);
      return find(branchId);
    },
    remove: async (id) => {
      const session = await find(id);
      const subagents = await subagentsOf(session.id);
      const gone = await store.remove([session.id]);
      if (gone.length > 0) return void (await store.remove(subagents));
      const holder = await store.heldBy(session.id);
      throw new UserError(
        `Session "${session.id}" was not removed: ${holder === undefined ? "it no longer exists" : `"${holder}" is using it`}.`,
        { hint: "Stop the running turn first." },
      );
    },
    prune: async ({ olderThanMs, dryRun }) => {
      const old = await index.list({ before: now() - olderThanMs, subagents: true });
      if (dryRun === true || old.length === 0) return old;
      const gone = new Set(await store.remove(old.map(({ id }) => id)));
      return old.filter(({ id }) => gone.has(id));
    },
    exportSession: async function* (idOrTitle, format) {
      const session = await find(idOrTitle);
      yield* exportSession(
        session,
        () => store.read(session.id),
        () => view(session.id),
        format,
      );
    },
    backup: (targetPath) => backupStore(store, targetPath),
  };
}

/** `plan #2`: two sessions with one title could be resumed only by their ids. */
async function freeTitle(index: SessionIndex, title: string): Promise<string> {
  const stem = title.replace(/ #\d+$/, "").slice(0, TITLE_CHARS - 6);
  for (let number = 2; ; number++)
    if ((await index.matching(`${stem} #${number}`)).length === 0) return `${stem} #${number}`;
}

/** Adds what the ledger says; a session from before the ledger, or of the original, has its cost in its facts. */
function costsJoiner(store: SqliteStore) {
  const costs = costQueries(async () => store);
  return async (sessions: readonly SessionSummary[]): Promise<readonly SessionSummary[]> => {
    const sums = await costs.ofSessions(sessions.map(({ id }) => id));
    return sessions.map((session) => {
      const sum = sums.get(session.id);
      if (sum === undefined) return session;
      const known = sum.requests > sum.unknown + sum.open;
      const costUsd = known ? Math.max(sum.costUsd, session.costUsd ?? 0) : session.costUsd;
      return { ...session, costUsd, ...definedFields({ unknownCosts: sum.unknown || undefined }) };
    });
  };
}

function describe(session: SessionSummary): string {
  return `  ${session.id}  ${session.title ?? session.preview}`.trimEnd();
}
