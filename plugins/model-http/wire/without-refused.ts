import type { Json, JsonObject } from "hermes-agent/plugin";

/** How a wire names its conversation. A named package is taken for chat completions. */
export type WireForm = "chat" | "messages" | "responses" | "gemini";

/** What the service refused, remembered for the session: ids of {@link FIELDS}, parts as `@tools`, `ids:mistral`, or `limit:8192`. */
export type Refused = ReadonlySet<string>;

/** A field that can be omitted without changing the meaning of the request. */
interface OptionalField {
  readonly id: string;
  /** Where bodies carry it; `*` is each member of a list or any depth below it. */
  readonly paths: readonly string[];
  /** Further names of it in messages, besides its paths in any spelling. */
  readonly names?: readonly string[];
  /** Messages that refuse it without naming it. */
  readonly text?: RegExp;
  /** An everyday word, so it counts only as a parameter or in quotes. */
  readonly quoted?: true;
}

/** The first that fits is omitted, so what is inside another field comes before it. */
export const FIELDS: readonly OptionalField[] = [
  {
    id: "reasoning.summary",
    paths: ["reasoning.summary"],
    names: ["generate_summary"],
    text: /reasoning summar(y|ies)/i,
  },
  { id: "include", paths: ["include"], quoted: true, text: /encrypted[ _]content/i },
  {
    id: "reasoning_effort",
    paths: ["reasoning_effort", "reasoning.effort", "output_config.effort"],
    names: ["effort"],
    text: /reasoning effort|thinking_?level/i,
  },
  {
    id: "thinkingConfig",
    paths: ["generationConfig.thinkingConfig"],
    names: ["thinking_level", "thinking_budget", "include_thoughts"],
    text: /thinking (level|budget|is not)/i,
  },
  { id: "reasoning_content", paths: ["messages.*.reasoning_content"] },
  { id: "reasoning_details", paths: ["messages.*.reasoning_details"] },
  { id: "stream_options", paths: ["stream_options"], names: ["include_usage"] },
  { id: "prompt_cache_key", paths: ["prompt_cache_key"] },
  {
    id: "parallel_tool_calls",
    paths: ["parallel_tool_calls", "tool_choice.disable_parallel_tool_use"],
    text: /parallel tool (calls|use)/i,
  },
  { id: "tool_choice", paths: ["tool_choice", "toolConfig"], names: ["function_calling_config"] },
  { id: "cache_control", paths: ["*.cache_control"] },
  { id: "is_error", paths: ["*.is_error"] },
  { id: "strict", paths: ["tools.*.strict", "tools.*.function.strict"], quoted: true },
  { id: "store", paths: ["store"], quoted: true },
  { id: "service_tier", paths: ["service_tier"] },
  { id: "metadata", paths: ["metadata"], quoted: true },
  { id: "user", paths: ["user"], quoted: true },
  { id: "temperature", paths: ["temperature", "generationConfig.temperature"] },
  { id: "top_p", paths: ["top_p", "generationConfig.topP"] },
  { id: "output_config", paths: ["output_config"] },
  { id: "reasoning", paths: ["reasoning"] },
  { id: "thinking", paths: ["thinking"], names: ["budget_tokens"] },
  { id: "reasoning_effort", paths: ["reasoning_effort"], text: /support thinking|thinking( mode)? is not/i },
  { id: "reasoning", paths: ["reasoning"], text: /support thinking|thinking( mode)? is not/i },
  { id: "stream", paths: ["stream"], text: /verified to stream/i },
];

export const LIMITS = ["max_tokens", "max_completion_tokens", "max_output_tokens", "generationConfig.maxOutputTokens"];

/** The body without what the service refused. The same object if nothing was. */
export function withoutRefused<Body extends JsonObject>(body: Body, refused: Refused, wire: WireForm): Body {
  if (refused.size === 0) return body;
  let out: JsonObject = body;
  for (const { id, paths } of FIELDS)
    if (refused.has(id)) for (const path of paths) out = without(out, path.split("."));
  if (refused.has("stream")) out = without(out, ["stream_options"]);
  out = withLimits(out, refused, wire);
  if (refused.has("@images") && canDoWithoutImages(body, refused)) out = withoutImages(out) as JsonObject;
  if (refused.has("@tools")) out = withoutTools(out, wire);
  if (refused.has("@system")) out = withoutSystem(out, wire);
  return out as Body;
}

