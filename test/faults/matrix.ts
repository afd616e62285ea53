/** A fault, and what the agent promises for it. */
export interface FaultRow {
  readonly row: number;
  readonly fault: string;
  readonly promise: string;
}

/** Promises that hold for every fault. */
export const ALWAYS =
  "The store opens and is sound, no acknowledged message is lost, no tool with side effects runs twice, and the next request to the provider is valid.";

/** Rows without a test, or with a test of only a part. Remove a row's number when you complete it. */
export const OPEN_ROWS: readonly number[] = [41, 42, 43];

export const FAULT_ROWS: readonly FaultRow[] = [
  {
    row: 1,
    fault: "kill -9 after the user message arrives, before it is stored",
    promise: "the platform delivers it again, since it was not acknowledged; it is handled once",
  },
  {
    row: 2,
    fault: "kill -9 after store, before the request",
    promise: "the turn resumes on restart",
  },
  {
    row: 3,
    fault: "kill -9 during the stream",
    promise:
      "partial text stays a draft and never becomes an answer; Hermes asks again; the ledger counts and shows both requests' costs",
  },
  {
    row: 4,
    fault: "kill -9 after the response is stored, before tools",
    promise: "tools start from the stored response; the model is not asked again",
  },
  {
    row: 5,
    fault: "kill -9 after tool intent, before spawn",
    promise: 'read-only calls run; any other call gets the result "interrupted, outcome unknown"',
  },
  {
    row: 6,
    fault: "kill -9 while a tool runs",
    promise: "no orphan after 2 s; results as in row 5; no side effect happens twice",
  },
  {
    row: 7,
    fault: "kill -9 after the tool ends, before its result is stored",
    promise: "as in row 5; a tool with side effects runs at most once",
  },
  { row: 8, fault: "kill -9 between parallel results", promise: "the history has one result per call, in call order" },
  { row: 9, fault: "kill -9 during compaction", promise: "the old history stays intact until the new one commits" },
  {
    row: 10,
    fault: "kill -9 while an approval is pending",
    promise:
      "still pending with the same text after restart; old buttons work once; a late answer to an ended turn is refused",
  },
  {
    row: 11,
    fault: "kill -9 during skill or plugin install",
    promise: "the old or the new version, never a mixture; the lock file matches",
  },
  {
    row: 12,
    fault: "kill -9 during migration; a store of an older or a newer format",
    promise: "the store is migrated or unchanged; nothing is lost, and Hermes reports what it cannot read",
  },
  {
    row: 13,
    fault: "200 random kill -9 in a soak with a scripted model",
    promise: "nothing is lost and nothing is duplicated",
  },
  { row: 14, fault: "power loss", promise: "the store opens; nothing acknowledged is lost" },
  {
    row: 15,
    fault: "disk full in the store",
    promise: "the turn fails with a clear error; the store stays readable, and writable once there is space",
  },
  {
    row: 16,
    fault: "disk full in tool output or log",
    promise: "the result has a truncation note; the turn continues",
  },
  { row: 17, fault: "the store is locked for 10 s", promise: "waits, then reports a clear error; nothing is dropped" },
  {
    row: 18,
    fault: "damaged page in facts or index",
    promise:
      "found at open or by a check; a damaged index is rebuilt; damaged facts turn the store read-only, are salvaged to a new file and reported; never an empty list",
  },
  {
    row: 19,
    fault: "another process removes or replaces the WAL",
    promise: "detected by inode before the next write; the store is reopened; the write is not lost",
  },
  { row: 20, fault: "code outside the store opens its files in our process", promise: "a test fails the build" },
  {
    row: 21,
    fault: "store on NFS/virtiofs/SMB",
    promise: "refused, or opened with a rollback journal and reported once",
  },
  {
    row: 22,
    fault: "two processes write one session",
    promise: "all writes survive and no turns interleave (session lease with fencing number)",
  },
  {
    row: 23,
    fault: "two gateways, one token",
    promise: "the second exits and names the pid of the first; a stale lock after kill -9 is taken over",
  },
  {
    row: 24,
    fault: "provider 429 with and without retry-after",
    promise:
      "honours it, with jitter and a cap; other sessions are unaffected; uses the fallback provider if configured",
  },
  {
    row: 25,
    fault: "provider 500/502/529, connection reset",
    promise: "a limited number of retries with growing waits; then the error is stored, and the session continues",
  },
  {
    row: 26,
    fault: "connect, first-byte, between-chunks and total timeouts",
    promise: "each has its own limit; nothing hangs beyond it",
  },
  {
    row: 27,
    fault: "stream cut, duplicate or out-of-order events, bad UTF-8 across chunks, BOM, CRLF",
    promise: "parses or retries cleanly; never executes a partial tool call",
  },
  {
    row: 28,
    fault: "tool arguments: not JSON, truncated, duplicate keys, wrong types, `__proto__`, 10 MB",
    promise: "the model gets an error result; nothing is executed; three in a row end the turn",
  },
  {
    row: 29,
    fault: "unknown tool, empty name, 200 calls in one response, reused call id",
    promise: "error results, a cap on calls, and unique ids",
  },
  {
    row: 30,
    fault: "context too long, 400 on history",
    promise: "repairs pairs, compacts and retries once; never loops endlessly",
  },
  { row: 31, fault: "model loops on one failing call", promise: "a loop breaker stops it after 3 equal calls" },
  {
    row: 32,
    fault: "tool hangs, ignores SIGTERM",
    promise: "SIGKILL for the whole tree after a grace period; the result says so",
  },
  { row: 33, fault: "grandchild with setsid, double fork", promise: "killed within 2 s" },
  {
    row: 34,
    fault: "1 GB output, no newline",
    promise: "RSS grows by less than 50 MB; head and tail are returned, the rest goes to a capped file",
  },
  {
    row: 35,
    fault: "binary, ANSI, OSC 52, bidi in output",
    promise: "neutralised for model and terminal; raw bytes are available on request",
  },
  { row: 36, fault: "zombies", promise: "none after 5 s; the descriptor count does not grow" },
  { row: 37, fault: "fork bomb or memory bomb inside the sandbox", promise: "the tool dies; the agent survives" },
  {
    row: 38,
    fault: "clock jumps ±1 day, DST, time zone change",
    promise: "timers use monotonic time; a cron job fires exactly once; approvals do not expire early",
  },
  {
    row: 39,
    fault: "laptop sleep (SIGSTOP 60 s, SIGCONT)",
    promise: "reconnects; no burst of missed cron jobs beyond the policy",
  },
  {
    row: 40,
    fault: "gateway socket drops during a turn or a send",
    promise: "the answer is delivered once after reconnecting (outbox with key)",
  },
  {
    row: 41,
    fault: "duplicate and late webhook, same id on two routes, after restart",
    promise: "handled once per (route, id), durably; a failed attempt may be retried",
  },
  { row: 42, fault: "forged or unsigned webhook", promise: "401 before parsing the body; constant-time comparison" },
  {
    row: 43,
    fault: "10,000 messages in a minute",
    promise: "a bounded queue, fair per user; no acknowledged message is lost",
  },
  {
    row: 44,
    fault: "plugin throws in register / hook / tool",
    promise: "only that plugin is disabled or that call fails; the agent continues",
  },
  {
    row: 45,
    fault: "plugin endless loop, `process.exit`, 4 GB allocation, unhandled rejection",
    promise: "the host survives; the plugin is disabled with a reason",
  },
  { row: 46, fault: "hook returns garbage, or 10 MB of context", promise: "ignored or capped, and logged" },
  {
    row: 47,
    fault: "MCP server: dies, never answers, answers late, floods, bad frame, changes tools, elicits endlessly",
    promise:
      "calls fail with a message within the limit; restarts with backoff; changed tools need consent; other servers are unaffected",
  },
  {
    row: 48,
    fault: "config malformed, half-written, unreadable, unknown key",
    promise: "uses the last good configuration or refuses to start; never a looser policy",
  },
  {
    row: 49,
    fault: "approval channel lost, no user, timeout",
    promise: "denied; the message says that silence is not consent",
  },
  {
    row: 50,
    fault: "SIGTERM, SIGINT twice, SIGHUP",
    promise: "drains within 10 s, flushes, and sets the exit code; a second signal exits at once",
  },
  {
    row: 51,
    fault: "ssh backend: connection lost during a command, stale ControlMaster socket",
    promise: "the result says that the outcome is unknown; reconnects; runs nothing twice",
  },
  {
    row: 52,
    fault: "container removed, image missing, daemon down",
    promise: "a clear error and a note about lost state; recreated on the next call",
  },
];
