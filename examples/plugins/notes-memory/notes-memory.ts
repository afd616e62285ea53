import type { JsonObject, MemoryProvider, MemorySession } from "hermes-agent/plugin";
import { addNote, notesFile, searchNotes } from "./notes-file.ts";

/** Conversations, one line for each turn, in a file of the profile's home. */
export class NotesMemory implements MemoryProvider {
  readonly name = "notes-memory";
  #file = "";

  is_available(): boolean {
    return true;
  }

  initialize(_session_id: string, { hermes_home }: MemorySession): void {
    this.#file = notesFile(hermes_home);
  }

  system_prompt_block(): string {
    return "Notes of earlier conversations are stored. notes_search finds more than the notes recalled automatically.";
  }

  async prefetch(query: string): Promise<string | null> {
    const found = await searchNotes(this.#file, query, 3);
    return found.length === 0
      ? null
      : found.map(({ user, assistant }) => `- asked: ${user} / answered: ${assistant}`).join("\n");
  }

  async sync_turn(user: string, assistant: string): Promise<void> {
    await addNote(this.#file, { user, assistant });
  }

  get_tool_schemas(): readonly JsonObject[] {
    return [
      {
        name: "notes_search",
        description: "Searches notes of earlier conversations.",
        parameters: { type: "object", properties: { query: { type: "string" } }, required: ["query"] },
      },
    ];
  }

  async handle_tool_call(_name: string, args: JsonObject): Promise<string> {
    return JSON.stringify({ notes: await searchNotes(this.#file, String(args["query"]), 10) });
  }
}
