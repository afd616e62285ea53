import type { JsonObject } from "../common/json.ts";
import type { NamedProvider } from "../plugins/provider.ts";

/**
 * Slot `browser`: starts and ends sessions of a remote Chromium. One provider is active, chosen by
 * `browser.cloud_provider`. An open session may cost money: the caller that started it ends it, or after a crash a
 * later process does.
 */
export interface BrowserProvider extends NamedProvider {
  is_available(): boolean | Promise<boolean>;
  /**
   * Starts a session, each with its own browser: {@link BrowserSession}. Rejects with what went wrong and what would
   * help, without a key; then nothing is open.
   */
  create_session(task_id: string): JsonObject | Promise<JsonObject>;
  /** Ends it. Never throws. @returns whether nothing of it is left, also where it was over already. */
  close_session(session_id: string): boolean | Promise<boolean>;
  /** The last attempt, where `close_session` did not succeed. Never throws, and is quick. */
  emergency_cleanup?(session_id: string): void | Promise<void>;
  /** What `hermes setup browser` asks for: `{ name, badge, tag, env_vars: [{ key, prompt, url }] }`. */
  get_setup_schema?(): JsonObject | Promise<JsonObject>;
  /**
   * Hosts (`browser.example.com`, and what is below it; `127.0.0.1:9222`) that alone a `cdp_url` may name. Absent:
   * every public one. A plugin from elsewhere has those of its `grants.hosts` at most.
   */
  readonly cdp_hosts?: readonly string[];
}

/** What `create_session` answers with. */
export interface BrowserSession {
  readonly session_name: string;
  /** The service's id of the session, used to end it. */
  readonly bb_session_id: string;
  /**
   * The DevTools address: `wss://…`, or `https://…` that names it at `/json/version`. It may contain a key and is never
   * shown.
   */
  readonly cdp_url: string;
  readonly features?: JsonObject;
  /** Id of the billed call, if the service has one. */
  readonly external_call_id?: string | null;
}
