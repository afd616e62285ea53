/** A file that an answer asks to send. */
export interface TaggedFile {
  readonly path: string;
}

export interface TaggedText {
  /** The text without its media tags. */
  readonly text: string;
  readonly files: readonly TaggedFile[];
  /** Send audio files as voice messages. */
  readonly asVoice: boolean;
  /** Send images as files. */
  readonly asDocument: boolean;
}

const ENDINGS =
  "png|jpe?g|gif|webp|bmp|tiff|svg|mp4|mov|avi|mkv|webm|mp3|wav|ogg|oga|opus|m4a|flac|pdf|docx?|odt|rtf|txt|md|epub|xlsx?|ods|csv|tsv|json|xml|ya?ml|pptx?|odp|key|zip|tar|tgz|gz|bz2|xz|7z|rar|apk|ipa|html?";
const TAG = new RegExp(
  `(?<![\\w"'\`\\\\])MEDIA:[ \\t]*(?:"([^"\\n]+)"|'([^'\\n]+)'|\`([^\`\\n]+)\`|((?:~/|/)[^\\n]*?\\.(?:${ENDINGS}))(?=[.,;:!?)\\]]*(?:\\s|$)))`,
  "gi",
);
const PLACE = new RegExp(`^(?:~/|/).*\\.(?:${ENDINGS})$`, "i");
const FLAG = /(?<!["'])\[\[(audio_as_voice|as_document)\]\]/g;

/**
 * Removes `MEDIA:PATH` and its flags from an answer. A tag in code, in a quotation or in quotes stays, because the
 * answer only talks about it.
 */
export function mediaTags(text: string): TaggedText {
  const files: TaggedFile[] = [];
  const flags = new Set<string>();
  let fenced = false;
  const lines = text.split("\n").flatMap((line) => {
    const fence = /^\s*(?:```|~~~)/.test(line);
    if (fence) fenced = !fenced;
    if (fence || fenced || /^\s*>/.test(line)) return [line];
    const bare = withoutCode(line);
    const cuts: { readonly at: number; readonly length: number }[] = [];
    for (const match of bare.matchAll(TAG)) {
      const path =
        match
          .slice(1)
          .find((one) => one !== undefined)
          ?.trim() ?? "";
      if (!PLACE.test(path)) continue;
      if (!files.some((file) => file.path === path)) files.push({ path });
      cuts.push({ at: match.index, length: match[0].length });
    }
    for (const match of bare.matchAll(FLAG)) {
      flags.add(match[1]!);
      cuts.push({ at: match.index, length: match[0].length });
    }
    if (cuts.length === 0) return [line];
    const left = cuts
      .toSorted((one, other) => other.at - one.at)
      .reduce((rest, { at, length }) => rest.slice(0, at) + rest.slice(at + length), line);
    return /\S/.test(left) ? [left.replaceAll(/[ \t]{2,}/g, " ").trimEnd()] : [];
  });
  const found = files.length > 0 || flags.size > 0;
  return {
    text: found
      ? lines
          .join("\n")
          .replaceAll(/\n{3,}/g, "\n\n")
          .trim()
      : text,
    files,
    asVoice: flags.has("audio_as_voice"),
    asDocument: flags.has("as_document"),
  };
}

/** Masks inline code with characters that no tag contains, but keeps backquotes around the path of a tag. */
function withoutCode(line: string): string {
  return line.replaceAll(/(MEDIA:[ \t]*)?`[^`\n]*`/gi, (all, tag: string | undefined) =>
    tag === undefined ? "\u0000".repeat(all.length) : all,
  );
}
