import { KeybindingsManager, setKeybindings, TUI_KEYBINDINGS, type KeyId } from "@earendil-works/pi-tui";
import { ACTIONS, type AppAction } from "./actions.ts";
import type { UserKeys } from "./user-keys.ts";

declare module "@earendil-works/pi-tui" {
  interface Keybindings extends Record<AppAction, true> {
    "tui.editor.redo": true;
  }
}

/** The library's names of the groups that it handles itself. */
const LIBRARY_GROUPS: { readonly [group: string]: string } = {
  editor: "tui.editor",
  input: "tui.input",
  list: "tui.select",
  fullScreen: "tui.altScreen",
};

/** Sets the keys of this process: the defaults, with the user's keys instead where there are any. */
export function bindKeys(user: UserKeys = new Map()): KeybindingsManager {
  const definitions = Object.fromEntries(
    ACTIONS.map(({ name, keys, description }) => [
      libraryName(name),
      { defaultKeys: [...(user.get(name) ?? keys)] as KeyId[], description },
    ]),
  );
  const manager = new KeybindingsManager({ ...TUI_KEYBINDINGS, ...definitions });
  setKeybindings(manager);
  return manager;
}

function libraryName(name: string): string {
  const dot = name.indexOf(".");
  const group = LIBRARY_GROUPS[name.slice(0, dot)];
  return group === undefined ? name : `${group}${name.slice(dot)}`;
}
