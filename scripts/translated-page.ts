import { basename } from "node:path";
import { GUIDES, pageOf, readPage, type DocsPage } from "../test/docs/read-pages.ts";

/** What a translation has lost of the page it was made from, in sentences that help whoever repeats it. None: it can be kept. */
export function driftOf(english: DocsPage, translated: DocsPage): readonly string[] {
  const drift: string[] = [];
  const levels = (page: DocsPage): string => page.headings.map(({ level }) => level).join(" ");
  if (levels(english) !== levels(translated))
    drift.push(
      `It has ${translated.headings.length} headings of other levels than the ${english.headings.length} of the page: translate all of it, heading for heading.`,
    );
  if (english.fences.length !== translated.fences.length)
    drift.push(
      `It has ${translated.fences.length} fenced blocks, the page has ${english.fences.length}: keep every one.`,
    );
  english.fences.forEach((fence, at) => {
    if (translated.fences[at] !== undefined && JSON.stringify(fence) !== JSON.stringify(translated.fences[at]))
      drift.push(`Fenced block ${at + 1} was changed: keep it to the byte.`);
  });
  const [here, there] = [english, translated].map(({ links }) => links.toSorted());
  const lost = here!.filter((link) => !there!.includes(link));
  if (lost.length > 0 || here!.length !== there!.length)
    drift.push(
      `It has other links than the page${lost.length === 0 ? "" : `; missing: ${lost.join(", ")}`}: keep their addresses.`,
    );
  if (!/\p{Script=Han}/u.test(translated.text)) drift.push("It is not in Chinese.");
  return drift;
}

/**
 * A translation, with links that lead where those of the page lead from its own folder: guides to translated guides, headings to translated
 * headings, all else one folder up.
 */
export function withOwnLinks(english: DocsPage, text: string): string {
  const name = basename(english.file);
  const own = pageOf(english.file, text);
  return text.replaceAll(/\]\(([^)\s]+)\)/g, (whole, link: string) => {
    if (link === `zh-Hans/${name}`) return `](../${name})`;
    if (/^[a-z]+:/.test(link)) return whole;
    const [path = "", anchor] = link.split("#");
    if (path === "") return `](#${sameHeading(english, own, anchor!)})`;
    if (!GUIDES.includes(path)) return `](../${link})`;
    return anchor === undefined
      ? whole
      : `](${path}#${sameHeading(readPage(`docs/${path}`), readPage(`docs/zh-Hans/${path}`), anchor)})`;
  });
}

/** The anchor of the heading that stands where this one stands. */
function sameHeading(from: DocsPage, to: DocsPage, anchor: string): string {
  return [...to.anchors][[...from.anchors].indexOf(anchor)] ?? anchor;
}
