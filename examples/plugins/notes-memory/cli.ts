import type { RegisterCli } from "hermes-agent/plugin";
import { notesFile, readNotes } from "./notes-file.ts";

/** `hermes notes-memory status`, while it is the selected provider. */
export const register_cli: RegisterCli = (subparser, { home }) => {
  subparser.command({
    name: "status",
    description: "how many notes there are",
    input: { type: "object", properties: {} },
    async run(_, io) {
      const file = notesFile(home);
      io.out(`${(await readNotes(file)).length} notes in ${file}\n`);
    },
  });
};
