import { definedFields } from "../../src/contract/common/defined-fields.ts"; /**
 * Wordings differ on purpose; only their
 * presence is compared.
 */
const WORDS = new Set(
  "error hint _hint _warning warning message note timeout_note showing exit_code_meaning approval matches_format watch_patterns_ignored notify_unsupported pty_note description truncation_note traceback usage_hint setup_note undo analysis remediation".split(
    " ",
  ),
);
const NUMBERS = new Set([
  "id",
  "pid",
  "uptime_seconds",
  "started_at",
  "duration_seconds",
  "match_message_id",
  "around_message_id",
]);
const TIMES = new Set(["started_at", "last_active", "when", "timestamp", "next_run_at", "last_run_at", "paused_at"]);
/** Patterns of ids that are generated each time. */
const IDS: readonly (readonly [shown: string, id: RegExp])[] = [
  ["$process", /^proc_[0-9a-f]{12}$/],
  ["$job", /^[0-9a-f]{12}$/],
  ["$session", /^(?:earlier-\d+|\d{8}_\d{6}_[0-9a-f]{6})$/],
];
const LONG = 600;

/** A hint beside an error is welcome and not compared. */
const ADVICE = ["hint", "_hint"];

/**
 * Reduces the text of a tool result to what is compared: everything except wordings, process ids, times and the middle
 * of long texts.
 * Text after the JSON, which no parser can read, appears under `$after`.
 */
export function shapeOf(
  text: string,
  places: { readonly [place: string]: string },
  files?: { readonly [path: string]: string | null },
): unknown {
  // The turn adds this part to a result; the tool does not.
  let placed = text.replace(
    /^<untrusted-text [^>]*>\n[^\n]*\n([^]*)\n<\/untrusted-text \w+>(?:\[Loop warning: [^\n]*)?$/,
    "$1",
  );
  for (const [name, path] of Object.entries(places)) placed = placed.replaceAll(path, name);
  const [value, after] = parse(placed);
  const shape = mask(withoutRemarks(value), []);
  const extra = definedFields({
    $after: after === "" ? undefined : "$words",
    $files: files === undefined ? undefined : mask(files, ["$files"]),
  });
  if (Object.keys(extra).length === 0) return shape;
  return typeof shape === "object" && shape !== null ? { ...shape, ...extra } : { $value: shape, ...extra };
}

/** Added by the turn: a note that a call repeats itself. */
function withoutRemarks(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const { remarks: _, ...rest } = value as { readonly remarks?: unknown };
  return rest;
}

function parse(text: string): readonly [unknown, string] {
  try {
    return [JSON.parse(text) as unknown, ""];
  } catch {
    const end = text.lastIndexOf("}\n");
    if (end < 0) return ["$words", ""];
    try {
      return [JSON.parse(text.slice(0, end + 1)) as unknown, text.slice(end + 1).trim()];
    } catch {
      return ["$words", ""];
    }
  }
}

function mask(value: unknown, path: readonly string[]): unknown {
  const key = path.at(-1) ?? "";
  if (typeof value === "string") {
    if (value !== "" && (WORDS.has(key) || (key === "output" && path.includes("lint")))) return "$words";
    if (key === "session_id" || key === "job_id" || key === "id")
      return IDS.find(([, id]) => id.test(value))?.[0] ?? value;
    if (TIMES.has(key) && /\d/.test(value)) return "$time";
    const plainly = plain(value, key);
    return plainly.length > LONG
      ? { $chars: plainly.length, begins: plainly.slice(0, 40), ends: plainly.slice(-40) }
      : plainly;
  }
  if (typeof value === "number" && TIMES.has(key) && key !== "started_at") return "$seconds";
  if (typeof value === "number" && NUMBERS.has(key)) return "$number";
  if (Array.isArray(value)) return value.map((item) => mask(item, path));
  if (typeof value !== "object" || value === null) return value;
  const failed = typeof (value as { readonly error?: unknown }).error === "string";
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, inner]) =>
      failed && ADVICE.includes(name) ? [] : [[name, mask(inner, [...path, name])]],
    ),
  );
}

/**
 * Not part of a result: Python's wording of an error, the shell's path, the line number in its script, and the number
 * of slashes before an absolute path.
 */
function plain(text: string, key: string): string {
  if (key === "diff") return text.replace(/^(---|\+\+\+) ([ab])\/?(?=\$)/gm, "$1 $2/");
  if (key === "snippet") return text.trim();
  if (key !== "output") return text;
  return text
    .replace(/\S*\bbash: (?:eval: )?(?:line \d+: )?/g, "bash: ")
    .replace(/\n*^--- stderr ---\n[^]*$/m, "\n--- stderr ---\n$words");
}

/** Differences between two shapes, one line each. */
export function differences(left: unknown, right: unknown, at = ""): readonly string[] {
  if (isObject(left) && isObject(right)) {
    return [...new Set([...Object.keys(left), ...Object.keys(right)])]
      .sort()
      .flatMap((key) => differences(left[key], right[key], at === "" ? key : `${at}.${key}`));
  }
  if (Array.isArray(left) && Array.isArray(right) && left.length === right.length)
    return left.flatMap((item, index) => differences(item, right[index], `${at}[${index}]`));
  const [a, b] = [JSON.stringify(left), JSON.stringify(right)];
  return a === b ? [] : [`${at}: ${a ?? "absent"} ≠ ${b ?? "absent"}`];
}

function isObject(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
