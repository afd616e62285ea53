import { CORE_COMMANDS } from "../../src/surfaces/shared/commands/core-commands.ts";
import { inChats } from "../../src/surfaces/gateway/chats/chat-commands.ts";
import { code, page, table, type Page } from "./page.ts";
import { readSnapshot } from "./read-snapshot.ts";

export function slashCommandsPage(): Page {
  return page(
    "slash-commands.md",
    "Slash commands",
    `${CORE_COMMANDS.length} commands are built in. Plugins add more, but cannot use these names. In the interactive session, Tab completes them, and the start of a name is enough if it is unique. \`hermes chat -q "/NAME"\` runs those that need no screen.`,
    table(
      ["Command", "Also", "What it does", "Without a screen", "In chats"],
      CORE_COMMANDS.map(({ name, argsHint, aliases, description, needs, ...command }) => [
        code(`/${name}${argsHint === "" ? "" : ` ${argsHint}`}`),
        aliases.map((alias) => code(`/${alias}`)).join(", "),
        description,
        needs.length === 0 ? "yes" : "",
        chatsWord(inChats({ needs, ...command })),
      ]),
    ),
    "Plugins that ship with the agent add:",
    table(
      ["Command", "Also", "What it does", "In chats"],
      readSnapshot().flatMap(({ registered }) =>
        registered.commands.map(({ name, argsHint, aliases, description, cliOnly }) => [
          code(`/${name}${argsHint === undefined ? "" : ` ${argsHint}`}`),
          (aliases ?? []).map((alias) => code(`/${alias}`)).join(", "),
          description,
          cliOnly === true ? "" : "yes",
        ]),
      ),
    ),
  );
}

function chatsWord(there: ReturnType<typeof inChats>): string {
  return typeof there === "object" ? `with ${code(there.setting)}` : there ? "yes" : "";
}
