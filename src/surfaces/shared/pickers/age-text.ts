const UNITS = [
  [60, "s"],
  [60, "min"],
  [24, "h"],
  [7, "d"],
  [52, "w"],
] as const;

/** How long ago: `now`, `5 min`, `3 h`, `2 d`, `6 w`, `2 y`. */
export function ageText(at: number, now: number): string {
  let left = Math.max(0, Math.round((now - at) / 1000));
  if (left < 60) return "now";
  for (const [size, unit] of UNITS) {
    if (left < size) return `${left} ${unit}`;
    left = Math.floor(left / size);
  }
  return `${left} y`;
}
