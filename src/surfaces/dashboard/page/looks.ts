import { element } from "./element.ts";
import { chooseLanguage, LANGUAGES, language, say } from "./text.ts";

/** A theme of a plugin. */
export interface Look {
  readonly key: string;
  readonly label: string;
  readonly css: string;
}

const RETAINED = "hermes-look";
const PLAIN = [
  ["", "System"],
  ["light", "Light"],
  ["dark", "Dark"],
] as const;

let looks: readonly Look[] = [];

/** Sets the current plugin themes; a theme in use is dropped when its plugin is disabled. */
export function useLooks(given: readonly Look[]): void {
  looks = given;
  chooseLook();
}

/** Applies the saved theme, if it exists. */
export function chooseLook(): void {
  const { look, theme } = lookNow();
  const root = document.documentElement;
  if (look === "") delete root.dataset["look"];
  else root.dataset["look"] = look;
  document.querySelector("#theme")?.remove();
  if (theme !== undefined) document.head.append(element("link", { id: "theme", rel: "stylesheet", href: theme.css }));
}

export function lookNow(): { readonly look: string; readonly theme: Look | undefined } {
  const saved = localStorage.getItem(RETAINED) ?? "";
  const theme = looks.find(({ key }) => `plugin:${key}` === saved);
  return { look: saved === "light" || saved === "dark" ? saved : "", theme };
}

/** Two selection fields at the bottom of the bar: theme and language. */
export function drawLooks(changed: () => void): HTMLElement {
  const saved = localStorage.getItem(RETAINED) ?? "";
  const choose = element(
    "select",
    {
      "aria-label": say("Look"),
      onchange: () => {
        localStorage.setItem(RETAINED, choose.value);
        chooseLook();
        changed();
      },
    },
    PLAIN.map(([value, label]) => element("option", { value, selected: saved === value }, say(label))),
    looks.map(({ key, label }) =>
      element("option", { value: `plugin:${key}`, selected: saved === `plugin:${key}` }, label),
    ),
  );
  const speak = element(
    "select",
    {
      "aria-label": say("Language"),
      onchange: () => {
        chooseLanguage(speak.value);
        changed();
      },
    },
    LANGUAGES.map(([code, label]) => element("option", { value: code, selected: language() === code }, label)),
  );
  return element("div", { class: "looks" }, choose, speak);
}
