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

/** More than any service looks at; each is read whole. */
const MAX_PICTURES = 8;

/**
 * The pictures to begin from as a backend is handed them: `data:` addresses of what was judged, read and is a picture.
 * @throws {ToolFailure} for one that may not be read or is none, and where the backend says that it makes pictures from words alone.
 */
export async function givenPictures(
  { image_url, reference_image_urls }: GivenPictures,
  backend: MediaBackend & Pick<ImageGenProvider, "capabilities">,
  call: ToolContext,
): Promise<GivenPictures> {
  const count = (image_url === undefined ? 0 : 1) + (reference_image_urls?.length ?? 0);
  if (count === 0) return {};
  if (count > MAX_PICTURES)
    throw new ToolFailure("bad_arguments", `These are ${count} pictures; at most ${MAX_PICTURES} are taken.`);
  const modalities = (await backend.capabilities?.())?.["modalities"];
  if (Array.isArray(modalities) && modalities.every((one) => one === "text"))
    throw new ToolFailure(
      "bad_arguments",
      `"${backend.name}" makes them from words alone; it takes no picture to begin from.`,
    );
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