/** The two names of the limit in chat completions replace each other. */
function withLimits(body: JsonObject, refused: Refused, wire: WireForm): JsonObject {
  let out = body;
  if (wire === "chat") {
    const [old = "max_tokens", other = "max_completion_tokens"] = refused.has("max_tokens")
      ? []
      : ["max_completion_tokens", "max_tokens"];
    const value = out[old];
    if (refused.has(old) && value !== undefined)
      out = { ...without(out, [old]), ...(refused.has(other) ? {} : { [other]: value }) };
  } else for (const path of LIMITS) if (refused.has(path)) out = without(out, path.split("."));
  const largest = Math.min(...[...refused].flatMap((id) => (id.startsWith("limit:") ? [Number(id.slice(6))] : [])));
  if (!Number.isFinite(largest)) return out;
  for (const path of LIMITS) {
    const sent = at(out, path);
    if (typeof sent === "number" && sent > largest) out = withValue(out, path.split("."), largest);
  }
  // Thinking is part of the limit and must leave room for the answer.
  const budget = at(out, "thinking.budget_tokens");
  if (typeof budget !== "number" || budget < largest) return out;
  return largest >= 2048 ? withValue(out, ["thinking", "budget_tokens"], largest - 1024) : without(out, ["thinking"]);
}

const IMAGE_TYPES = new Set(["image_url", "image", "input_image"]);
const UNSEEN = "(An image was here, but this model cannot see images.)";

export function carries(body: JsonObject, part: "@tools" | "@system" | "@images", wire: WireForm): boolean {
  if (part === "@tools") return body["tools"] !== undefined;
  if (part === "@images") return withoutImages(body) !== body;
  if (wire === "messages") return body["system"] !== undefined;
  if (wire === "gemini") return body["systemInstruction"] !== undefined;
  return listAt(body, wire === "responses" ? "input" : "messages").some(isSystem);
}

/** A request that offers no tools is about its images, such as one that asks for a description: it fails without them. */
export function canDoWithoutImages(body: JsonObject, refused: Refused): boolean {
  return body["tools"] !== undefined || refused.has("@tools");
}

function withoutImages(value: Json): Json {
  if (Array.isArray(value)) {
    const members = value.map(withoutImages);
    return members.some((member, index) => member !== value[index]) ? members : value;
  }
  if (typeof value !== "object" || value === null) return value;
  const record = value as JsonObject;
  const type = record["type"];
  if (
    typeof type === "string" &&
    IMAGE_TYPES.has(type) &&
    ["image_url", "source", "file_id"].some((name) => name in record)
  )
    return { type: type === "input_image" ? "input_text" : "text", text: UNSEEN };
  const inline = record["inlineData"] as JsonObject | undefined;
  if (typeof inline?.["mimeType"] === "string" && inline["mimeType"].startsWith("image/")) return { text: UNSEEN };
  // Neither schemas nor arguments hold images of the conversation.
  const entries = Object.entries(record).map(
    ([name, member]) => [name, name === "tools" ? member : withoutImages(member!)] as const,
  );
  return entries.some(([name, member]) => member !== record[name]) ? Object.fromEntries(entries) : record;
}

/** Without tools, the calls and results so far become text: a service that knows no tools knows no such messages. */
function withoutTools(body: JsonObject, wire: WireForm): JsonObject {
  const { tools: _tools, tool_choice: _choice, toolConfig: _config, parallel_tool_calls: _parallel, ...rest } = body;
  if (wire !== "chat") return rest;
  const messages = listAt(body, "messages").map((message): JsonObject => {
    if (message["role"] === "tool")
      return {
        role: "user",
        content: `Result of the call ${textFrom(message["tool_call_id"])}:\n${textFrom(message["content"])}`,
      };
    const calls = message["tool_calls"];
    if (!Array.isArray(calls)) return message;
    const lines = (calls as JsonObject[]).map((call) => {
      const called = call["function"] as JsonObject;
      return `Call ${textFrom(call["id"])}: ${textFrom(called["name"])} ${textFrom(called["arguments"])}`;
    });
    return {
      role: "assistant",
      content: [textFrom(message["content"]), ...lines].filter((line) => line !== "").join("\n"),
    };
  });
  return { ...rest, messages: joined(messages) };
}

