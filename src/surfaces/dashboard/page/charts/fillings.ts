import { svg } from "./svg.ts";

/** How a part of a bar is filled. The parts differ in pattern, not only in colour. */
export type Filling = "solid" | "hatched" | "dotted" | "open";

let charts = 0;

/** The patterns of one chart. Ids must be unique in a document. */
export function fillings(): { readonly patterns: SVGDefsElement; fillOf(filling: Filling): string } {
  const id = `chart-${charts++}`;
  const pattern = (name: Filling, ...marks: readonly SVGElement[]): SVGPatternElement =>
    svg(
      "pattern",
      { id: `${id}-${name}`, width: 6, height: 6, patternUnits: "userSpaceOnUse" },
      svg("rect", { width: 6, height: 6, class: "paper" }),
      marks,
    );
  return {
    patterns: svg(
      "defs",
      {},
      pattern("hatched", svg("path", { d: "M-1 1 L1 -1 M0 6 L6 0 M5 7 L7 5", class: "stroke" })),
      pattern("dotted", svg("circle", { cx: 3, cy: 3, r: 1.4, class: "mark" })),
      pattern("open"),
    ),
    fillOf: (filling) => (filling === "solid" ? "currentColor" : `url(#${id}-${filling})`),
  };
}

/** A legend: each filling with its meaning. */
export function legend(entries: readonly (readonly [Filling, string])[]): readonly HTMLElement[] {
  return entries.map(([filling, text]) => {
    const { patterns, fillOf } = fillings();
    const entry = document.createElement("span");
    entry.className = "legend";
    entry.append(
      svg(
        "svg",
        { width: 16, height: 12, class: "chart", "aria-hidden": "true" },
        patterns,
        svg("rect", { x: 0.5, y: 0.5, width: 15, height: 11, fill: fillOf(filling), class: `part ${filling}` }),
      ),
      text,
    );
    return entry;
  });
}
