import { randomBytes } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Json, JsonObject, Part } from "hermes-agent/plugin";
import { plainText } from "./clean-definition.ts";

/** The result of a call, parsed. */
export interface McpOutput {
  readonly result?: Json;
  readonly structuredContent?: Json;
  /** Paths of the audio and other files that came with it. */
  readonly files?: readonly string[];
  readonly images?: readonly { readonly mediaType: string; readonly data: string }[];
}

export interface ReadResult {
  readonly failed: boolean;
  readonly output: McpOutput;
}

const MAX_IMAGES = 8;
const MAX_IMAGE_CHARS = 7_000_000;
const IMAGE = /^image\/(png|jpeg|gif|webp)$/;

/**
 * Converts a result of any shape: joins texts, keeps images, and saves audio and files into a folder. Invalid content
 * never throws.
 * @param folder Returns the folder for files; called only when there is one.
 */
export async function readResult(given: unknown, folder: () => Promise<string>): Promise<ReadResult> {
  if (typeof given !== "object" || given === null)
    return { failed: false, output: { result: (given ?? null) as Json } };
  const { content, structuredContent, isError, ...rest } = given as { readonly [key: string]: Json };
  const texts: string[] = [];
  const files: string[] = [];
  const images: { mediaType: string; data: string }[] = [];
  for (const [at, block] of (Array.isArray(content) ? content : []).entries()) {
    if (typeof block !== "object" || block === null || Array.isArray(block))
      texts.push(typeof block === "string" ? block : JSON.stringify(block));
    else await take(block as JsonObject, at);
  }
  const structured = structuredContent === undefined || structuredContent === null ? {} : { structuredContent };
  const plain = content === undefined && structuredContent === undefined && isError === undefined ? rest : undefined;
  const text = texts.map((one) => one.replaceAll(/[\u{e0000}-\u{e007f}]/gu, "")).join("\n");
  // A server that sends both sends the same content twice.
  const same =
    text !== "" && "structuredContent" in structured && text === JSON.stringify(structured.structuredContent);
  return {
    failed: isError === true,
    output: {
      ...(plain !== undefined
        ? { result: plain }
        : text !== "" || !("structuredContent" in structured)
          ? { result: text }
          : { result: structured.structuredContent }),
      ...(text === "" || same ? {} : structured),
      files: files.length === 0 ? undefined : files,
      images: images.length === 0 ? undefined : images,
    },
  };

  async function take(block: JsonObject, at: number): Promise<void> {
    const { type, text, data, mimeType, resource } = block;
    const media = typeof mimeType === "string" ? mimeType : "";
    if (type === "text" && typeof text === "string") return void texts.push(text);
    if (
      type === "image" &&
      typeof data === "string" &&
      IMAGE.test(media) &&
      data.length <= MAX_IMAGE_CHARS &&
      images.length < MAX_IMAGES
    )
      return void images.push({ mediaType: media, data });
    if ((type === "image" || type === "audio") && typeof data === "string") return keep(data, media, at);
    if (type === "resource" && typeof resource === "object" && resource !== null) {
      const { uri, text: words, blob, mimeType: kind } = resource as JsonObject;
      if (typeof words === "string") return void texts.push(`[${plainText(String(uri), 300)}]\n${words}`);
      if (typeof blob === "string") return keep(blob, typeof kind === "string" ? kind : "", at);
    }
    if (type === "resource_link")
      return void texts.push(
        `[${plainText(String(block["name"] ?? "resource"), 100)}: ${plainText(String(block["uri"]), 300)}]`,
      );
    texts.push(JSON.stringify(block));
  }

  async function keep(data: string, media: string, at: number): Promise<void> {
    const kind = /^[a-z]+\/([a-z0-9.+-]{1,12})$/.exec(media)?.[1]?.replace(/[^a-z0-9]/g, "") ?? "bin";
    const file = join(await folder(), `mcp-${randomBytes(6).toString("hex")}-${at}.${kind}`);
    await writeFile(file, Buffer.from(data, "base64"), { mode: 0o600 });
    files.push(file);
  }
}

/** The result for the model: one JSON object, followed by the images. */
export function shownResult({ images = [], ...rest }: McpOutput): readonly Part[] {
  return [
    { type: "text", text: JSON.stringify(rest) },
    ...images.map(({ mediaType, data }): Part => ({ type: "image", mediaType, data })),
  ];
}

/** The error message of a failed call: its text, its structured content, and the files that came with it. */
export function failedText({ result, structuredContent, files = [] }: McpOutput): string {
  const parts = [result, structuredContent, files.length === 0 ? undefined : { files: [...files] }]
    .filter((part) => part !== undefined && part !== null && part !== "")
    .map((part) => (typeof part === "string" ? part : JSON.stringify(part)));
  return parts.length === 0 ? "The tool failed without a message." : parts.join("\n");
}
