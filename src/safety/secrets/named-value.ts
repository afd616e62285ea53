import type { Page } from "./page.ts";
import type { Separator } from "./separators.ts";
import { mask, type Span } from "./spans.ts";
import type { NameKind } from "./value-names.ts";
import { isSecretValue, looksRandom, type Written } from "./value-shapes.ts";

export interface Named {
  readonly name: string;
  readonly kind: NameKind;
  readonly from: number;
  readonly separator: Separator;
}

export const NOTHING: readonly Span[] = [];

export const SCHEME = /^(?:Bearer|Basic|Token|Bot|Digest|ApiKey|Negotiate|OAuth|SSWS|GenieKey)[ \t]+/i;

/** A span of the whole value, without the scheme of a header. */
export function spansOf(
  page: Page,
  named: Named,
  start: number,
  end: number,
  how: Written["how"],
  plain?: string,
): readonly Span[] {
  const { name, kind, separator } = named;
  const value = plain ?? page.full.slice(start, end);
  // A private key's lines are found one by one.
  if (value.includes("-----BEGIN ")) return NOTHING;
  if (kind === "cookie") return cookieValues(value, start);
  const scheme = SCHEME.exec(value)?.[0].length ?? 0;
  // `Digest username="…", realm="…"`: fields with their own names.
  if (scheme > 0 && /^(?:OAuth|Digest)\s+[\w-]+=/i.test(value)) return NOTHING;
  const secret = scheme === 0 ? value : value.slice(scheme);
  if (
    !isSecretValue(secret, {
      name,
      kind: kind === "header" ? "secret" : kind,
      how: scheme > 0 ? "quoted" : how,
      by: separator.by,
    })
  )
    return NOTHING;
  return [{ start: start + scheme, end, mask: mask(secret) }];
}

/** Of `name=value; name=value; Path=/` the values; all of a line that has no names. */
export function cookieValues(line: string, start: number): readonly Span[] {
  if (/\*{3}|\.\.\./.test(line)) return NOTHING;
  const found: Span[] = [];
  for (const { index, 0: pair } of line.matchAll(/[^;]+/g)) {
    const equals = pair.indexOf("=");
    const name = pair.slice(0, Math.max(0, equals)).trim();
    if (equals === -1 && (line.includes("=") || !looksRandom(pair.trim()))) continue;
    if (/^(?:path|domain|expires|max-age|samesite|priority|version|secure|httponly)$/i.test(name)) continue;
    const first = index + equals + 1 + /^[\s"]*/.exec(pair.slice(equals + 1))![0].length;
    const value = line.slice(first, index + pair.length).replace(/[\s"]+$/, "");
    if (value.length < 6 || /^[a-z]+$/i.test(value) || /^[${<]/.test(value)) continue;
    found.push({ start: start + first, end: start + first + value.length, mask: mask(value) });
  }
  return found;
}
