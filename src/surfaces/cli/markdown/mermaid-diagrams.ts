import { visibleWidth } from "@earendil-works/pi-tui";
import type { renderMermaidASCII } from "beautiful-mermaid";

/** Longer sources are shown as code: their diagrams do not fit a terminal, and laying them out takes long. */
const MAX_LINES = 60;
const MAX_CHARACTERS = 4_000;
/** From roomy to tight; the first that fits is drawn. */
const SPACINGS = [
  { paddingX: 4, paddingY: 3, boxBorderPadding: 1 },
  { paddingX: 3, paddingY: 2, boxBorderPadding: 1 },
  { paddingX: 1, paddingY: 1, boxBorderPadding: 0 },
];
/** Follows each wide character in the source, so that the library, which counts characters, leaves two columns for it. */
const FILLER = "\ue000";
const WIDE = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]/g;
const FLOWCHART = /^\s*(?:graph|flowchart)\b/;
/** An arrow, or else a label, in which arrows are text. */
const ARROW_OR_LABEL = /"[^"]*"|\|[^|]*\||\[[^\]]*\]|\([^)]*\)|\{[^}]*\}|<?(?:-{2,}|={2,}|-\.+-)[>xo]?(?=[\s\w|&"]|$)/g;

/** Draws Mermaid diagrams as text. The library is loaded when the first diagram is shown. */
export class MermaidDiagrams {
  readonly #loaded: () => void;
  #render: typeof renderMermaidASCII | "loading" | "missing" | undefined;

  /** @param loaded Called when the library has arrived, so that a diagram that was shown as code is drawn again. */
  constructor(loaded: () => void) {
    this.#loaded = loaded;
  }

  /** @returns `undefined` while the library loads, for a kind that it does not know, and for a diagram that is too wide. */
  draw(source: string, columns: number): readonly string[] | undefined {
    if (source.length > MAX_CHARACTERS || source.split("\n").length > MAX_LINES) return undefined;
    if (this.#render === undefined) void this.load();
    if (typeof this.#render !== "function") return undefined;
    const spaced = FLOWCHART.test(source) ? withSpaces(source) : source;
    return this.#fitting(this.#render, spaced, columns) ?? this.#fitting(this.#render, downwards(spaced), columns);
  }

  /** Loads the library. */
  async load(): Promise<void> {
    this.#render = "loading";
    try {
      this.#render = (await import("beautiful-mermaid")).renderMermaidASCII;
      this.#loaded();
    } catch {
      this.#render = "missing"; // Diagrams are shown as code.
    }
  }

  #fitting(render: typeof renderMermaidASCII, source: string, columns: number): readonly string[] | undefined {
    for (const spacing of SPACINGS) {
      const lines = drawn(render, source, spacing);
      if (lines === undefined || lines.every((line) => visibleWidth(line) <= columns)) return lines;
    }
    return undefined;
  }
}

function drawn(
  render: typeof renderMermaidASCII,
  source: string,
  spacing: (typeof SPACINGS)[number],
): readonly string[] | undefined {
  try {
    return render(source.replaceAll(WIDE, `$&${FILLER}`), { ...spacing, colorMode: "none" })
      .replaceAll(FILLER, "")
      .replace(/^(?:\s*\n)+/, "")
      .trimEnd()
      .split("\n")
      .map((line) => line.trimEnd());
  } catch {
    return undefined; // A kind of diagram that it does not know, or an error in the source.
  }
}

/** `A-->B` as `A --> B`: the library takes a hyphen for a part of the name. */
function withSpaces(source: string): string {
  return source
    .replaceAll(ARROW_OR_LABEL, (part) => (/^<?[-=]/.test(part) ? ` ${part} ` : part))
    .replaceAll(/ +\|/g, "|");
}

/** A flowchart to the right is wide; downwards it may fit. */
function downwards(source: string): string {
  return source.replace(/^(\s*(?:graph|flowchart)\s+)(?:LR|RL)\b/, "$1TD");
}
