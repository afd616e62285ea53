import type { KeybindingsManager } from "@earendil-works/pi-tui";
import { ACTIONS, type AppAction } from "./actions.ts";

/** The rows of `/help` about keys, with the user's own keys. */
export function keyHelp(keys: KeybindingsManager, fullScreen: boolean): readonly (readonly [string, string])[] {
  const named = (name: string): readonly string[] => keys.getKeys(name as AppAction).map(keyTitle);
  const app = ACTIONS.flatMap(({ name, description }): readonly (readonly [string, string])[] =>
    name.startsWith("app.") && named(name).length > 0 ? [[named(name).join(", "), description]] : [],
  );
  return [
    [
      "Enter",
      `Send; ${[...keys.getKeys("tui.input.newLine").map(keyTitle), "\\ before Enter"].join(", ")}: a new line`,
    ],
    ...app,
    ["Up, Down", "Browse the input history, including earlier sessions"],
    ["Tab", "Complete a command or path; Enter sends the typed text, or the choice made with the arrows"],
    [[...keys.getKeys("tui.editor.undo"), ...keys.getKeys("tui.editor.redo")].map(keyTitle).join(", "), "Undo, redo"],
    ["@", "Complete a file of the project by some of its letters"],
    ["!", "Run a shell command yourself; the model sees it with your next message, with !! it does not"],
    ...(fullScreen ? ([["PgUp, PgDn", "Scroll, as the mouse wheel does"]] as const) : []),
  ];
}

const NAMES: { readonly [key: string]: string } = { escape: "Esc", pageUp: "PgUp", pageDown: "PgDn" };

/** `ctrl+r` as `Ctrl-R`. */
export function keyTitle(key: string): string {
  return key
    .split(/\+(?=.)/)
    .map((part) => NAMES[part] ?? part[0]!.toUpperCase() + part.slice(1))
    .join("-");
}
