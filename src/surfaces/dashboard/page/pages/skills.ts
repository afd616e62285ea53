import { ask } from "../ask.ts";
import { element, fill } from "../element.ts";
import { operate } from "../operation.ts";
import { codeBlock } from "../parts/code.ts";
import { markdown } from "../parts/markdown.ts";
import { carryOut, doing, nothing, type Page } from "../parts-of-page.ts";
import { confirmed } from "../question.ts";
import { say } from "../text.ts";

interface Skill {
  readonly name: string;
  readonly description: string;
  readonly category?: string;
  readonly path: string;
  readonly source: "home" | "outside";
  /** The user switched it off. */
  readonly off: boolean;
  readonly hidden?: string;
  readonly problem?: string;
  /** It was installed from elsewhere and can be uninstalled. */
  readonly installed: boolean;
}

/** Shared by the parts of the page. */
interface Here {
  readonly notes: HTMLElement;
  readonly signal: AbortSignal;
  load(): Promise<void>;
}

/** Skills by category: read, switch, install, uninstall. */
export const skillsPage: Page = async ({ main, signal }) => {
  let skills: readonly Skill[] = [];
  const [notes, rows] = [element("div"), element("div")];
  const filter = element("input", {
    type: "search",
    placeholder: say("Find a skill"),
    "aria-label": say("Find a skill"),
    oninput: () => draw(),
  });
  const from = element("input", {
    "aria-label": say("Install from"),
    placeholder: "owner/repo/skill",
    class: "wide",
    required: true,
    spellcheck: "false",
  });
  const force = element("input", { type: "checkbox" });
  fill(
    main,
    element("div", { class: "row" }, filter),
    element(
      "details",
      { class: "card" },
      element("summary", {}, say("Install a skill")),
      element(
        "p",
        { class: "quiet small" },
        say(
          "A repository and the skill in it, a Git address, or a folder on this machine. Hermes scans it and asks before it installs anything.",
        ),
      ),
      element(
        "form",
        { class: "row", onsubmit: (event) => (event.preventDefault(), void install()) },
        from,
        element("label", {}, force, " ", say("also with findings of the scan")),
        element("button", { class: "main" }, say("Install")),
      ),
    ),
    notes,
    rows,
  );
  await load();

  async function load(): Promise<void> {
    skills = await ask<readonly Skill[]>("GET", "/api/skills", undefined, signal);
    draw();
  }

  async function install(): Promise<void> {
    await carryOut(undefined, notes, async () => {
      await operate(notes, "/api/skills/install", { from: from.value, force: force.checked }, signal);
      await load();
    });
  }

  function draw(): void {
    const wanted = filter.value.trim().toLowerCase();
    const shown = skills.filter(({ name, description }) => `${name} ${description}`.toLowerCase().includes(wanted));
    const categories = [...new Set(shown.map(({ category = "" }) => category))];
    fill(
      rows,
      shown.length === 0
        ? nothing(say("Nothing found."))
        : categories.flatMap((category) => [
            element("h2", {}, category || say("general")),
            ...shown
              .filter((skill) => (skill.category ?? "") === category)
              .map((skill) => row({ notes, signal, load }, skill)),
          ]),
    );
  }
};

function row(
  { notes, signal, load }: Here,
  { name, description, path, source, off, hidden, problem, installed }: Skill,
): HTMLElement {
  const text = element("div");
  return element(
    "div",
    { class: "card" },
    element(
      "div",
      { class: "head" },
      element("b", {}, name),
      element("span", { class: "quiet small mono" }, path),
      source === "outside" && element("span", { class: "tag quiet" }, say("read-only")),
      off && element("span", { class: "tag quiet" }, say("off")),
      element(
        "span",
        { class: "buttons" },
        installed &&
          doing(
            say("Uninstall"),
            notes,
            async () => {
              if (!(await confirmed(say("Uninstall {}?", name), { danger: true, signal }))) return;
              await operate(notes, "/api/skills/uninstall", { name }, signal);
              await load();
            },
            "danger",
            `${say("Uninstall")} ${name}`,
          ),
        doing(
          off ? say("Switch on") : say("Switch off"),
          notes,
          async () => {
            await ask("POST", "/api/skills/switch", { path, on: off });
            await load();
          },
          "",
          `${off ? say("Switch on") : say("Switch off")} ${name}`,
        ),
      ),
    ),
    element("p", { class: "small" }, description),
    hidden !== undefined && !off && element("p", { class: "small warn" }, hidden),
    problem !== undefined && element("p", { class: "small bad" }, problem),
    element(
      "details",
      {
        class: "small",
        ontoggle: () => void (text.childElementCount === 0 && read({ notes, signal, load }, path, text)),
      },
      element("summary", {}, "SKILL.md"),
      text,
    ),
  );
}

async function read({ notes, signal }: Here, path: string, place: HTMLElement): Promise<void> {
  await carryOut(undefined, notes, async () => {
    const { text, cut } = await ask<{ readonly text: string; readonly cut: boolean }>(
      "GET",
      `/api/skills/text?${new URLSearchParams({ path })}`,
      undefined,
      signal,
    );
    fill(
      place,
      element("section", { "aria-label": "SKILL.md" }, skillText(text)),
      cut && element("p", { class: "quiet" }, say("The rest is not shown.")),
    );
  });
}

/** The front matter as code, the rest as Markdown: as Markdown, its lines would become one paragraph. */
function skillText(text: string): readonly HTMLElement[] {
  const [head = "", matter = ""] = /^---\r?\n([^]*?)\r?\n---[ \t]*(?:\r?\n|$)/.exec(text) ?? [];
  const body = markdown(text.slice(head.length));
  return matter === "" ? [body] : [codeBlock(matter, "yaml"), body];
}
