import type { Json } from "../../../../contract/common/json.ts";
import { ask } from "../ask.ts";
import { element, fill } from "../element.ts";
import { carryOut, doing, nothing, noticeBox, type Page } from "../parts-of-page.ts";
import { say } from "../text.ts";

interface SettingState {
  readonly value?: Json;
  /** The value contains a masked secret, so the shown text must not be saved. */
  readonly masked: boolean;
  readonly source: string;
  readonly where?: string;
  readonly allowed?: string;
}

interface Setting extends SettingState {
  readonly path: string;
  readonly description: string;
  readonly default?: Json;
}

interface Settings {
  readonly file: string;
  readonly problems: readonly {
    readonly file: string;
    readonly line?: number;
    readonly column?: number;
    readonly text: string;
    readonly hint?: string;
  }[];
  readonly settings: readonly Setting[];
}

/** Every setting by section, with its description, allowed values and source. */
export const settingsPage: Page = async ({ main, words, signal }) => {
  const { file, problems, settings } = await ask<Settings>("GET", "/api/settings", undefined, signal);
  const sections = [...new Set(settings.map(({ path }) => sectionOf(path)))].toSorted();
  const rows = element("div");
  const section: HTMLSelectElement = element(
    "select",
    { "aria-label": say("Section"), onchange: () => (location.hash = `#/config/${section.value}`) },
    sections.map((name) => element("option", { value: name, selected: name === (words[0] ?? "model") }, name)),
  );
  const filter = element("input", {
    type: "search",
    placeholder: say("Find a setting"),
    "aria-label": say("Find a setting"),
    oninput: draw,
  });
  const changed = element("input", { type: "checkbox", id: "changed", onchange: draw });
  fill(
    main,
    problems.map(({ file: at, line, column, text, hint }) =>
      noticeBox("bad", `${at}${line === undefined ? "" : `:${line}:${column}`}: ${text}`, hint),
    ),
    element(
      "div",
      { class: "row" },
      section,
      filter,
      element("label", { for: "changed" }, changed, ` ${say("only changed settings")}`),
    ),
    rows,
    element("p", { class: "quiet small mono" }, file),
  );
  draw();

  function draw(): void {
    const asked = filter.value.trim().toLowerCase();
    const wanted = (setting: Setting): boolean => {
      if (changed.checked && !["file", "profile", "environment", "flag"].includes(setting.source)) return false;
      if (asked !== "") return `${setting.path} ${setting.description}`.toLowerCase().includes(asked);
      return changed.checked || sectionOf(setting.path) === section.value;
    };
    const shown = settings.filter(wanted);
    fill(rows, shown.length === 0 ? nothing(say("Nothing found.")) : shown.map(row));
  }
};

function sectionOf(path: string): string {
  return path.includes(".") ? path.slice(0, path.indexOf(".")) : say("general");
}

function row(setting: Setting): HTMLElement {
  const notes = element("div");
  const about = element("div", { class: "quiet small" });
  const path = `/api/settings/${encodeURIComponent(setting.path)}`;
  let state: SettingState = setting;
  const field = fieldOf(setting);
  const keep = element("button", {}, say("Save"));
  const reset = doing(say("Reset"), notes, async () => draw(await ask<SettingState>("DELETE", path)));
  const form = element(
    "form",
    {
      onsubmit: (event) => {
        event.preventDefault();
        return carryOut(undefined, notes, async () => {
          draw(await ask<SettingState>("PUT", path, { value: field.value }));
          fill(notes, noticeBox("good", say("Saved.")));
        }).then(() => field.focus());
      },
    },
    field,
    keep,
    reset,
  );
  form.addEventListener("input", offer);
  draw(setting);
  return element(
    "div",
    { class: "card setting" },
    element(
      "div",
      {},
      element("div", { class: "mono" }, element("b", {}, setting.path)),
      setting.description !== "" && element("div", { class: "small" }, setting.description),
      about,
    ),
    element("div", {}, form, notes),
  );

  /** Offers to save after a change. */
  function offer(): void {
    keep.disabled = field.value === written(state.value ?? setting.default);
    keep.className = keep.disabled ? "" : "main";
  }

  function draw(next: SettingState): void {
    state = next;
    field.value = written(state.value ?? setting.default);
    offer();
    keep.hidden = state.masked;
    if (field instanceof HTMLSelectElement) field.disabled = state.masked;
    else field.readOnly = state.masked;
    reset.hidden = state.source === "default" || state.source === "unset";
    const words = [
      state.allowed,
      state.where ?? state.source,
      state.masked ? say("It contains a secret. Change it in the file: hermes config edit.") : undefined,
    ];
    fill(about, words.filter((text) => text !== undefined).join(" · "));
  }
}

/** A selection field for a few allowed values, else a text field; the server validates the value. */
function fieldOf({
  path,
  allowed = "",
  value,
  default: usual,
}: Setting): HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement {
  const words = allowed.split(/, | or /);
  if (words.length > 1 && words.every((word) => /^[\w.-]+$/.test(word)))
    return element(
      "select",
      { "aria-label": path },
      !words.includes(written(value ?? usual)) && element("option", { value: "" }, "—"),
      words.map((word) => element("option", { value: word }, word)),
    );
  return typeof (value ?? usual) === "object" && written(value ?? usual).length > 30
    ? element("textarea", { "aria-label": path, spellcheck: "false" })
    : element("input", { "aria-label": path, spellcheck: "false", autocomplete: "off" });
}

function written(value: Json | undefined): string {
  if (value === undefined || value === null) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}
