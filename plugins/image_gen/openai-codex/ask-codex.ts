import { ToolFailure, wordsOfHost, objectOf, type Json, type JsonObject } from "hermes-agent/plugin";
import { picture, post, type Answered, type Asked } from "../ask-service.ts";
import { GPT_IMAGE, GPT_IMAGE_SIZES, qualityOf } from "../gpt-image.ts";

const TIMEOUT_MS = 290_000;
/** The model that only calls the image tool. */
const HOST_MODEL = "gpt-5.5";

/** Requests one answer of the model and uses only its image. */
export async function askCodex(asked: Asked, base: string): Promise<Answered> {
  const reply = await post(asked, `${base}/responses`, bodyOf(asked), TIMEOUT_MS, {
    accept: "text/event-stream",
    configured: "HERMES_CODEX_BASE_URL",
  });
  let made: string | undefined;
  for (const event of eventsOf(await reply.text())) {
    const { type, item, response } = event;
    if (type === "response.failed" || type === "error")
      throw new ToolFailure("api_error", `it failed${messageOf(event, response)}`, { from: wordsOfHost(base) });
    made =
      resultOf(item) ??
      (Array.isArray(objectOf(response)["output"])
        ? (objectOf(response)["output"] as readonly Json[]).map(resultOf).findLast((one) => one !== undefined)
        : undefined) ??
      made;
  }
  // Partial images come before the final one.
  if (made === undefined) throw new ToolFailure("empty_response", "its answer contains no image.");
  return { b64: picture(made) };
}

function bodyOf({ prompt, model, aspect_ratio }: Asked): JsonObject {
  return {
    model: HOST_MODEL,
    store: false,
    stream: true,
    instructions: "Create the requested image with the image_generation tool. Do not change the request.",
    input: [{ type: "message", role: "user", content: [{ type: "input_text", text: prompt }] }],
    tools: [
      {
        type: "image_generation",
        model: GPT_IMAGE,
        size: GPT_IMAGE_SIZES[aspect_ratio],
        quality: qualityOf(model),
        output_format: "png",
        background: "opaque",
        partial_images: 1,
      },
    ],
    tool_choice: { type: "allowed_tools", mode: "required", tools: [{ type: "image_generation" }] },
  };
}

/** The JSON of each event; skips events without JSON. */
function eventsOf(stream: string): readonly JsonObject[] {
  return stream.split(/\r\n\r\n|\n\n|\r\r/).flatMap((block) => {
    const data = block
      .split(/\r\n|\n|\r/)
      .flatMap((line) => (line.startsWith("data:") ? [line.slice(5).trimStart()] : []))
      .join("\n");
    try {
      return [objectOf(JSON.parse(data) as Json)];
    } catch {
      return []; // `[DONE]`, or a keep-alive comment.
    }
  });
}

function resultOf(item: Json | undefined): string | undefined {
  const { type, result } = objectOf(item);
  return type === "image_generation_call" && typeof result === "string" && result !== "" ? result : undefined;
}

function messageOf(event: JsonObject, response: Json | undefined): string {
  const message = objectOf(objectOf(response)["error"] ?? event["error"])["message"] ?? event["message"];
  return typeof message === "string" ? `: ${message.slice(0, 300)}` : ".";
}
