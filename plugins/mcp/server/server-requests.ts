import { existsSync, realpathSync } from "node:fs";
import { pathToFileURL } from "node:url";
import {
  definedFields,
  judgePath,
  ToolFailure,
  type Json,
  type JsonObject,
  type LlmAnswer,
  type LlmRequest,
  type Question,
  type ToolContext,
} from "hermes-agent/plugin";
import { plainText } from "../tools/clean-definition.ts";
import type { ServerEntry } from "./server-entry.ts";

/** Maximum number of questions of a server within one call; further ones are declined. */
const MAX_QUESTIONS = 10;
const MAX_FIELDS = 12;

export interface RequestPorts {
  /** The call on whose behalf a server may ask; `undefined` if none runs or calls of several sessions do. */
  call(): ToolContext | undefined;
  llm(request: LlmRequest, signal?: AbortSignal): Promise<LlmAnswer>;
  now(): number;
}

/** Handles requests from a server: roots, elicitation and sampling. */
export class ServerRequests {
  readonly #entry: ServerEntry;
  readonly #ports: RequestPorts;
  readonly #asked = new WeakMap<ToolContext, number>();
  #sampled: number[] = [];

  constructor(entry: ServerEntry, ports: RequestPorts) {
    this.#entry = entry;
    this.#ports = ports;
  }

  get capabilities(): JsonObject {
    const { elicitation, sampling } = this.#entry;
    return definedFields({
      roots: {},
      elicitation: elicitation.enabled ? { form: {} } : undefined,
      sampling: sampling.enabled ? {} : undefined,
    });
  }

  /** Whether the server has asked the user something in this call. */
  hasAsked(call: ToolContext): boolean {
    return this.#asked.has(call);
  }

  /** The folder of the calling session, if the path policy allows reading it. */
  roots(): JsonObject {
    const call = this.#ports.call();
    if (call === undefined) return { roots: [] };
    const path = existsSync(call.cwd) ? realpathSync(call.cwd) : call.cwd;
    const judged = judgePath({ path, literal: call.cwd, access: "read", home: call.home, agentHome: call.agentHome });
    return { roots: judged.answer !== "allow" ? [] : [{ uri: pathToFileURL(call.cwd).href, name: "workspace" }] };
  }

