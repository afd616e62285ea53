import type { Fact } from "../../contract/conversation/fact.ts";
import type { AnswerItem } from "../turn/next-step.ts";
import { projectNote } from "../transcript/transcript-messages.ts";
import type { TurnResources } from "../turn/turn-resources.ts";

/** Session state: folders below the working directory whose notes were looked for. */
const KNOWN = "context.folders";
/** A call over a whole tree must not bring in the notes of all of it. */
const MAX_AT_ONCE = 3;

/** Folders that each open session has searched for notes, so that each folder is searched once. */
const lookedAt = new WeakMap<object, Set<string>>();

/** Notes of the folders that these calls worked in for the first time; the model gets them with the results. */
export async function folderNotes(
  { ports, transcript, cwd, write }: TurnResources,
  { calls }: AnswerItem,
): Promise<readonly string[]> {
  if (ports.folderNotes === undefined) return [];
  const paths = calls
    .flatMap(({ called, outcome }) =>
      outcome?.kind === "ok" ? [called?.args?.["path"], called?.args?.["workdir"]] : [],
    )
    .filter((path) => typeof path === "string");
  if (paths.length === 0) return [];
  const state = transcript.state.get(KNOWN);
  const known = lookedAt.get(transcript) ?? new Set(Array.isArray(state) ? state.map(String) : []);
  lookedAt.set(transcript, known);
  const looked = ports.folderNotes(cwd, paths, known);
  for (const { folder } of looked) known.add(folder);
  const found = looked.flatMap(({ notes }) => (notes === undefined ? [] : [notes])).slice(0, MAX_AT_ONCE);
  if (found.length === 0) return [];
  const saved: Fact = { type: "state.set", key: KNOWN, value: [...known] };
  await write([saved]);
  return found.map((notes) => {
    const part = projectNote({ ...notes, text: ports.redact(notes.text) });
    return part.type === "text" ? part.text : "";
  });
}
