import { page, type Page } from "./page.ts";
import { skillContents, type SkillText } from "./skill-pages.ts";

/** The table of contents: all pages of the reference by title. */
export function contentsPage(pages: readonly Page[], skills: readonly SkillText[]): Page {
  const titled = pages
    .filter(({ file }) => !file.includes("/"))
    .map(({ file, text }) => ({ file, title: /^# (.+)$/m.exec(text)?.[1] ?? file }));
  const all = [...titled, { file: "requirements.md", title: "Requirements and the tests that meet them" }].sort(
    (a, b) => (a.title < b.title ? -1 : 1),
  );
  return page(
    "README.md",
    "Reference",
    "These pages are generated from the code. The guides are in the folder above.",
    all
      .map(({ file, title }) =>
        [
          `- [${title}](${file})`,
          ...(file === "skills.md" ? skillContents(skills, "skills/").map((line) => `  ${line}`) : []),
        ].join("\n"),
      )
      .join("\n"),
  );
}
