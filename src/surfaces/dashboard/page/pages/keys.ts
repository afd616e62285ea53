import type { KeyShown } from "../../key-shown.ts";
import { ask } from "../ask.ts";
import { element, fill } from "../element.ts";
import { carryOut, doing, noticeBox, type Page } from "../parts-of-page.ts";
import { confirmed } from "../question.ts";
import { say } from "../text.ts";

/** Keys and other variables: set and removed, never shown. */
export const keysPage: Page = async ({ main, signal }) => {
  const [notes, rows] = [element("div"), element("div")];
  const [name, value] = [
    element("input", {
      placeholder: "NAME",
      "aria-label": say("Name"),
      required: true,
      pattern: "[A-Z][A-Z0-9_]*",
      spellcheck: "false",
    }),
    secretField(say("Value")),
  ];
  await draw();
  fill(
    main,
    element("p", { class: "quiet" }, say("Keys are stored in .env and never shown again.")),
    notes,
    rows,
    element("h2", {}, say("Another variable")),
    element(
      "form",
      { class: "row", onsubmit: (event) => (event.preventDefault(), give(name.value, value)) },
      name,
      value,
      element("button", { class: "main" }, say("Set")),
    ),
  );

  async function draw(): Promise<void> {
    const { file, keys } = await ask<{ readonly file: string; readonly keys: readonly KeyShown[] }>(
      "GET",
      "/api/keys",
      undefined,
      signal,
    );
    const group = (of: KeyShown["group"], title: string): readonly HTMLElement[] => {
      // Show set variables first.
      const own = keys.filter((key) => key.group === of).toSorted((one, other) => Number(other.set) - Number(one.set));
      return own.length === 0 ? [] : [element("h2", {}, title), ...own.map(row)];
    };
    fill(
      rows,
      group("model", say("Models")),
      group("tools", say("Tools and plugins")),
      element("p", { class: "quiet small mono" }, file),
    );
  }

  function row({ name: key, description, url, secret, set, where }: KeyShown): HTMLElement {
    const field = secret
      ? secretField(key)
      : element("input", { "aria-label": key, placeholder: say("Value"), autocomplete: "off" });
    return element(
      "div",
      { class: "card setting" },
      element(
        "div",
        {},
        element(
          "div",
          { class: "mono" },
          element("span", { class: set ? "good" : "quiet" }, set ? "● " : "○ "),
          element("b", {}, key),
        ),
        element(
          "div",
          { class: "small quiet" },
          description,
          set && where !== undefined && ` · ${where}`,
          url !== undefined &&
            /^https?:/.test(url) &&
            element(
              "span",
              {},
              " · ",
              element("a", { href: url, target: "_blank", rel: "noreferrer noopener" }, say("get one")),
            ),
        ),
      ),
      element(
        "form",
        { onsubmit: (event) => (event.preventDefault(), give(key, field)) },
        field,
        element("button", { class: set ? "" : "main" }, set ? say("Replace") : say("Set")),
        set &&
          doing(
            say("Remove"),
            notes,
            async () => {
              if (!(await confirmed(say("Remove {}?", key), { danger: true, signal }))) return;
              await ask("DELETE", `/api/keys/${encodeURIComponent(key)}`);
              await draw();
            },
            "danger",
          ),
      ),
    );
  }

  function give(key: string, field: HTMLInputElement): Promise<void> {
    return carryOut(undefined, notes, async () => {
      await ask("PUT", `/api/keys/${encodeURIComponent(key)}`, { value: field.value });
      field.value = "";
      await draw();
      fill(notes, noticeBox("good", say("{} is set.", key)));
    });
  }
};

function secretField(label: string): HTMLInputElement {
  return element("input", { type: "password", "aria-label": label, placeholder: say("Value"), autocomplete: "off" });
}
