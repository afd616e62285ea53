import type { JsonObject } from "../common/json.ts";
import type { NamedProvider } from "../plugins/provider.ts";

/**
 * Slot `browser`: begins and ends sessions of a Chromium elsewhere. One is in use, chosen by `browser.cloud_provider`. A session may cost
 * money as long as it is open: each one that was begun is ended by whoever asked for it, after a crash by a later process.
 */
export interface BrowserProvider extends NamedProvider {
  is_available(): boolean | Promise<boolean>;
  /**
   * Begins a session, a browser of its own for each: {@link BrowserSession}. Rejects with what went wrong and what would help, in words
   * without a key; then nothing is open.
   */
  create_session(task_id: string): JsonObject | Promise<JsonObject>;
  /** Ends it. Never throws. @returns whether nothing of it is left, also where it was over already. */
  close_session(session_id: string): boolean | Promise<boolean>;
  /** The last attempt, where `close_session` did not succeed. Never throws, and is quick. */
  emergency_cleanup?(session_id: string): void | Promise<void>;
  /** What `hermes setup browser` asks for: `{ name, badge, tag, env_vars: [{ key, prompt, url }] }`. */
  get_setup_schema?(): JsonObject | Promise<JsonObject>;
  /** Hosts (`browser.example.com`, and what is below it; `127.0.0.1:9222`) that alone a `cdp_url` may name. Absent: every public one. A plugin from elsewhere has those of its `grants.hosts` at most. */
  readonly cdp_hosts?: readonly string[];
}

/** What `create_session` answers with. */
export interface BrowserSession {
  readonly session_name: string;
  /** What the service calls it, and what ends it. */
  readonly bb_session_id: string;
  /** The DevTools address: `wss://…`, or `https://…` that names it at `/json/version`. It may hold a key, and is told to nobody. */
  readonly cdp_url: string;
  readonly features?: JsonObject;
  /** Of the call that was billed, where the service has one. */
  readonly external_call_id?: string | null;
}
