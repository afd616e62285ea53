import { stopsAt } from "./page.ts";
import { mask, type Span, type Steps } from "./spans.ts";
import { isPlaceholder, isWordy } from "./value-shapes.ts";

const STOPS = stopsAt(" \n\r\t\"'`/?#<>\\");
const MAX_USER_INFO = 300;

/** `scheme://user:password@host` and `https://token@host`. */
export function* urlSpans(text: string, found: Span[]): Steps<void> {
  let count = 0;
  for (let at = text.indexOf("://"); at !== -1; at = text.indexOf("://", at + 3)) {
    if (++count % 1024 === 0) yield;
    const from = at + 3;
    let end = from;
    let sign = -1;
    for (; end < text.length && end - from < MAX_USER_INFO && !STOPS(text.charCodeAt(end)); end++)
      if (text[end] === "@") sign = end;
    if (sign <= from) continue;
    const colon = text.indexOf(":", from);
    const named = colon >= from && colon < sign;
    const start = named ? colon + 1 : from;
    const value = text.slice(start, sign);
    const secret = named
      ? value.length >= 3 && !isPlaceholder(value)
      : value.length >= 20 && text.startsWith("http", Math.max(0, at - 5)) && !isWordy(value);
    if (secret) found.push({ start, end: sign, mask: mask(value) });
  }
}
