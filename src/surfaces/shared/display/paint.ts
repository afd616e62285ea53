/**
 * Paints a text in the nearest colour (`#rrggbb`) of the terminal. `undefined` if it has only 16, because users
 * choose those.
 */
export function paint(colour: string, text: string, depth: number): string | undefined {
  const code = codeOf(colour, depth);
  return code === undefined ? undefined : `\x1b[38;${code}m${text}\x1b[39m`;
}

/** Does the same with the background of a text. */
export function tint(colour: string, text: string, depth: number): string | undefined {
  const code = codeOf(colour, depth);
  return code === undefined ? undefined : `\x1b[48;${code}m${text}\x1b[49m`;
}

function codeOf(colour: string, depth: number): string | undefined {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
  if (depth >= 24) return `2;${red};${green};${blue}`;
  if (depth < 8) return undefined;
  const [r, g, b] = [red, green, blue].map(stepOf);
  return `5;${16 + 36 * r! + 6 * g! + b!}`;
}

/** The nearest of the six levels in the 216-colour cube: 0, 95, 135, 175, 215, 255. */
function stepOf(value: number): number {
  return value < 48 ? 0 : value < 115 ? 1 : Math.min(5, Math.floor((value - 35) / 40));
}
