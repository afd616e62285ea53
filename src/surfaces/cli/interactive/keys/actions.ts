/** A part of the screen in which a key means one thing. */
export type KeyContext = "input" | "list" | "fullScreen";

/** An action of the interactive session that keys start, by the name that `keybindings.json` uses. */
export interface KeyAction {
  readonly name: string;
  readonly keys: readonly string[];
  /** Starts with an imperative verb. */
  readonly description: string;
  readonly context: KeyContext;
}

const APP = {
  interrupt: [["ctrl+c"], "Stop what runs, else clear the line, else exit on the second press"],
  stop: [["escape"], "Stop the running turn or command; messages that wait return to the input"],
  exit: [["ctrl+d"], "Exit, if the input is empty"],
  suspend: [["ctrl+z"], "Suspend the program; the shell's `fg` continues it"],
  repaint: [["ctrl+l"], "Repaint the screen"],
  toggleCards: [["ctrl+o"], "Show all that the newest call did, then all calls, then only the beginnings"],
  readOutput: [["ctrl+t"], "Read the whole output of the newest call in a pager; [ and ] go to older and newer calls"],
  searchHistory: [["ctrl+r"], "Search the input of this and earlier sessions"],
  editOutside: [["ctrl+g"], "Write the message in `$EDITOR`"],
  editQueued: [["alt+up"], "Take the newest waiting message back into the input"],
  pasteImage: [["ctrl+v"], "Attach the image on the clipboard"],
  pickModel: [[], "Choose the model from a list (`/model`)"],
  pickSession: [[], "Choose a session to resume from a list (`/resume`)"],
} as const;

const EDITOR = {
  cursorUp: [["up"], "Move up a line; at the first line, show the input before"],
  cursorDown: [["down"], "Move down a line; at the last line, show the input after"],
  cursorLeft: [["left", "ctrl+b"], "Move left"],
  cursorRight: [["right", "ctrl+f"], "Move right"],
  cursorWordLeft: [["alt+left", "ctrl+left", "alt+b"], "Move to the start of the word"],
  cursorWordRight: [["alt+right", "ctrl+right", "alt+f"], "Move to the end of the word"],
  cursorLineStart: [["home", "ctrl+a"], "Move to the start of the line"],
  cursorLineEnd: [["end", "ctrl+e"], "Move to the end of the line"],
  jumpForward: [["ctrl+]"], "Move forward to the next character that you type"],
  jumpBackward: [["ctrl+alt+]"], "Move back to the next character that you type"],
  pageUp: [["pageUp", "ctrl+pageUp"], "Move up a page"],
  pageDown: [["pageDown", "ctrl+pageDown"], "Move down a page"],
  historyPrevious: [[], "Show the input before"],
  historyNext: [[], "Show the input after"],
  deleteCharBackward: [["backspace"], "Delete the character before the cursor"],
  deleteCharForward: [["delete", "ctrl+d"], "Delete the character at the cursor"],
  deleteWordBackward: [["ctrl+w", "alt+backspace"], "Delete the word before the cursor"],
  deleteWordForward: [["alt+d", "alt+delete"], "Delete the word after the cursor"],
  deleteToLineStart: [["ctrl+u"], "Delete to the start of the line"],
  deleteToLineEnd: [["ctrl+k"], "Delete to the end of the line"],
  yank: [["ctrl+y"], "Insert what was deleted last"],
  yankPop: [["alt+y"], "Replace what was inserted with what was deleted before it"],
  undo: [["ctrl+-", "ctrl+/"], "Undo the last change"],
  redo: [["alt+-", "alt+/"], "Redo the change that was undone last"],
} as const;

const INPUT = {
  submit: [["enter"], "Send the message"],
  newLine: [["shift+enter", "alt+enter", "ctrl+j"], "Start a new line"],
  tab: [["tab"], "Complete a command, an argument or a path"],
} as const;

const LIST = {
  up: [["up"], "Select the choice before"],
  down: [["down"], "Select the choice after"],
  pageUp: [["pageUp"], "Move up a page"],
  pageDown: [["pageDown"], "Move down a page"],
  confirm: [["enter"], "Choose"],
  cancel: [["escape", "ctrl+c"], "Leave the list"],
} as const;

const FULL_SCREEN = {
  pageUp: [["pageUp"], "Scroll up a page"],
  pageDown: [["pageDown"], "Scroll down a page"],
  halfPageUp: [[], "Scroll up half a page"],
  halfPageDown: [[], "Scroll down half a page"],
  lineUp: [[], "Scroll up a line"],
  lineDown: [[], "Scroll down a line"],
  top: [["ctrl+home"], "Scroll to the beginning"],
  bottom: [["ctrl+end"], "Scroll to the end"],
  search: [["ctrl+shift+f"], "Search the conversation"],
  searchNext: [["enter", "ctrl+g"], "Go to the next hit"],
  searchPrevious: [["shift+enter", "ctrl+shift+g"], "Go to the hit before"],
  searchClose: [["escape"], "Close the search"],
} as const;

/** Every action, in the order of the reference page. */
export const ACTIONS: readonly KeyAction[] = [
  ...actionsOf("app", "input", APP),
  ...actionsOf("input", "input", INPUT),
  ...actionsOf("editor", "input", EDITOR),
  ...actionsOf("list", "list", LIST),
  ...actionsOf("fullScreen", "fullScreen", FULL_SCREEN),
];

export type AppAction = `app.${keyof typeof APP}`;

function actionsOf(
  group: string,
  context: KeyContext,
  table: { readonly [name: string]: readonly [keys: readonly string[], description: string] },
): readonly KeyAction[] {
  return Object.entries(table).map(([name, [keys, description]]) => ({
    name: `${group}.${name}`,
    keys,
    description,
    context,
  }));
}

const KEY_NAMES = new Set(
  (
    "escape esc enter return tab space backspace delete insert clear home end pageup pagedown up down left right " +
    "f1 f2 f3 f4 f5 f6 f7 f8 f9 f10 f11 f12"
  ).split(" "),
);

/** Whether a text names a key: `ctrl+shift+x`, `alt+up`, `f5`. Case does not matter. */
export function isKey(text: string): boolean {
  const [, modifiers = "", key = ""] = /^((?:(?:ctrl|shift|alt|super)\+)*)(.+)$/.exec(text.toLowerCase()) ?? [];
  const given = modifiers.split("+").filter((modifier) => modifier !== "");
  return new Set(given).size === given.length && (KEY_NAMES.has(key) || /^[!-~]$/.test(key));
}
