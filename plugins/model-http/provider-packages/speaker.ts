import type { Json, JsonObject, ModelRequest } from "hermes-agent/plugin";
import type { ChatService } from "../chat-completions/providers.ts";
import type { Connection } from "../wire/connection.ts";
import type { WireForm } from "../wire/without-refused.ts";
import type { Complaint } from "../wire/complaint.ts";
import type { CallOptions, LanguageModel, ProviderFields } from "./language-model.ts";

/** A connection to a service, and the source of its package. */
export interface PackageConnection extends Connection<ChatService> {
  /** Rejects with advice if the package is not installed. */
  load(name: string): Promise<unknown>;
}

/** The differences between packages. */
export interface Speaker {
  /** Name of the package. */
  readonly package: string;
  /** The form of the bodies that it writes. */
  readonly wire: WireForm;
  /** The base URL for the package. */
  address(connection: PackageConnection): string;
  /** The model of that name; it sends only through `fetch`. */
  model(
    sdk: unknown,
    way: { readonly baseURL: string; readonly model: string; readonly fetch: typeof fetch },
  ): LanguageModel;
  /** Our headers, including the key. Absent: the package's headers carry {@link KEY}, which is replaced by the key. */
  headers?(connection: PackageConnection, sessionId?: string): Record<string, string>;
  /** The request as options of the package. */
  options(request: ModelRequest, connection: PackageConnection): CallOptions;
  /** Adds fields to the body that the package wrote. */
  body(body: JsonObject, request: ModelRequest, connection: PackageConnection): JsonObject;
  /** After an error about the conversation: a repaired body to send instead. Refused fields are omitted for all. */
  repaired?(
    body: JsonObject,
    about: {
      readonly sent: JsonObject;
      readonly complaint: Complaint;
    },
  ): JsonObject | undefined;
  listModels(connection: Connection<ChatService>, signal: AbortSignal): Promise<readonly string[]>;
  /** The data of a part that must be saved to send it back. `metadata` comes from the part's pieces in order. */
  keep(metadata: readonly ProviderFields[], kind: "text" | "reasoning" | "call"): JsonObject | undefined;
}

/** The placeholder key for packages. It is replaced when a request goes to the configured service. */
export const KEY = "the-key-is-put-on-later";

/** The tools of a request in the packages' format. */
export function toolOptions({ tools, toolChoice }: ModelRequest): Pick<CallOptions, "tools" | "toolChoice"> {
  if (tools.length === 0) return {};
  return {
    tools: tools.map(({ name, description, parameters }) => ({
      type: "function",
      name,
      description,
      inputSchema: parameters,
    })),
    toolChoice: toolChoice === "none" ? { type: "none" } : undefined,
  };
}

/** Merges the metadata of all pieces; later ones win. */
export function together(metadata: readonly ProviderFields[]): {
  readonly [provider: string]: { readonly [name: string]: Json };
} {
  const all: Record<string, Record<string, Json>> = {};
  for (const fields of metadata)
    for (const [provider, values] of Object.entries(fields)) Object.assign((all[provider] ??= {}), values);
  return all;
}
