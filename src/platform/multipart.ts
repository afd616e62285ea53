import { randomUUID } from "node:crypto";
import type { Json, JsonObject } from "../contract/common/json.ts";

export interface UploadedFile {
  /** Name of the form field. */
  readonly field: string;
  readonly name: string;
  readonly bytes: Uint8Array;
  /** Default `application/octet-stream`. */
  readonly type?: string;
}

/** Encodes parameters and files as multipart form data. */
export function multipart(
  params: JsonObject,
  files: readonly UploadedFile[],
): { readonly contentType: string; readonly body: Uint8Array } {
  const boundary = `hermes-${randomUUID()}`;
  const head = (disposition: string): string => `--${boundary}\r\nContent-Disposition: form-data; ${disposition}\r\n`;
  const fields = Object.entries(params).flatMap(([key, value]) =>
    value === undefined ? [] : [`${head(`name="${key}"`)}\r\n${textOf(value)}\r\n`],
  );
  const parts = files.flatMap(({ field, name, bytes, type = "application/octet-stream" }) => [
    Buffer.from(`${head(`name="${field}"; filename="${quoted(name)}"`)}Content-Type: ${type}\r\n\r\n`),
    bytes,
    Buffer.from("\r\n"),
  ]);
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    body: Buffer.concat([Buffer.from(fields.join("")), ...parts, Buffer.from(`--${boundary}--\r\n`)]),
  };
}

function textOf(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** Escapes a name, so that it cannot end its quoted field. */
function quoted(name: string): string {
  return name.replaceAll(/[\r\n]/g, " ").replaceAll('"', "%22");
}
