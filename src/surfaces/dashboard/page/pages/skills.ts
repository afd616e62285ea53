import { ask } from "../ask.ts";
import { element, fill } from "../element.ts";
import { nothing, type Page } from "../parts-of-page.ts";
import { say } from "../text.ts";

interface Skill {
  readonly name: string;
  readonly description: string;
  readonly category?: string;
  readonly path: string;
  readonly source: "home" | "outside";
  readonly hidden?: string;
  readonly problem?: string;
}

/** Skills by category. */
export const skillsPage: Page = async ({ main, signal }) => {
  const skills = await ask<readonly Skill[]>("GET", "/api/skills", undefined, signal);
  const rows = element("div");
  const filter = element("input", {
    type: "search",
    placeholder: say("Find a skill"),
    "aria-label": say("Find a skill"),
    oninput: () => draw(),
  });
  fill(main, element("div", { class: "row" }, filter), rows);
  draw();

  function draw(): void {
    const asked = filter.value.trim().toLowerCase();
    const shown = skills.filter(({ name, description }) => `${name} ${description}`.toLowerCase().includes(asked));
    const categories = [...new Set(shown.map(({ category = "" }) => category))];
    fill(
      rows,
      shown.length === 0
        ? nothing(say("Nothing found."))
        : categories.flatMap((category) => [
            element("h2", {}, category || say("general")),
            ...shown.filter((skill) => (skill.category ?? "") === category).map(row),
          ]),
    );
  }
};

function row({ name, description, path, source, hidden, problem }: Skill): HTMLElement {
  return element(
    "div",
    { class: "card" },
    element(
      "div",
      { class: "head" },
      element("b", {}, name),
      element("span", { class: "quiet small mono" }, path),
      source === "outside" && element("span", { class: "tag quiet" }, say("read-only")),
    ),
    element("p", { class: "small" }, description),
    hidden !== undefined && element("p", { class: "small warn" }, hidden),
    problem !== undefined && element("p", { class: "small bad" }, problem),
  );
}
