import { randomUUID } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { UserError } from "../../../contract/common/failure.ts";
import { isObject } from "../../../contract/common/is-object.ts";
import type { Json } from "../../../contract/common/json.ts";
import type { Part } from "../../../contract/conversation/part.ts";
import { pictureType } from "../../../contract/providers/media.ts";
import { attachmentOf } from "../../shared/conversation/attachment.ts";

const MOST = 10;
const MAX_FILE_BYTES = 20 * 1024 * 1024;
/** Body of a request with attachments: base64 makes them a third larger. */
export const MAX_MESSAGE_BYTES = 32 * 1024 * 1024;

/**
 * The attachments of a message, each `{ name, data }` with base64. An image becomes part of the message; any other file
 * is saved below `cache/documents`, and the message names its path.
 * @throws {UserError}
 */
export async function readAttachments(given: Json | undefined, home: string): Promise<readonly Part[]> {
  if (given === undefined) return [];
  if (!Array.isArray(given)) throw new UserError('The field "attachments" must be a list.');
  if (given.length > MOST) throw new UserError(`A message can have at most ${MOST} attachments.`);
  const files = given.map(fileIn);
  return Promise.all(files.map((file) => partOf(file, home)));
}

interface AttachedFile {
  readonly name: string;
  readonly data: Buffer;
}

function fileIn(given: Json): AttachedFile {
  if (!isObject(given) || typeof given["name"] !== "string" || typeof given["data"] !== "string")
    throw new UserError("An attachment needs a name and its data as base64.");
  const { name, data: text } = given as { readonly name: string; readonly data: string };
  const data = Buffer.from(text, "base64");
  if (data.length === 0) throw new UserError(`"${basename(name)}" is empty.`);
  if (data.length > MAX_FILE_BYTES)
    throw new UserError(`"${basename(name)}" is larger than ${MAX_FILE_BYTES / 1024 / 1024} MB.`, {
      hint: "Copy it to the chat's folder and name its path instead.",
    });
  return { name, data };
}

async function partOf({ name, data }: AttachedFile, home: string): Promise<Part> {
  if (pictureType(data) !== undefined) return attachmentOf(name, data).part;
  const folder = join(home, "cache", "documents");
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, `${randomUUID().slice(0, 8)}_${safeName(name)}`);
  await writeFile(path, data, { mode: 0o600, flag: "wx" });
  return { type: "text", text: `\n[Attached file: ${safeName(name)}, at ${path}]` };
}

/** The page chooses the name, so it becomes one short word that is no hidden file. */
function safeName(name: string): string {
  const clean = basename(name.replaceAll("\\", "/"))
    .replaceAll(/[^\p{L}\p{N}._-]+/gu, "_")
    .replace(/^\.+/, "")
    .slice(-80);
  return clean === "" ? "file" : clean;
}
