import { UserError } from "../../../contract/common/failure.ts";
import { attachmentOf } from "../conversation/attachment.ts";
import { typedPath } from "../conversation/dropped-images.ts";
import type { SlashHost } from "./slash-host.ts";

/** Commands that attach an image to the next message. */

export async function image(args: string, host: SlashHost): Promise<string> {
  if (args === "") return "Usage: /image PATH (PNG, JPEG, GIF or WebP)";
  return attachFile(typedPath(args, host.session().cwd), host);
}

/** @param path Absolute. @throws {UserError} It is no image that models can read. */
export async function attachFile(path: string, host: SlashHost): Promise<string> {
  const { readFile } = await import("node:fs/promises");
  const data = await readFile(path).catch((cause: NodeJS.ErrnoException) => {
    throw new UserError(cause.code === "ENOENT" ? `There is no file "${path}".` : cause.message, { cause });
  });
  return attach(path, data, host);
}

export async function paste(host: SlashHost): Promise<string> {
  const { clipboardImage } = await import("../conversation/clipboard-image.ts");
  return attach("clipboard", await clipboardImage(), host);
}

function attach(name: string, data: Buffer, host: SlashHost): string {
  const attachment = attachmentOf(name, data);
  host.attach?.(attachment);
  return `${attachment.name} is attached to your next message.`;
}
