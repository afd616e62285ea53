import type { DeferredTool } from "hermes-agent/plugin";

const MAX_DESCRIPTION = 400;
/** Common BM25 constants: term-frequency saturation and length normalization. */
const K1 = 1.5;
const B = 0.75;

export interface ToolMatches {
  readonly query: string;
  readonly total_available: number;
  readonly matches: readonly {
    readonly name: string;
    readonly source: DeferredTool["source"];
    readonly source_name: string;
    readonly description: string;
  }[];
}

/**
 * Ranks tools by how well their names, descriptions and parameters match the words of `query`, best first; without a
 * match, the tools that contain it as a substring.
 */
export function searchTools(tools: readonly DeferredTool[], query: string, limit: number): ToolMatches {
  const texts = tools.map((tool) => ({ tool, words: wordsOf(textOf(tool)) }));
  const wanted = [...new Set(wordsOf(query))];
  const average = texts.reduce((sum, { words }) => sum + words.length, 0) / Math.max(texts.length, 1);
  const rarity = new Map(
    wanted.map((word) => {
      const having = texts.filter(({ words }) => words.includes(word)).length;
      return [word, Math.log(1 + (texts.length - having + 0.5) / (having + 0.5))];
    }),
  );
  const scored = texts.map(({ tool, words }) => {
    const score = wanted.reduce((sum, word) => {
      const times = words.filter((one) => one === word).length;
      return times === 0
        ? sum
        : sum + (rarity.get(word)! * times * (K1 + 1)) / (times + K1 * (1 - B + (B * words.length) / average));
    }, 0);
    return { tool, score };
  });
  const ranked = scored
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || (a.tool.name < b.tool.name ? -1 : 1));
  const part = query.trim().toLowerCase();
  const found =
    ranked.length > 0
      ? ranked.map(({ tool }) => tool)
      : tools.filter((tool) => part !== "" && textOf(tool).toLowerCase().includes(part));
  return {
    query,
    total_available: tools.length,
    matches: found.slice(0, limit).map(({ name, source, source_name, description }) => ({
      name,
      source,
      source_name,
      description: shortened(description),
    })),
  };
}

function textOf({ name, description, source_name, parameters }: DeferredTool): string {
  const { properties } = parameters;
  return [
    name,
    source_name,
    description,
    ...Object.keys(typeof properties === "object" && properties !== null ? properties : {}),
  ].join(" ");
}

/** Lower-case words; splits snake_case and camelCase. */
function wordsOf(text: string): readonly string[] {
  return (
    text
      .replace(/(\p{Ll})(\p{Lu})/gu, "$1 $2")
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  );
}

function shortened(text: string): string {
  return text.length > MAX_DESCRIPTION ? `${text.slice(0, MAX_DESCRIPTION - 1)}…` : text;
}
