/** The background of a terminal, for colours that are to be read on it. */
export type Background = "dark" | "light";

/** By the luminance of its colour (0–255 each), as WCAG weighs it. */
export function backgroundOf({ r, g, b }: { readonly r: number; readonly g: number; readonly b: number }): Background {
  const [red, green, blue] = [r, g, b].map((value) => (value / 255) ** 2.2);
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue! > 0.18 ? "light" : "dark";
}

/**
 * By the variable that some terminals set: `15;0` is white on black.
 * @returns `undefined` if it is missing or has no number at the end.
 */
export function backgroundOfVariable(value: string | undefined): Background | undefined {
  const colour = /(?:^|;)(\d{1,2})$/.exec(value ?? "")?.[1];
  if (colour === undefined) return undefined;
  return Number(colour) === 7 || Number(colour) > 8 ? "light" : "dark";
}
