import { fileURLToPath } from "node:url";
import { ToolFailure } from "../../contract/common/failure.ts";

export type PicturePlace =
  | { readonly kind: "address"; readonly url: string }
  | { readonly kind: "data"; readonly address: string }
  | { readonly kind: "file"; readonly path: string };

/**
 * What an `image_url` names. What is judged and what is fetched are both read from here.
 * @throws {ToolFailure} `bad_arguments` for what names nothing.
 */
export function picturePlace(given: string): PicturePlace {
  const place = given.trim();
  if (place === "") throw new ToolFailure("bad_arguments", "image_url names no picture.");
  if (/^https?:\/\//i.test(place)) return { kind: "address", url: place };
  if (/^data:/i.test(place)) return { kind: "data", address: place };
  return { kind: "file", path: /^file:\/\//i.test(place) ? pathOf(place) : place };
}

function pathOf(address: string): string {
  try {
    return fileURLToPath(address);
  } catch (cause) {
    throw new ToolFailure("bad_arguments", `${address} names no file of this machine.`, { cause });
  }
}
