import { ask } from "../ask.ts";
import { element, fill } from "../element.ts";
import { doing, nothing, noticeBox, type Page } from "../parts-of-page.ts";
import { say } from "../text.ts";

interface Plugin {
  readonly key: string;
  readonly label: string;
  readonly version: string;
  readonly description: string;
  readonly author?: string;
  readonly source: string;
  readonly state: "enabled" | "disabled" | "not enabled" | "failed" | "shadowed";
  readonly reason?: string;
  readonly from?: string;
  readonly unset: readonly string[];
  readonly registered: { readonly [kind: string]: readonly string[] };
  readonly counts: string;
}

/** All plugins and their states. */
export const pluginsPage: Page = async ({ main, signal, partsChanged }) => {
  const [notes, rows] = [element("div"), element("div")];
  const filter = element("input", {
    type: "search",
    placeholder: say("Find a plugin"),
    "aria-label": say("Find a plugin"),
    oninput: () => draw(),
  });
  let plugins = await ask<readonly Plugin[]>("GET", "/api/plugins", undefined, signal);
  fill(main, element("div", { class: "row" }, filter), notes, rows);
  draw();

  function draw(): void {
    const asked = filter.value.trim().toLowerCase();
    // Show the user's own plugins first.
    const shown = plugins
      .filter(({ key, label, description }) => `${key} ${label} ${description}`.toLowerCase().includes(asked))
      .toSorted((one, other) => Number(one.source === "bundled") - Number(other.source === "bundled"));
    fill(rows, shown.length === 0 ? nothing(say("Nothing found.")) : shown.map(row));
  }

  function row(plugin: Plugin): HTMLElement {
    const { key, label, version, description, author, source, state, reason, from, registered, counts } = plugin;
    const kind = state === "enabled" ? "good" : state === "failed" ? "bad" : "quiet";
    const named = Object.entries(registered).filter(([, names]) => names.length > 0);
    return element(
      "div",
      { class: "card" },
      element(
        "div",
        { class: "head" },
        element("b", {}, label),
        element(
          "span",
          { class: "quiet small" },
          [label === key ? "" : key, version, source].filter((text) => text !== "").join(" · "),
        ),
        element("span", { class: `tag ${kind}` }, say(state)),
        state === "enabled"
          ? doing(say("Disable"), notes, () => change(key, "disable"))
          : doing(say("Enable"), notes, () => change(key, "enable"), "main"),
      ),
      element("p", {}, description),
      reason !== undefined &&
        state !== "enabled" &&
        element("p", { class: `small ${state === "failed" ? "bad" : "quiet"}` }, reason),
      element("p", { class: "quiet small" }, [author, from].filter((text) => text !== undefined).join(" · ")),
      named.length > 0 &&
        element(
          "details",
          { class: "small" },
          element("summary", {}, counts),
          named.map(([what, names]) =>
            element(
              "div",
              {},
              element("span", { class: "quiet" }, `${what}: `),
              element("span", { class: "mono" }, names.join(", ")),
            ),
          ),
        ),
    );
  }

  async function change(key: string, verb: "enable" | "disable", allowReplace: readonly string[] = []): Promise<void> {
    const {
      plugin,
      replaces = [],
      withheld = [],
    } = await ask<{
      readonly plugin?: Plugin;
      readonly replaces?: readonly { readonly tool: string; readonly owner: string }[];
      readonly withheld?: readonly string[];
    }>("POST", `/api/plugins/${encodeURIComponent(key)}/${verb}`, { allowReplace });
    if (replaces.length > 0) {
      if (
        confirm(
          say(
            "{} would replace built-in tools: {}. Enable it anyway?",
            key,
            replaces.map(({ tool, owner }) => `${tool} (${owner})`).join(", "),
          ),
        )
      )
        return change(
          key,
          verb,
          replaces.map(({ tool }) => tool),
        );
      return;
    }
    plugins = await ask<readonly Plugin[]>("GET", "/api/plugins", undefined, signal);
    draw();
    await partsChanged();
    if (withheld.length > 0)
      fill(
        notes,
        noticeBox(
          "warn",
          say("It requested {}, but its manifest does not declare it, so access was denied.", withheld.join(", ")),
        ),
      );
    else if (plugin !== undefined && verb === "enable" && plugin.state !== "enabled")
      fill(notes, noticeBox("warn", plugin.reason ?? plugin.state));
  }
};
