import { attachmentOf } from "../../shared/conversation/attachment.ts";
import { UserError } from "../../../contract/common/failure.ts";
import { isObject } from "../../../contract/common/is-object.ts";
import type { Json } from "../../../contract/common/json.ts";
import { textOf, type Part } from "../../../contract/conversation/part.ts";
import { wrongRequest } from "../http/api-failure.ts";

/** An earlier message that a client resends. */
export interface PriorMessage {
  readonly who: "user" | "assistant";
  readonly text: string;
}

/** A conversation as clients send it: complete with each request. */
export interface SentConversation {
  /** System messages of the client; "" if there are none. */
  readonly system: string;
  readonly history: readonly PriorMessage[];
  /** The new message. */
  readonly input: readonly Part[];
}

const MAX_ITEMS = 1_000;
const SYSTEM = new Set(["system", "developer"]);

/** @param param Its name in the request, for error messages. @throws {ApiFailure} */
export function readConversation(messages: Json | undefined, param: string): SentConversation {
  if (!Array.isArray(messages) || messages.length === 0)
    throw wrongRequest(`"${param}" must be a list of at least one message.`, param);
  if (messages.length > MAX_ITEMS)
    throw wrongRequest(`"${param}" has ${messages.length} messages; the maximum is ${MAX_ITEMS}.`, param);
  const system: string[] = [];
  const output: (PriorMessage & { readonly parts: readonly Part[] })[] = [];
  for (const [index, message] of messages.entries()) {
    const at = `${param}.${index}`;
    if (!isObject(message) || typeof message["role"] !== "string")
      throw wrongRequest(`"${at}" must be an object with a role.`, at);
    const { role, content } = message;
    // Skip tool calls and results: this agent did not make them.
    if (role !== "user" && role !== "assistant" && !SYSTEM.has(role)) continue;
    const parts = readContent(role === "assistant" ? withoutThoughts(content) : content, `${at}.content`);
    const text = textOf(parts);
    if (SYSTEM.has(role)) system.push(text);
    else if (parts.length > 0) output.push({ who: role as PriorMessage["who"], text, parts });
  }
  const last = output.at(-1);
  if (last?.who !== "user")
    throw wrongRequest(`The last message of "${param}" must have the role user: the agent answers it.`, param);
  return {
    system: system.filter((text) => text.trim() !== "").join("\n\n"),
    history: output.slice(0, -1).map(({ who, text }) => ({ who, text })),
    input: last.parts,
  };
}

/** Types of an assistant's parts that are no text for the next turn: clients resend what other models sent. */
const THOUGHTS = /^(?:(?:redacted_)?thinking|reasoning|reasoning_\w+|summary_text|tool_use|tool_call|tool_result)$/;

/** The text of a refusal is what the assistant said. */
function withoutThoughts(content: Json | undefined): Json | undefined {
  if (!Array.isArray(content)) return content;
  return content.flatMap((part): readonly Json[] => {
    if (!isObject(part) || typeof part["type"] !== "string") return [part];
    if (THOUGHTS.test(part["type"])) return [];
    return part["type"] === "refusal" && typeof part["refusal"] === "string"
      ? [{ type: "text", text: part["refusal"] }]
      : [part];
  });
}

/** A text, or a list of texts and images. @throws {ApiFailure} */
function readContent(content: Json | undefined, param: string): readonly Part[] {
  if (content === undefined || content === null || content === "") return [];
  if (typeof content === "string") return [{ type: "text", text: content }];
  if (!Array.isArray(content) || content.length > MAX_ITEMS)
    throw wrongRequest(`"${param}" must be a string or a list of at most ${MAX_ITEMS} parts.`, param);
  return content.flatMap((part, index) => readPart(part, `${param}.${index}`));
}

function readPart(part: Json, param: string): readonly Part[] {
  if (typeof part === "string") return [{ type: "text", text: part }];
  const type = isObject(part) ? part["type"] : undefined;
  if (
    isObject(part) &&
    (type === "text" || type === "input_text" || type === "output_text") &&
    typeof part["text"] === "string"
  )
    return part["text"] === "" ? [] : [{ type: "text", text: part["text"] }];
  if (isObject(part) && (type === "image_url" || type === "input_image")) {
    const given = part["image_url"];
    const url = isObject(given) ? given["url"] : given;
    if (typeof url === "string") return [imagePart(url, param)];
  }
  throw wrongRequest(
    `"${param}" has ${type === undefined ? "no type" : `the type ${JSON.stringify(type)}`}; send text or images.`,
    param,
    "unsupported_content_type",
  );
}

/** An image as data. For a URL only the address: tools can open it with guarded fetch. */
function imagePart(url: string, param: string): Part {
  if (/^https?:\/\//i.test(url)) return { type: "text", text: `\n[Attached image: ${url}]\n` };
  const [, data] = /^data:image\/[\w.+-]+;base64,([A-Za-z0-9+/=\s]+)$/.exec(url) ?? [];
  if (data === undefined)
    throw wrongRequest(
      `"${param}" must be an http(s) URL or data:image/…;base64,….`,
      param,
      "unsupported_content_type",
    );
  try {
    return attachmentOf("the picture", Buffer.from(data, "base64")).part;
  } catch (error) {
    if (error instanceof UserError)
      throw wrongRequest(
        [error.message, error.hint].filter((text) => text !== undefined).join(" "),
        param,
        "unsupported_content_type",
      );
    throw error;
  }
}
