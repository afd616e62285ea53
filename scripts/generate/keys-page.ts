import { ACTIONS } from "../../src/surfaces/cli/interactive/keys/actions.ts";
import { code, page, table, type Page } from "./page.ts";

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
