import type { Logger } from "../../contract/common/logger.ts";
import type { ApprovalRequests } from "../store/service/approval-requests.ts";

/** How long a note that a user watches holds if its process dies. */
const HOLDS_MS = 30_000;

/** Notes that a user sees pending questions, and repeats that until disposed. */
export function watchPending(requests: () => Promise<ApprovalRequests>, log: Logger): Disposable {
  const note = (forMs: number): void =>
    void requests()
      .then((opened) => opened.watch(forMs))
      .catch((cause: unknown) => log.warning("Cannot note that pending approvals are watched.", { cause }));
  const timer = setInterval(() => note(HOLDS_MS), HOLDS_MS / 3).unref();
  note(HOLDS_MS);
  return {
    [Symbol.dispose]() {
      clearInterval(timer);
      note(0);
    },
  };
}
