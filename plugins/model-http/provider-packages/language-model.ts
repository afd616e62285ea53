import type { Json, JsonObject, JsonSchema } from "hermes-agent/plugin";

/** By provider: `{ anthropic: { signature } }`. */
export type ProviderFields = { readonly [provider: string]: JsonObject };

/** The used part of `LanguageModelV4`, the interface of every provider package. */
export interface LanguageModel {
  readonly specificationVersion: string;
  doStream(options: CallOptions): Promise<{ readonly stream: ReadableStream<StreamPart> }>;
}

export interface CallOptions {
  readonly prompt: readonly PromptMessage[];
  readonly tools?: readonly {
    readonly type: "function";
    readonly name: string;
    readonly description: string;
    readonly inputSchema: JsonSchema;
  }[];
  readonly toolChoice?: { readonly type: "auto" | "none" };
  readonly maxOutputTokens?: number;
  readonly temperature?: number;
  readonly reasoning?: "none" | "minimal" | "low" | "medium" | "high" | "xhigh" | "max";
  readonly providerOptions?: ProviderFields;
}

interface Carried {
  readonly providerOptions?: ProviderFields;
}

export type PromptPart = Carried &
  (
    | { readonly type: "text"; readonly text: string }
    | FilePart
    | { readonly type: "reasoning"; readonly text: string }
    | { readonly type: "tool-call"; readonly toolCallId: string; readonly toolName: string; readonly input: JsonObject }
    | {
        readonly type: "tool-result";
        readonly toolCallId: string;
        readonly toolName: string;
        readonly output: ResultOutput;
      }
  );

export interface FilePart {
  readonly type: "file";
  readonly mediaType: string;
  readonly data: { readonly type: "data"; readonly data: string };
}

export type ResultOutput =
  | { readonly type: "text" | "error-text"; readonly value: string }
  | {
      readonly type: "content";
      readonly value: readonly ({ readonly type: "text"; readonly text: string } | FilePart)[];
    };

export type PromptMessage = Carried &
  (
    | { readonly role: "system"; readonly content: string }
    | { readonly role: "user" | "assistant" | "tool"; readonly content: readonly PromptPart[] }
  );

/** One piece of an answer. Turns do not need the other kinds. */
export type StreamPart =
  | {
      readonly type: "text-start" | "text-end" | "reasoning-start" | "reasoning-end";
      readonly id: string;
      readonly providerMetadata?: ProviderFields;
    }
  | {
      readonly type: "text-delta" | "reasoning-delta";
      readonly id: string;
      readonly delta: string;
      readonly providerMetadata?: ProviderFields;
    }
  | {
      readonly type: "tool-input-start";
      readonly id: string;
      readonly toolName: string;
      readonly providerExecuted?: boolean;
    }
  | {
      readonly type: "tool-call";
      readonly toolCallId: string;
      readonly toolName: string;
      readonly input: string;
      readonly providerExecuted?: boolean;
      readonly providerMetadata?: ProviderFields;
    }
  | { readonly type: "response-metadata"; readonly modelId?: string }
  | {
      readonly type: "finish";
      readonly usage: PackageUsage;
      readonly finishReason: { readonly unified: string; readonly raw?: string | undefined };
    }
  | { readonly type: "error"; readonly error: Json | Error };

export interface PackageUsage {
  readonly inputTokens: {
    readonly total?: number | undefined;
    readonly cacheRead?: number | undefined;
    readonly cacheWrite?: number | undefined;
  };
  readonly outputTokens: { readonly total?: number | undefined; readonly reasoning?: number | undefined };
}
