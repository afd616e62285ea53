import { randomUUID } from "node:crypto";
import type { Json, JsonObject } from "hermes-agent/plugin";

export interface UploadedFile {
  /** Name of the form field. */
  readonly field: string;
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** Encodes parameters and a file as multipart form data. */
export function multipart(
  params: JsonObject,
  { field, name, bytes }: UploadedFile,
): { readonly contentType: string; readonly body: Uint8Array } {
  const boundary = `hermes-${randomUUID()}`;
  const head = (disposition: string): string => `--${boundary}\r\nContent-Disposition: form-data; ${disposition}\r\n`;
  const fields = Object.entries(params).map(([key, value]) => `${head(`name="${key}"`)}\r\n${wordsOf(value)}\r\n`);
  const file = `${head(`name="${field}"; filename="${quoted(name)}"`)}Content-Type: application/octet-stream\r\n\r\n`;
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    body: Buffer.concat([Buffer.from(fields.join("") + file), bytes, Buffer.from(`\r\n--${boundary}--\r\n`)]),
  };
}

function wordsOf(value: Json | undefined): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** Escapes a name, so that it cannot end its quoted field. */
function quoted(name: string): string {
  return name.replaceAll(/[\r\n]/g, " ").replaceAll('"', "%22");
}
