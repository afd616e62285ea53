/** The original counts times in seconds since 1970, with a fraction; here they are whole milliseconds. */
export function toSeconds(at: number): number {
  return at / 1000;
}

export function fromSeconds(seconds: number): number {
  return Math.round(seconds * 1000);
}
