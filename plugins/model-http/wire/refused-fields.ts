import type { JsonObject, ModelFailure } from "hermes-agent/plugin";
import type { Complaint } from "./complaint.ts";
import { failureOf, type Asked } from "./failure.ts";
import type { Connection } from "./connection.ts";
import type { IdForm } from "./call-ids.ts";
import { canDoWithoutImages, at, carries, FIELDS, isCarried, LIMITS, type WireForm } from "./without-refused.ts";

/** Parts of a request that some models cannot take; the request says the same in another form. */
const PARTS: readonly { readonly id: "@tools" | "@system" | "@images"; readonly text: RegExp }[] = [
  {
    id: "@images",
    text: /image\w*[^.]{0,60}(not (supported|allowed|enabled|permitted)|unsupported|only supported by)|(not|n't) (support|accept|process|allow|handle)\w*[^.]{0,40}(image|vision|multi-?modal)|unknown variant `image_url`|(no endpoints found|cannot|unable)[^.]{0,40}\bimage|is not (a )?(multi-?modal|vision)|mmproj|图片|图像/i,
  },
  {
    id: "@tools",
    text: /(not|n't|no) (currently )?support\w*[^.]{0,30}(\btools?\b(?!\[\d)|function[ _-]?call)|(\btools?\b(?!_)( use| calling| calls?)?|function[ _-]?call\w*|`tools`|"tools"|'tools')[`'"]?( \w+){0,3} (is|are) (not|un)[ -]?(supported|enabled|available|permitted|allowed)|endpoints found that support tool use|tools param requires|--enable-auto-tool-choice|unsupported (parameter|feature|field)\W{1,3}(tools|functions|function[ _]calling)\b|(unknown|unrecognized|unexpected|extra) \w+( \w+)?\W{1,3}tools\b|不支持(工具|函数)/i,
  },
  {
    id: "@system",
    text: /system (role|message|prompt|instruction)s?( is| are)?( currently)? (not|un)[ -]?(supported|allowed|enabled)|role\W{0,3} does not support\W{1,4}(system|developer)|(not|n't) support\w*[^.]{0,30}\bsystem\b|(system|developer) instruction is not (enabled|supported)|(unknown|invalid|unsupported|unexpected) (value|role|message role)\W{1,4}(system|developer)\b|conversation roles must alternate user\/assistant|(system|developer)\W{1,3}(is|are) not (a )?(valid|supported|one of|among)/i,
  },
];

/** Services that refuse the ids of calls say what they take. */
const IDS: readonly { readonly id: `ids:${IdForm}`; readonly text: RegExp }[] = [
  { id: "ids:mistral", text: /tool[ _]?call[ _]?id.{0,120}length of 9|a-z, A-Z, 0-9, with a length of 9/i },
  {
    id: "ids:short",
    text: /(tool_calls?\W.{0,20}id|tool_call_id|call_id).{0,80}maximum length (of )?(40|64)|maximum length (of )?(40|64).{0,80}(tool_calls?\W.{0,20}id|tool_call_id|call_id)/i,
  },
  {
    id: "ids:plain",
    text: /(tool_use_id|tool_use\.id|toolUseId|tool_call_id|tool_calls?\W.{0,20}id).{0,80}(pattern|regular expression|\[a-zA-Z0-9_-\])/i,
  },
];

const REFUSAL =
  /unsupported|not (currently )?support|n't support|unrecogni|unknown|unexpected|\bextra\b|not (permitted|allowed|available|enabled|accepted|implemented|compatible|a valid|recognized|used|applicable)|forbidden|invalid|only the default|must be verified|cannot find field|no such field|does not (accept|take|exist|have)|deprecated|disabled|cannot be (used|set|specified|combined)|can only be (used|set)|may only be|no longer|should not|incompatible|illegal|not one of|must be (unset|omitted|absent|1\b)|property .{0,60} is not|is not defined|additional propert|不支持|不允许|非法|未知/i;

/** What this body carries that the service refuses, if the request can do without it. */
export function refusedField(complaint: Complaint, body: JsonObject, wire: WireForm): string | undefined {
  if (!isAboutRequest(complaint.status)) return undefined;
  const text = `${complaint.codes} ${complaint.message}`;
  const limit = lowerLimit(text, complaint, body);
  if (limit !== undefined) return `limit:${limit}`;
  const ids = IDS.find(({ text: says }) => says.test(text));
  if (ids !== undefined) return ids.id;
  const part = PARTS.find(({ id, text: says }) => says.test(text) && carries(body, id, wire));
  if (part !== undefined) return part.id;
  if (!REFUSAL.test(text)) return undefined;
  const named = namesIn(complaint);
  const limited = LIMITS.find((path) => at(body, path) !== undefined && isNamed(path, named));
  // Messages that mention another field with the limit refuse the one that the provider names as the parameter.
  if (limited !== undefined && wire !== "messages" && namesParam(complaint, limited)) return limited;
  return (
    FIELDS.find(
      ({ paths, names = [], text: says, quoted }) =>
        paths.some((path) => isCarried(body, path)) &&
        (says?.test(text) === true ||
          [...paths.map((path) => path.replace(/^.*\*\./, "")), ...names].some((name) => isNamed(name, named, quoted))),
    )?.id ?? (wire === "messages" ? undefined : limited)
  );
}

/** Statuses with which services refuse fields; the others say that something else is wrong. */
function isAboutRequest(status: number | undefined): boolean {
  return status === undefined || status < 400 || [400, 403, 404, 405, 415, 422, 500, 501].includes(status);
}

function namesParam({ param }: Complaint, path: string): boolean {
  return (
    param === undefined || isNamed(path, { plain: new Set(suffixesOf(param)), quoted: new Set(suffixesOf(param)) })
  );
}

interface Named {
  readonly plain: ReadonlySet<string>;
  /** As a parameter, or in quotes. */
  readonly quoted: ReadonlySet<string>;
}

/** The identifiers in a complaint, in one spelling. */
function namesIn({ codes, message, param }: Complaint): Named {
  const quoted = [...message.matchAll(/[`'"“‘[(]+\$?\.?([A-Za-z_][\w.[\]-]*)[`'"”’\])]*/g)].flatMap(([, name]) =>
    suffixesOf(name!),
  );
  const own = param === undefined ? [] : suffixesOf(param);
  const plain = `${codes} ${message}`.match(/[A-Za-z_][\w.[\]-]*/g) ?? [];
  return { plain: new Set([...own, ...quoted, ...plain.flatMap(suffixesOf)]), quoted: new Set([...own, ...quoted]) };
}

/** `body.generation_config.topP` → `bodygenerationconfigtopp`, `generationconfigtopp`, `topp`. */
function suffixesOf(name: string): string[] {
  const steps = name
    .split(/[.[\]]+/)
    .filter((step) => step !== "")
    .map(spelledAlike);
  return steps.map((_, from) => steps.slice(from).join(""));
}

function isNamed(path: string, { plain, quoted }: Named, onlyQuoted?: true): boolean {
  const found = onlyQuoted === true ? quoted : plain;
  const steps = path.split(".").map(spelledAlike);
  return found.has(steps.join("")) || (steps.length > 1 && steps[0] === "generationconfig" && found.has(steps.at(-1)!));
}

function spelledAlike(name: string): string {
  return name.replace(/[^A-Za-z0-9]/g, "").toLowerCase();
}

const N = String.raw`[\`'"]?(\d[\d,_]*)`;
/** How services name the largest output of a model; the group is the number, `open` one that is too large by one. */
const LIMIT_WORDINGS: readonly { readonly pattern: RegExp; readonly open?: true }[] = [
  { pattern: new RegExp(`\\(inclusive\\) to ${N} \\(exclusive\\)`, "i"), open: true },
  { pattern: new RegExp(`\\[\\s*\\d+\\s*,\\s*${N}\\s*\\)`), open: true },
  { pattern: new RegExp(`\\[\\s*\\d+\\s*,\\s*${N}\\s*\\]`) },
  { pattern: new RegExp(`between \\d+ and ${N}`, "i") },
  { pattern: new RegExp(`from \\d+ to ${N}`, "i") },
  { pattern: new RegExp(`>\\s*${N},? which is the maximum`, "i") },
  {
    pattern: new RegExp(
      `(?:at most|up to|maximum of|(?:not|cannot|must not) exceed|less than or equal to|no (?:more|greater) than|not (?:be )?greater than|<=|≤)\\s*${N}`,
      "i",
    ),
  },
  { pattern: new RegExp(`(?:less than|lower than|<)\\s*${N}`, "i"), open: true },
  {
    pattern: new RegExp(
      `(?:exceeds?|above|over|greater than|larger than)[^.\\d]{0,60}(?:limit|maximum|max)[^.\\d]{0,40}${N}`,
      "i",
    ),
  },
  { pattern: new RegExp(`(?:limit|maximum|max(?:imum)?(?: allowed)?(?: value)?)\\s*(?:is|of|:|=|\\()\\s*${N}`, "i") },
];

/** The output limit to send instead of one that is too large; `undefined` if the complaint is about something else. */
function lowerLimit(text: string, { param }: Complaint, body: JsonObject): number | undefined {
  const sent = LIMITS.map((path) => at(body, path)).find((value) => typeof value === "number");
  if (sent === undefined) return undefined;
  const about = `${param ?? ""} ${text}`;
  if (!/max[_ ]?(completion|output|new|generated)?[_ ]?tokens|(completion|output) tokens/i.test(about))
    return undefined;
  // vLLM: (9000 > 8192 - 500)
  const room = /\(\d+ > (\d+) - (\d+)\)/.exec(text);
  if (room !== null) return usable(Number(room[1]) - Number(room[2]), sent);
  if (
    /(input|prompt|messages?)\W.{0,40}(too long|too large)|inputs?\W{0,2}tokens \+|maximum context length|context limit|context window limit/i.test(
      text,
    )
  )
    return undefined;
  for (const { pattern, open } of LIMIT_WORDINGS) {
    const found = pattern.exec(text)?.[1];
    const limit = found === undefined ? undefined : usable(Number(found.replace(/[,_]/g, "")) - (open ? 1 : 0), sent);
    if (limit !== undefined) return limit;
  }
  return undefined;
}

/** Too little room for an answer is no limit to send, but a conversation that is too long. */
function usable(limit: number, sent: number): number | undefined {
  return limit >= 256 && limit < sent ? limit : undefined;
}

/** Remembers what a service refuses. Whether to send the request again, without it. */
export function learnsRefusal(
  { refused, warn }: Pick<Connection, "refused" | "warn">,
  complaint: Complaint,
  { asked, sent, wire }: { readonly asked: Asked; readonly sent: JsonObject; readonly wire: WireForm },
): boolean {
  const { code, message } = failureOf(complaint, asked);
  if (!CHANGEABLE.has(code)) return false;
  const found = refusedField(complaint, sent, wire);
  const known = refused.get(asked.model) ?? new Set();
  if (found === undefined || known.has(found)) return false;
  if (found === "@images" && !canDoWithoutImages(sent, known)) return false;
  refused.set(asked.model, known.add(found));
  if (found === "@tools")
    warn?.(
      `The model "${asked.model}" cannot use tools, so Hermes offers it none in this session. Choose another with \`hermes model\`. ${message}`,
    );
  else if (found === "@images")
    warn?.(`The model "${asked.model}" cannot see images, so Hermes leaves them out in this session. ${message}`);
  return true;
}

/** Failures that a change of the request may avoid. */
const CHANGEABLE: ReadonlySet<ModelFailure["code"]> = new Set([
  "bad_request",
  "context_overflow",
  "auth",
  "model_not_found",
  "server",
  "refused",
]);
