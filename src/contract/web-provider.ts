import type { JsonObject } from "./json.ts";
import type { NamedProvider } from "./provider.ts";

/** Slot `web`: a service that searches the web, reads pages, or both. One is in use, chosen by `web.backend`. */
export interface WebProvider extends NamedProvider {
  is_available(): boolean | Promise<boolean>;
  supports_search?(): boolean | Promise<boolean>;
  supports_extract?(): boolean | Promise<boolean>;
  /** `{ success, data: { web: [{ title, url, description, position }] } }`, or `{ success: false, error }`. */
  search?(query: string, options: { readonly limit: number }): JsonObject | Promise<JsonObject>;
  /** `[{ url, title, content, raw_content, metadata?, error? }]`, in the order of `urls`. */
  extract?(urls: readonly string[], options: { readonly format: string }): readonly JsonObject[] | Promise<readonly JsonObject[]>;
}

/** Slot `browser`: begins and ends sessions of a browser elsewhere. One is in use, chosen by `browser.cloud_provider`. */
export interface BrowserProvider extends NamedProvider {
  is_available(): boolean | Promise<boolean>;
  /** `{ session_name, bb_session_id, cdp_url, features }`. */
  create_session(task_id: string): JsonObject | Promise<JsonObject>;
  /** Never throws. */
  close_session(session_id: string): boolean | Promise<boolean>;
  emergency_cleanup?(session_id: string): void | Promise<void>;
}
