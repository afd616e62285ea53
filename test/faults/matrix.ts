/** A fault, and what the agent promises when it happens. */
export interface FaultRow {
  readonly row: number;
  readonly fault: string;
  readonly promise: string;
}

/** Always, whatever happens. */
export const ALWAYS =
  "The store opens and is sound, no acknowledged message is lost, no tool with side effects runs twice, and the next request to the provider is valid.";

/** Rows that no test holds, or none holds wholly (10: buttons). Who completes a row takes its number out. */
export const OPEN_ROWS: readonly number[] = [10, 41, 42, 43];

export const FAULT_ROWS: readonly FaultRow[] = [
  {
    row: 1,
    fault: "kill -9 after the user message arrives, before it is stored",
    promise: "not acknowledged, so delivered again; handled once",
  },
  {
    row: 2,
    fault: "kill -9 after store, before the request",
    promise: "as always; the turn resumes on restart",
  },
  {
    row: 3,
    fault: "kill -9 during the stream",
    promise: "partial text kept as draft, never as an answer; asks again; cost counted twice in the ledger, shown",
  },
  {
    row: 4,
    fault: "kill -9 after the response is stored, before tools",
    promise: "tools start from the stored response; model not asked again",
  },
  {
    row: 5,
    fault: "kill -9 after tool intent, before spawn",
    promise: 'what only reads is run; any other has the result "interrupted, outcome unknown"',
  },
  {
    row: 6,
    fault: "kill -9 while a tool runs",
    promise: "no orphan after 2 s; result as 5; what it would have done is not done twice",
  },
  {
    row: 7,
    fault: "kill -9 after the tool ends, before its result is stored",
    promise: "as 5; what has side effects ran once at most",
  },
  { row: 8, fault: "kill -9 between parallel results", promise: "history has one result per call, in call order" },
  { row: 9, fault: "kill -9 during compaction", promise: "old history intact until the new one commits" },
  {
    row: 10,
    fault: "kill -9 while an approval is pending",
    promise: "still pending after restart, same text, old buttons work once; late answer to a dead turn is refused",
  },
  {
    row: 11,
    fault: "kill -9 during skill or plugin install",
    promise: "old version or new version, never a mixture; lock file agrees",
  },
  {
    row: 12,
    fault: "kill -9 during migration; a store of an older or a newer format",
    promise: "migrates or stays as it was; nothing is lost, and Hermes reports what it cannot read",
  },
  {
    row: 13,
    fault: "200 random kill -9 in a soak with a scripted model",
    promise: "as always, every time; nothing lost, nothing doubled",
  },
  { row: 14, fault: "power loss", promise: "opens; nothing acknowledged is lost" },
  {
    row: 15,
    fault: "disk full in the store",
    promise: "turn fails with a clear error, store readable, works again after space",
  },
  { row: 16, fault: "disk full in tool output or log", promise: "truncation note; the turn goes on" },
  { row: 17, fault: "the store is locked for 10 s", promise: "waits, then a clean error; nothing dropped" },
  {
    row: 18,
    fault: "damaged page in facts or index",
    promise:
      "found at open or by a check; the index is rebuilt; else read-only, salvaged to a new file, and said; never an empty list",
  },
  {
    row: 19,
    fault: "WAL removed or replaced under us",
    promise: "detected before the next write by inode; reopened; write not lost",
  },
  { row: 20, fault: "raw open of the store in our process", promise: "test fails the build" },
  { row: 21, fault: "store on NFS/virtiofs/SMB", promise: "refused or rollback journal, said once" },
  {
    row: 22,
    fault: "two processes write one session",
    promise: "all there, no interleaved turn (session lease with fencing number)",
  },
  {
    row: 23,
    fault: "two gateways, one token",
    promise: "second one exits with the pid of the first; stale lock after kill -9 is taken over",
  },
  {
    row: 24,
    fault: "provider 429 with and without retry-after",
    promise: "honours it, jitter, capped; other sessions unaffected; fallback provider if configured",
  },
  {
    row: 25,
    fault: "provider 500/502/529, connection reset",
    promise: "so many retries with growing waits; then a stored error, and the session goes on",
  },
  {
    row: 26,
    fault: "connect, first-byte, between-chunks and total time-outs",
    promise: "each has its own limit; nothing hangs beyond it",
  },
  {
    row: 27,
    fault: "stream cut, duplicate or out-of-order events, bad UTF-8 across chunks, BOM, CRLF",
    promise: "parse or clean retry; never a half tool call executed",
  },
  {
    row: 28,
    fault: "tool arguments: not JSON, truncated, duplicate keys, wrong types, `__proto__`, 10 MB",
    promise: "error result to the model; nothing executed; 3 strikes → stop",
  },
  {
    row: 29,
    fault: "unknown tool, empty name, 200 calls in one response, reused call id",
    promise: "error results, cap, ids made unique",
  },
  {
    row: 30,
    fault: "context too long, 400 on history",
    promise: "repair pairs, compact, retry once; never an endless loop",
  },
  { row: 31, fault: "model loops on one failing call", promise: "loop breaker after 3 equal calls" },
  { row: 32, fault: "tool hangs, ignores SIGTERM", promise: "SIGKILL of the whole tree after grace; result says so" },
  { row: 33, fault: "grandchild with setsid, double fork", promise: "gone in 2 s" },
  {
    row: 34,
    fault: "1 GB output, no newline",
    promise: "RSS growth < 50 MB; head and tail kept, rest to a capped file",
  },
  {
    row: 35,
    fault: "binary, ANSI, OSC 52, bidi in output",
    promise: "neutralised for model and terminal; raw bytes on request",
  },
  { row: 36, fault: "zombies", promise: "none after 5 s; fd count flat" },
  { row: 37, fault: "fork bomb or memory bomb inside the sandbox", promise: "tool dies, agent lives" },
  {
    row: 38,
    fault: "clock jumps ±1 day, DST, time zone change",
    promise: "timers use monotonic time; cron fires once, not zero or twice; approvals do not expire early",
  },
  {
    row: 39,
    fault: "laptop sleep (SIGSTOP 60 s, SIGCONT)",
    promise: "reconnects, no burst of missed cron beyond policy",
  },
  {
    row: 40,
    fault: "gateway socket drops in mid-turn, in mid-send",
    promise: "answer delivered once after reconnect (outbox with key)",
  },
  {
    row: 41,
    fault: "duplicate and late webhook, same id on two routes, after restart",
    promise: "once per (route, id), durable; failed handling may be retried",
  },
  { row: 42, fault: "forged or unsigned webhook", promise: "401 before any parse of the body; constant-time compare" },
  {
    row: 43,
    fault: "10,000 messages in a minute",
    promise: "bounded queue, fair per person, no loss of acknowledged ones",
  },
  {
    row: 44,
    fault: "plugin throws in register / hook / tool",
    promise: "that plugin off or that call failed; the agent goes on",
  },
  {
    row: 45,
    fault: "plugin endless loop, `process.exit`, 4 GB allocation, unhandled rejection",
    promise: "host alive; plugin disabled with reason",
  },
  { row: 46, fault: "hook returns garbage, or 10 MB of context", promise: "ignored or capped, logged" },
  {
    row: 47,
    fault: "MCP server: dies, never answers, answers late, floods, bad frame, changes tools, asks elicitation for ever",
    promise: "calls fail with a message in ≤ limit; backoff restart; changed tools need consent; others unaffected",
  },
  {
    row: 48,
    fault: "config malformed, half-written, unreadable, unknown key",
    promise: "last good or refuse to start; never a looser policy",
  },
  {
    row: 49,
    fault: "approval channel gone, no human, time-out",
    promise: "denied; the message says that silence is not consent",
  },
  {
    row: 50,
    fault: "SIGTERM, SIGINT twice, SIGHUP",
    promise: "drains in 10 s, flushes, exit code; a second signal exits at once, as always",
  },
  {
    row: 51,
    fault: "ssh backend: connection lost in mid-command, ControlMaster socket stale",
    promise: "unknown-outcome result; reconnect; no second run",
  },
  {
    row: 52,
    fault: "container removed, image missing, daemon down",
    promise: "clear error; state note; recreate on the next call",
  },
];
