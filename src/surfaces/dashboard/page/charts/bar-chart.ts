import { fillings, type Filling } from "./fillings.ts";
import { svg } from "./svg.ts";

export interface Bar {
  /** Below the bar, if there is room. */
  readonly label: string;
  /** The whole content of the bar in words, shown under the pointer. */
  readonly text: string;
  /** From the bottom up. */
  readonly parts: readonly { readonly filling: Filling; readonly value: number }[];
  /** Above the bar, where its value is not the whole truth. */
  readonly mark?: string;
}

const HEIGHT = 190;
const EDGE = { top: 16, right: 22, bottom: 20 };
const TICK_WIDTH = 7;
const LABEL_WIDTH = 56;
/** Height of an open end in pixels. */
const OPEN_HIGH = 10;

/**
 * A chart of bars that is as wide as its place, also after that changes.
 *
 * @param title The text for a screen reader; the numbers are in a table beside it.
 * @param format Writes a value at the axis.
 */
export function barChart(title: string, bars: readonly Bar[], format: (value: number) => string): HTMLElement {
  const place = document.createElement("div");
  place.className = "plot";
  let drawn = 0;
  new ResizeObserver(() => {
    if (place.clientWidth === drawn || place.clientWidth === 0) return;
    drawn = place.clientWidth;
    place.replaceChildren(draw(title, bars, format, drawn));
  }).observe(place);
  return place;
}

function draw(title: string, bars: readonly Bar[], format: (value: number) => string, width: number): SVGSVGElement {
  const { patterns, fillOf } = fillings();
  const top = roundUp(Math.max(0, ...bars.map(({ parts }) => sumOf(parts))));
  const ticks = top === 0 ? [0] : [0, top / 2, top];
  const left = Math.max(...ticks.map((tick) => format(tick).length)) * TICK_WIDTH + 8;
  const step = (width - left - EDGE.right) / Math.max(1, bars.length);
  const high = HEIGHT - EDGE.top - EDGE.bottom;
  const y = (value: number): number => EDGE.top + high - (top === 0 ? 0 : (value / top) * high);
  const every = Math.max(1, Math.ceil(LABEL_WIDTH / step));
  const wide = Math.max(1, Math.min(step * 0.72, 44));
  return svg(
    "svg",
    { class: "chart", width, height: HEIGHT, viewBox: `0 0 ${width} ${HEIGHT}`, role: "img", "aria-label": title },
    patterns,
    ticks.map((tick) =>
      svg(
        "g",
        {},
        svg("line", { x1: left, x2: width - EDGE.right, y1: y(tick), y2: y(tick), class: "grid" }),
        svg("text", { x: left - 6, y: y(tick) + 4, "text-anchor": "end" }, format(tick)),
      ),
    ),
    bars.map(({ label, text, parts, mark }, at) => {
      const x = left + step * at + (step - wide) / 2;
      let below = 0;
      // The newest bar has a label for certain.
      const labelled = (bars.length - 1 - at) % every === 0;
      return svg(
        "g",
        { class: "bar" },
        svg("title", {}, text),
        svg("rect", { x: left + step * at, y: EDGE.top, width: step, height: high, class: "space" }),
        parts
          .filter(({ value }) => value > 0)
          .map(({ filling, value }) => {
            const from = below;
            below += value;
            const height = Math.max(1, y(from) - y(below));
            return svg("rect", {
              x,
              y: y(from) - height,
              width: wide,
              height,
              fill: fillOf(filling),
              class: `part ${filling}`,
            });
          }),
        mark !== undefined &&
          svg("rect", {
            x,
            y: y(below) - OPEN_HIGH,
            width: wide,
            height: OPEN_HIGH,
            fill: fillOf("open"),
            class: "part open",
          }),
        mark !== undefined &&
          svg("text", { x: x + wide / 2, y: y(below) - 1, "text-anchor": "middle", class: "mark-text" }, mark),
        labelled && svg("text", { x: centre(x + wide / 2, width), y: HEIGHT - 5, "text-anchor": "middle" }, label),
      );
    }),
  );
}

/** Labels at the edge do not leave the chart. */
function centre(x: number, width: number): number {
  return Math.min(x, width - LABEL_WIDTH / 2);
}

function sumOf(parts: Bar["parts"]): number {
  return parts.reduce((sum, { value }) => sum + value, 0);
}

/** The next round number, so that its half is round, too. */
function roundUp(value: number): number {
  if (value === 0) return 0;
  const power = 10 ** Math.floor(Math.log10(value));
  return (
    [1, 1.2, 1.6, 2, 3, 4, 5, 6, 8, 10].map((factor) => factor * power).find((one) => one >= value * 0.999_999) ?? value
  );
}