  /**
   * Asks one question for each field of the form. Declines if no user is connected, no answer comes in time, or a URL
   * should be opened.
   */
  async elicit(params: JsonObject): Promise<JsonObject> {
    const call = this.#ports.call();
    const asked = call === undefined ? 0 : (this.#asked.get(call) ?? 0) + 1;
    if (call === undefined || !this.#entry.elicitation.enabled || params["mode"] === "url" || asked > MAX_QUESTIONS)
      return { action: "decline" };
    this.#asked.set(call, asked);
    const message = `The MCP server "${this.#entry.name}" asks: ${plainText(String(params["message"] ?? ""), 1_000)}`;
    const schema = (params["requestedSchema"] ?? {}) as {
      readonly properties?: { readonly [name: string]: JsonObject };
      readonly required?: readonly string[];
    };
    const fields = Object.entries(schema.properties ?? {});
    if (fields.length > MAX_FIELDS) return { action: "decline" };
    if (fields.length === 0)
      return {
        action:
          (await this.#answer(call, { kind: "choice", text: message, choices: [YES, NO], other: false })) === YES
            ? "accept"
            : "decline",
      };
    const content: { [name: string]: Json } = {};
    for (const [name, field] of fields) {
      const answer = await this.#answer(
        call,
        questionOf(message, name, field, schema.required?.includes(name) === true),
      );
      if (answer === undefined || answer === DECLINE) return { action: answer === undefined ? "cancel" : "decline" };
      const value = valueOf(answer, field);
      if (value !== undefined) content[name] = value;
      else if (schema.required?.includes(name) === true) return { action: "decline" };
    }
    return { action: "accept", content };
  }

  /** One answer of the user's model, at the user's cost, without tools. Disabled unless the user enabled it. */
  async sample(params: JsonObject, signal: AbortSignal): Promise<JsonObject> {
    const { sampling, name } = this.#entry;
    if (!sampling.enabled) throw new Error("Sampling is disabled.");
    const now = this.#ports.now();
    this.#sampled = this.#sampled.filter((at) => now - at < 60_000);
    if (this.#sampled.length >= sampling.perMinute)
      throw new Error(`Rate limit exceeded: more than ${sampling.perMinute} sampling requests in a minute.`);
    this.#sampled.push(now);
    const messages = ((params["messages"] ?? []) as readonly JsonObject[]).map((message) => ({
      role: message["role"] === "assistant" ? ("assistant" as const) : ("user" as const),
      text: samplingText(message["content"]),
    }));
    const asked = typeof params["maxTokens"] === "number" ? params["maxTokens"] : sampling.maxTokens;
    const answer = await this.#ports.llm(
      {
        system: typeof params["systemPrompt"] === "string" ? params["systemPrompt"] : undefined,
        messages,
        maxOutputTokens: Math.min(asked, sampling.maxTokens),
        timeoutMs: sampling.timeoutMs,
        model: sampling.model,
        purpose: `MCP server ${name}`,
      },
      signal,
    );
    return {
      model: answer.model,
      role: "assistant",
      content: { type: "text", text: answer.text },
      stopReason: "endTurn",
    };
  }

  /** The text that the user typed or chose; `undefined` without an answer. */
  async #answer(call: ToolContext, question: Question): Promise<string | undefined> {
    try {
      const answer = await call.ask(question, { timeoutMs: this.#entry.elicitation.timeoutMs });
      return answer.kind === "text" ? answer.text.trim() : answer.kind === "refused" ? DECLINE : undefined;
    } catch (cause) {
      if (cause instanceof ToolFailure && cause.code === "nobody") return DECLINE;
      throw cause;
    }
  }
}

const YES = "Yes";
const NO = "No";
const DECLINE = "Decline to answer";

function questionOf(message: string, name: string, field: JsonObject, required: boolean): Question {
  const label = plainText(String(field["title"] ?? name), 100);
  const note = typeof field["description"] === "string" ? `: ${plainText(field["description"], 300)}` : "";
  const text = `${message}\n${label}${note}${required ? "" : " (may be left empty)"}`;
  if (field["type"] === "boolean") return { kind: "choice", text, choices: [YES, NO, DECLINE], other: false };
  const choices = choicesOf(field);
  return choices.length > 0
    ? { kind: "choice", text, choices: [...choices.map(({ shown }) => shown), DECLINE], other: false }
    : { kind: "text", text };
}

function choicesOf(field: JsonObject): readonly { readonly shown: string; readonly value: string }[] {
  const titled = Array.isArray(field["oneOf"])
    ? (field["oneOf"] as readonly JsonObject[]).map((one) => ({
        value: String(one["const"]),
        shown: plainText(String(one["title"] ?? one["const"]), 100),
      }))
    : [];
  if (titled.length > 0) return titled;
  const names = Array.isArray(field["enumNames"]) ? field["enumNames"] : [];
  return Array.isArray(field["enum"])
    ? field["enum"].map((value, at) => ({ value: String(value), shown: plainText(String(names[at] ?? value), 100) }))
    : [];
}

/** The answer as the form's type; `undefined` if it is empty or does not fit. */
function valueOf(answer: string, field: JsonObject): Json | undefined {
  if (answer === "") return undefined;
  if (field["type"] === "boolean") return answer === YES;
  if (field["type"] === "number" || field["type"] === "integer") {
    const number = Number(answer);
    return Number.isNaN(number) || (field["type"] === "integer" && !Number.isInteger(number)) ? undefined : number;
  }
  return choicesOf(field).find(({ shown }) => shown === answer)?.value ?? answer;
}

function samplingText(content: Json | undefined): string {
  if (Array.isArray(content)) return content.map((item) => samplingText(item)).join("\n");
  const block = (typeof content === "object" && content !== null ? content : {}) as JsonObject;
  if (block["type"] === "text" && typeof block["text"] === "string") return block["text"];
  throw new Error("Sampling supports only text.");
}
