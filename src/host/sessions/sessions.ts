import { UserError } from "../../contract/common/failure.ts";
import type { Notice } from "../../contract/common/notice.ts";
import type { ActivityService } from "../../contract/services/activity-service.ts";
import type { CostService } from "../../contract/services/cost-service.ts";
import type { SessionService } from "../../contract/services/session-service.ts";
import type { Logger } from "../../contract/common/logger.ts";
import type { Home } from "../environment/home.ts";
import { maskAll, maskRecorded, maskView, type Mask } from "../masking/mask-fact.ts";
import type { StoreService } from "../store/service/session-service.ts";
import type { SqliteStore } from "../store/facts/sqlite-store.ts";

/** The store and everything asked of it; neither file is opened before something needs it. */
export interface Sessions extends AsyncDisposable {
  store(): Promise<SqliteStore>;
  readonly service: SessionService;
  readonly costs: CostService;
  readonly activity: ActivityService;
  /** A whole copy of the store, as a file that does not exist yet. */
  backup(target: string): Promise<string>;
  notices(): readonly Notice[];
}

export function openSessions({
  mask,
  ...ports
}: {
  readonly home: Home;
  readonly log: Logger;
  /** For what was stored before a value was known. */ readonly mask: Mask;
}): Sessions {
  let storing: Promise<SqliteStore> | undefined;
  let listing: Promise<{ readonly service: StoreService; readonly index: AsyncDisposable }> | undefined;
  let opened: SqliteStore | undefined;

  function store(): Promise<SqliteStore> {
    storing ??= (async () => {
      const { openSqliteStore } = await import("../store/facts/open-store.ts");
      opened = await openSqliteStore({ home: ports.home.path, log: ports.log });
      return opened;
    })().catch((cause: unknown) => {
      storing = undefined; // A lock or a full disk may be gone when it is asked for again.
      throw cause;
    });
    return storing;
  }

  const costs = async () => (await import("../store/service/cost-queries.ts")).costQueries(store);

  const activity = async () => (await import("../store/service/activity.ts")).openActivity(await store(), mask);

  async function service(): Promise<StoreService> {
    listing ??= (async () => {
      const [{ SessionIndex }, { openSessionService }, { indexFile }, facts] = await Promise.all([
        import("../store/index/session-index.ts"),
        import("../store/service/session-service.ts"),
        import("../store/facts/store-files.ts"),
        store(),
      ]);
      const index = new SessionIndex({ path: indexFile(ports.home.path), store: facts, log: ports.log });
      return { index, service: openSessionService({ store: facts, index }) };
    })().catch((cause: unknown) => {
      listing = undefined;
      throw cause;
    });
    return (await listing).service;
  }

  return {
    store,
    notices: () => opened?.notices ?? [],
    backup: async (target) => (await service()).backup(target),
    costs: {
      ofSession: async (sessionId) => (await costs()).ofSession(sessionId),
      ofTurn: async (sessionId, turnId) => (await costs()).ofTurn(sessionId, turnId),
      by: async (group, options) => (await costs()).by(group, options),
      rows: async (options) => (await costs()).rows(options),
    },
    activity: {
      async *watch(options) {
        yield* (await activity()).watch(options);
      },
      openTurns: async () => (await activity()).openTurns(),
      draft: async (sessionId) => (await activity()).draft(sessionId),
    },
    service: {
      list: async (options) => (await service()).list(options),
      find: async (idOrTitle) => (await service()).find(idOrTitle),
      latest: async (surface) => (await service()).latest(surface),
      view: async (id) => maskView(await (await service()).view(id), mask),
      async *facts(id) {
        for await (const recorded of (await service()).facts(id)) yield maskRecorded(recorded, mask);
      },
      // From the store alone: a caller with a stored id needs no index.
      async *factsOf(sessionId, after) {
        for await (const recorded of (await store()).read(sessionId, after)) yield maskRecorded(recorded, mask);
      },
      search: async (words, options) => maskAll(await (await service()).search(words, options), mask),
      rename: async (id, title) => (await service()).rename(id, mask(title)),
      branch: async (id, seq, cwd) => (await service()).branch(id, seq, cwd),
      remove: async (id) => (await service()).remove(id),
      prune: async (options) => (await service()).prune(options),
      async importOriginal(path) {
        const [{ importOriginal }, { unknownStateFile }] = await Promise.all([
          import("../store/service/import-original.ts"),
          import("../store/facts/store-files.ts"),
        ]);
        const from = path ?? unknownStateFile(ports.home.path);
        if (from === undefined)
          throw new UserError("There is no session store of the original in this home.", {
            hint: "Name its file: hermes sessions import FILE.",
            exitCode: 2,
          });
        return importOriginal(await store(), from, mask);
      },
    },
    async [Symbol.asyncDispose]() {
      const [listed, stored] = await Promise.allSettled([listing, storing]);
      if (listed.status === "fulfilled") await listed.value?.index[Symbol.asyncDispose]();
      if (stored.status === "fulfilled") await stored.value?.[Symbol.asyncDispose]();
    },
  };
}
