import type { Json, JsonObject, ModelFailure, ModelRequest } from "hermes-agent/plugin";
import type { ChatService } from "../chat-completions/providers.ts";
import type { Connection } from "../wire/connection.ts";
import type { Complaint } from "../wire/failure.ts";
import type { CallOptions, LanguageModel, ProviderFields } from "./language-model.ts";

/** A way to a service, and where its package comes from. */
export interface PackageConnection extends Connection<ChatService> {
  /** Rejects with what helps when it is not installed. */
  load(name: string): Promise<unknown>;
}

/** How one package is spoken to, where packages differ. */
export interface Speaker {
  /** What configuration calls its wire. */
  readonly package: string;
  /** Where the package begins its addresses. */
  address(connection: PackageConnection): string;
  /** The model of that name, which sends by `fetch` and by nothing else. */
  model(
    sdk: unknown,
    way: { readonly baseURL: string; readonly model: string; readonly fetch: typeof fetch },
  ): LanguageModel;
  /** Headers of ours, the key's among them. Absent: the package's own carry it, in the place of {@link KEY}. */
  headers?(connection: PackageConnection, sessionId?: string): Record<string, string>;
  /** The request, told to the package. */
  options(request: ModelRequest, connection: PackageConnection): CallOptions;
  /** What the body says besides what the package wrote. */
  body(body: JsonObject, request: ModelRequest, connection: PackageConnection): JsonObject;
  /** After a complaint about what was sent: what of the package's body may be taken instead. */
  repaired?(
    body: JsonObject,
    about: {
      readonly sent: JsonObject;
      readonly complaint: Complaint;
      readonly failure: ModelFailure;
      readonly connection: PackageConnection;
    },
  ): JsonObject | undefined;
  listModels(connection: Connection<ChatService>, signal: AbortSignal): Promise<readonly string[]>;
  /** What of a part has to be kept so that it can be given back. Metadata comes as the pieces of the part brought it. */
  keep(metadata: readonly ProviderFields[], kind: "reasoning" | "call"): JsonObject | undefined;
}

/** What packages are given for a key. Where a request leaves for the service that is configured, the key takes its place. */
export const KEY = "the-key-is-put-on-later";

/** The tools of a request, as every package takes them. */
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

/** Of all pieces together; a later one has the last word. */
export function together(metadata: readonly ProviderFields[]): {
  readonly [provider: string]: { readonly [name: string]: Json };
} {
  const all: Record<string, Record<string, Json>> = {};
  for (const fields of metadata)
    for (const [provider, values] of Object.entries(fields)) Object.assign((all[provider] ??= {}), values);
  return all;
}
