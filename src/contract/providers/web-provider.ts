import type { JsonObject } from "../common/json.ts";
import type { NamedProvider } from "../plugins/provider.ts";

/** Slot `web`: a service that searches the web, reads pages, or both. One is in use, chosen by `web.backend`. */
export interface WebProvider extends NamedProvider {
  is_available(): boolean | Promise<boolean>;
  supports_search?(): boolean | Promise<boolean>;
  supports_extract?(): boolean | Promise<boolean>;
  /**
   * A model writes the returned addresses, so that reading one needs the user's approval like any address that a model
   * made up. Default false.
   */
  composes_addresses?(): boolean | Promise<boolean>;
  /** `{ success, data: { web: [{ title, url, description, position }] } }`, or `{ success: false, error }`. */
  search?(query: string, options: { readonly limit: number }): JsonObject | Promise<JsonObject>;
  /** `[{ url, title, content, raw_content, metadata?, error? }]`, in the order of `urls`. */
  extract?(
    urls: readonly string[],
    options: { readonly format: string },
  ): readonly JsonObject[] | Promise<readonly JsonObject[]>;
  /** `{ name, badge, tag, env_vars: [{ key, prompt, url }] }`: what setup shows and asks for. */
  get_setup_schema?(): JsonObject | Promise<JsonObject>;
}
