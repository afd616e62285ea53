/** Findings that are right as they stand: names that stored data, plugins or the original use, and quoted fixtures. */
export interface ProseException {
  /** Files whose path begins so. */
  readonly path: string;
  /** Words, or the whole text of a name. */
  readonly words: readonly string[];
  readonly why: string;
}

export const EXCEPTIONS: readonly ProseException[] = [
  { path: "plugins/checkpoints/", words: ["kept"], why: "a field of the JSON that hermes rollback prints" },
  {
    path: "plugins/tool-terminal/",
    words: ["kept", "foreign"],
    why: "fields of the stored rows of background processes, and a kind that hermes ps lists",
  },
  {
    path: "src/safety/skills/vocabulary/",
    words: ["desk", "hear", "no person", "nobody", "somebody", "the person", "told", "wish", "wished", "wishes"],
    why: "vocabulary that the skill scanner finds in texts of others",
  },
  { path: "src/safety/commands/", words: ["wish"], why: "the Tcl/Tk shell" },
  { path: "src/contract/conversation/fact.ts", words: ["foreign"], why: "a field of a stored fact" },
  { path: "src/contract/conversation/part.ts", words: ["kept"], why: "a field of stored parts" },
];
