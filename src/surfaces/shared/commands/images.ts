import { resolve } from "node:path";
import { UserError } from "../../../contract/common/failure.ts";
import { attachmentOf } from "../conversation/attachment.ts";
import type { SlashHost } from "./slash-host.ts";

/** Commands that attach an image to the next message. */

export async function image(args: string, host: SlashHost): Promise<string> {
  if (args === "") return "Usage: /image PATH (PNG, JPEG, GIF or WebP)";
  const { readFile } = await import("node:fs/promises");
  const path = pathOf(args, host.session().cwd);
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

/**
 * Accepts a typed path, or the form that a terminal pastes for a dropped file: quoted, or with backslashes before
 * spaces.
 */
function pathOf(typed: string, cwd: string): string {
  const quoted = /^(["'])(.*)\1$/.exec(typed)?.[2];
  const plain = quoted ?? typed.replaceAll(/\\(.)/g, "$1");
  return resolve(cwd, plain.replace(/^~(?=\/)/, process.env.HOME ?? "~"));
}
