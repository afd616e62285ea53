import { fetchPicture } from "hermes-agent/terminal";
import {
  definedFields,
  ToolFailure,
  type ImageGenProvider,
  type MediaBackend,
  type ToolContext,
} from "hermes-agent/plugin";

export interface GivenPictures {
  readonly image_url?: string;
  readonly reference_image_urls?: readonly string[];
}

/** More than any service accepts; each picture is read completely. */
const MAX_PICTURES = 8;

/**
 * Reads the source pictures and returns them as `data:` URLs for the backend, after checking that each may be read and
 * is a picture.
 * @throws {ToolFailure} if one fails the check, or if the backend supports only text prompts.
 */
export async function givenPictures(
  { image_url, reference_image_urls }: GivenPictures,
  backend: MediaBackend & Pick<ImageGenProvider, "capabilities">,
  call: ToolContext,
): Promise<GivenPictures> {
  const count = (image_url === undefined ? 0 : 1) + (reference_image_urls?.length ?? 0);
  if (count === 0) return {};
  if (count > MAX_PICTURES)
    throw new ToolFailure("bad_arguments", `The call has ${count} pictures; the maximum is ${MAX_PICTURES}.`);
  const modalities = (await backend.capabilities?.())?.["modalities"];
  if (Array.isArray(modalities) && modalities.every((one) => one === "text"))
    throw new ToolFailure("bad_arguments", `"${backend.name}" supports only text prompts, not source pictures.`);
  const read = async (place: string): Promise<string> => {
    const { mediaType, data } = await fetchPicture(place, call);
    return `data:${mediaType};base64,${data}`;
  };
  const references: string[] = [];
  for (const place of reference_image_urls ?? []) references.push(await read(place));
  return definedFields({
    image_url: image_url === undefined ? undefined : await read(image_url),
    reference_image_urls: reference_image_urls === undefined ? undefined : references,
  });
}
