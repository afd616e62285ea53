import { fileURLToPath } from "node:url";
import { ToolFailure } from "../../contract/common/failure.ts";

export type PicturePlace =
  | { readonly kind: "address"; readonly url: string }
  | { readonly kind: "data"; readonly address: string }
  | { readonly kind: "file"; readonly path: string };

/**
 * The source that an `image_url` names. Both the judgement and the fetch use this result.
 * @throws {ToolFailure} `bad_arguments` if it names nothing.
 */
export function picturePlace(given: string): PicturePlace {
  const place = given.trim();
  if (place === "") throw new ToolFailure("bad_arguments", "image_url names no image.");
  if (/^https?:\/\//i.test(place)) return { kind: "address", url: place };
  if (/^data:/i.test(place)) return { kind: "data", address: place };
  return { kind: "file", path: /^file:\/\//i.test(place) ? pathOf(place) : place };
}

function pathOf(address: string): string {
  try {
    return fileURLToPath(address);
  } catch (cause) {
    throw new ToolFailure("bad_arguments", `${address} is not a file on this machine.`, { cause });
  }
}
