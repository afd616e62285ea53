import { basename } from "node:path";
import { GUIDES, pageOf, readPage, type DocsPage } from "../test/docs/read-pages.ts";

/**
 * Lists what a translation has lost of its page, in sentences that help the next attempt. Empty: the translation is
 * complete.
 */
export function driftOf(english: DocsPage, translated: DocsPage): readonly string[] {
  const drift: string[] = [];
  const levels = (page: DocsPage): string => page.headings.map(({ level }) => level).join(" ");
  if (levels(english) !== levels(translated))
    drift.push(
      `Its ${translated.headings.length} headings do not have the levels of the page's ${english.headings.length}: translate the whole page, heading for heading.`,
    );
  if (english.fences.length !== translated.fences.length)
    drift.push(
      `It has ${translated.fences.length} fenced blocks, the page has ${english.fences.length}: keep every one.`,
    );
  english.fences.forEach((fence, at) => {
    if (translated.fences[at] !== undefined && JSON.stringify(fence) !== JSON.stringify(translated.fences[at]))
      drift.push(`Fenced block ${at + 1} was changed: keep it byte for byte.`);
  });
  const [here, there] = [english, translated].map(({ links }) => links.toSorted());
  const lost = here!.filter((link) => !there!.includes(link));
  if (lost.length > 0 || here!.length !== there!.length)
    drift.push(
      `Its links differ from the page's${lost.length === 0 ? "" : `; missing: ${lost.join(", ")}`}: keep their addresses.`,
    );
  if (!/\p{Script=Han}/u.test(translated.text)) drift.push("It is not in Chinese.");
  return drift;
}

/**
 * A translation with links that work from its folder: to translated guides and headings if they exist, otherwise one
 * folder up.
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

/** The anchor of the heading at the same position. */
function sameHeading(from: DocsPage, to: DocsPage, anchor: string): string {
  return [...to.anchors][[...from.anchors].indexOf(anchor)] ?? anchor;
}