/** The system prompt in front of the first user message. */
function withoutSystem(body: JsonObject, wire: WireForm): JsonObject {
  if (wire === "messages") {
    const { system, ...rest } = body;
    return system === undefined
      ? body
      : { ...rest, messages: opened(listAt(body, "messages"), textFrom(system), "text", "content") };
  }
  if (wire === "gemini") {
    const { systemInstruction, ...rest } = body;
    if (systemInstruction === undefined) return body;
    return {
      ...rest,
      contents: opened(
        listAt(body, "contents"),
        textFrom((systemInstruction as JsonObject)["parts"]),
        undefined,
        "parts",
      ),
    };
  }
  const name = wire === "responses" ? "input" : "messages";
  const messages = listAt(body, name);
  const system = messages
    .filter(isSystem)
    .map(({ content }) => textFrom(content!))
    .join("\n\n");
  if (system === "") return body;
  const others = messages.filter((message) => !isSystem(message));
  return { ...body, [name]: opened(joined(others), system, wire === "responses" ? "input_text" : "text", "content") };
}

function opened(
  messages: readonly JsonObject[],
  system: string,
  type: string | undefined,
  field: "content" | "parts",
): JsonObject[] {
  const part: JsonObject = type === undefined ? { text: system } : { type, text: system };
  const first = messages[0];
  if (first === undefined || first["role"] !== "user")
    return [{ role: "user", [field]: field === "content" && type === "text" ? system : [part] }, ...messages];
  const content = first[field];
  const whole = typeof content === "string" ? `${system}\n\n${content}` : [part, ...((content ?? []) as Json[])];
  return [{ ...first, [field]: whole }, ...messages.slice(1)];
}

/** Templates without a system role also want the roles to alternate. */
function joined(messages: readonly JsonObject[]): JsonObject[] {
  const out: JsonObject[] = [];
  for (const message of messages) {
    const before = out.at(-1);
    const both = before?.["content"];
    if (
      before?.["role"] === "user" &&
      message["role"] === "user" &&
      typeof both === "string" &&
      typeof message["content"] === "string"
    )
      out[out.length - 1] = { ...before, content: `${both}\n\n${message["content"]}` };
    else out.push(message);
  }
  return out;
}

function isSystem({ role }: JsonObject): boolean {
  return role === "system" || role === "developer";
}

function listAt(body: JsonObject, name: string): readonly JsonObject[] {
  const list = body[name];
  return Array.isArray(list) ? (list as readonly JsonObject[]) : [];
}

function textFrom(value: Json | undefined): string {
  if (typeof value === "string") return value;
  if (!Array.isArray(value)) return "";
  return (value as readonly JsonObject[])
    .map((part) => (typeof part["text"] === "string" ? part["text"] : ""))
    .filter((text) => text !== "")
    .join("\n\n");
}

export function at(body: Json, path: string): Json | undefined {
  let value: Json | undefined = body;
  for (const step of path.split(".")) {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
    value = (value as JsonObject)[step];
  }
  return value;
}

export function isCarried(body: JsonObject, path: string): boolean {
  return path.includes("*") ? without(body, path.split(".")) !== body : at(body, path) !== undefined;
}

/** Without the field at a path; an object that is empty then goes too. The same value if nothing is there. */
function without<Value extends Json>(value: Value, [step = "", ...rest]: readonly string[]): Value {
  if (typeof value !== "object" || value === null) return value;
  if (step === "*" || Array.isArray(value))
    return eachWithout(value, step === "*" ? rest : [step, ...rest], step === "*") as Value;
  const record = value as JsonObject;
  if (!(step in record)) return value;
  const { [step]: inner, ...others } = record;
  if (rest.length === 0) return others as Value;
  const left = without(inner!, rest);
  if (left === inner) return value;
  return (
    typeof left === "object" && left !== null && Object.keys(left).length === 0 ? others : { ...record, [step]: left }
  ) as Value;
}

/** Names below these belong to tools, not to the wire. */
const ARGUMENTS: ReadonlySet<string> = new Set(["input", "input_schema", "parameters", "args", "arguments"]);

/** At any depth below a `*`. */
function eachWithout(value: Json, path: readonly string[], deep: boolean): Json {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) {
    const members = value.map((member: Json) => eachWithout(member, path, deep));
    return members.some((member, index) => member !== value[index]) ? members : value;
  }
  let out = without(value, path) as JsonObject;
  if (!deep) return out;
  for (const [name, member] of Object.entries(out)) {
    if (ARGUMENTS.has(name)) continue;
    const left = eachWithout(member!, path, true);
    if (left !== member) out = { ...out, [name]: left };
  }
  return out;
}

function withValue(body: JsonObject, [step = "", ...rest]: readonly string[], value: Json): JsonObject {
  return { ...body, [step]: rest.length === 0 ? value : withValue((body[step] ?? {}) as JsonObject, rest, value) };
}
