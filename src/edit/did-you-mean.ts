import { cutLines, wantedLines } from "./line-windows.ts";
import { similarity } from "./similarity.ts";

const ENOUGH = 0.3;
const REGIONS = 3;
const AROUND = 2;

/**
 * Up to three places that come closest to a text that was not found, each with two lines around it, numbered. "" when
 * nothing is near.
 */
export function didYouMean(text: string, wanted: string): string {
  const { lines } = cutLines(text);
  const goal = wantedLines(wanted).lines;
  const anchor = goal.find((line) => line.trim() !== "")?.trim() ?? "";
  if (anchor === "") return "";
  const ratios = new Map<string, number>();
  const near: { at: number; ratio: number }[] = [];
  let bar = ENOUGH;
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at]!.trim();
    if (line === "" || line.length > 2_000) continue;
    let ratio = ratios.get(line);
    if (ratio === undefined) ratios.set(line, (ratio = similarity(line, anchor, bar)));
    if (ratio <= bar && !(ratio > ENOUGH && near.length < REGIONS)) continue;
    if (near.some((other) => Math.abs(other.at - at) < goal.length && other.ratio >= ratio)) continue;
    near.push({ at, ratio });
    near.sort((a, b) => b.ratio - a.ratio || a.at - b.at);
    near.length = Math.min(near.length, REGIONS * 4);
    if (near.length >= REGIONS) bar = near[REGIONS - 1]!.ratio;
  }
  return near
    .filter((place, index) => near.findIndex((other) => Math.abs(other.at - place.at) < goal.length) === index)
    .slice(0, REGIONS)
    .map(({ at }) => excerpt(lines, at, goal.length))
    .join("\n---\n");
}

function excerpt(lines: readonly string[], at: number, count: number): string {
  const from = Math.max(0, at - AROUND);
  return lines
    .slice(from, Math.min(lines.length, at + Math.min(count, 20) + AROUND))
    .map((line, index) => `${from + index + 1}|${line.slice(0, 300).toWellFormed()}`)
    .join("\n");
}
