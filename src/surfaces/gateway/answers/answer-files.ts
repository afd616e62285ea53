import type { Recorded } from "../../../contract/conversation/fact.ts";
import type { OutgoingFile, OutgoingFiles } from "../../../contract/conversation/outgoing-file.ts";
import { madeMedia } from "./generated-media.ts";
import { mediaTags } from "../../shared/conversation/media-tags.ts";

export interface AnswerWithFiles {
  readonly text: string;
  readonly files: readonly OutgoingFile[];
}

/** Files of one answer. */
const MAX_FILES = 10;

/**
 * The files to send with an answer: those its text names with `MEDIA:`, and those a tool of this turn made to be shown.
 * Reports files that may not be sent, with the reason.
 */
export async function answerFiles(
  given: string,
  {
    facts,
    turnId,
    cwd,
    files,
  }: {
    readonly facts: readonly Recorded[];
    readonly turnId: string;
    readonly cwd: string;
    readonly files: OutgoingFiles;
  },
): Promise<AnswerWithFiles> {
  const tagged = mediaTags(given);
  const made = madeMedia(facts, turnId);
  const wanted = [...new Set([...tagged.files.map(({ path }) => path), ...made.now])];
  const taken: OutgoingFile[] = [];
  const refused: string[] = [];
  for (const path of wanted.slice(0, MAX_FILES)) {
    const one = await files.take(path, {
      cwd,
      made: made.all,
      voice: tagged.asVoice || made.voices.includes(path),
      asDocument: tagged.asDocument,
    });
    if (one.ok) taken.push(one.file);
    else refused.push(`⚠ Cannot send ${path}: ${one.reason}.`);
  }
  if (wanted.length > MAX_FILES) refused.push(`⚠ Sending only the first ${MAX_FILES} of ${wanted.length} files.`);
  return { text: [tagged.text, ...refused].filter((line) => line !== "").join("\n\n"), files: taken };
}
