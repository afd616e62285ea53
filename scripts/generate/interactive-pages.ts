import { ACTIONS } from "../../src/surfaces/cli/interactive/keys/actions.ts";
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

const CONTEXTS = { input: "Conversation and input", list: "Lists", fullScreen: "Full screen (`--tui`)" };

export function keysPage(): Page {
  return page(
    "keys.md",
    "Keys of the interactive session",
    "`keybindings.json` in the home (`~/.hermes`) changes keys. It is a JSON object of actions and their keys: one, a list, or none (`[]`). The session names each mistake when it starts; the rest of the file counts. A key that you give to one action is taken from the defaults of other actions in the same part of the screen.",
    ["```json", '{ "app.searchHistory": ["f2", "ctrl+r"], "editor.undo": "ctrl+z", "app.suspend": [] }', "```"].join(
      "\n",
    ),
    "A key is a character, `up`, `down`, `left`, `right`, `home`, `end`, `pageUp`, `pageDown`, `enter`, `tab`, `space`, `backspace`, `delete`, `insert`, `escape` or `f1` to `f12`, after any of `ctrl+`, `alt+`, `shift+` and `super+`. Some combinations reach a program only in terminals with the Kitty keyboard protocol, such as `ctrl+shift+z`.",
    ...Object.entries(CONTEXTS).flatMap(([context, title]) => [
      `## ${title}`,
      table(
        ["Action", "Keys", "What it does"],
        ACTIONS.filter((action) => action.context === context).map(({ name, keys, description }) => [
          code(name),
          keys.map(code).join(", "),
          description,
        ]),
      ),
    ]),
  );
}
