/** One parsed request of the user. */
export type Request =
  | { readonly kind: "list"; readonly path: string }
  | { readonly kind: "read"; readonly path: string }
  | { readonly kind: "search"; readonly words: string; readonly path: string }
  | { readonly kind: "find"; readonly pattern: string; readonly path: string }
  | { readonly kind: "write"; readonly path: string; readonly text: string }
  | { readonly kind: "run"; readonly command: string }
  | { readonly kind: "add-todo"; readonly text: string }
  | { readonly kind: "show-todos" }
  | { readonly kind: "delegate"; readonly goals: readonly string[] }
  | { readonly kind: "use"; readonly tool: string; readonly args: string }
  | { readonly kind: "help" };

/**
 * Reads a message as a sequence of requests; empty when any part of it is not understood, since doing half of what was
 * asked is worse than asking back.
 */
export function understand(message: string): readonly Request[] {
  const whole = polite(message);
  if (whole === "") return [];
  const one = match(whole);
  if (one?.kind === "delegate" && one.goals.length > 1) return [one];
  const parts = split(whole);
  if (parts.length > 1) {
    const each = parts.map((part) => match(polite(part)));
    if (each.every((request) => request !== undefined)) return each;
  }
  return one === undefined ? [] : [one];
}

type Rule = readonly [
  pattern: RegExp,
  make: (groups: { readonly [name: string]: string | undefined }) => Request | undefined,
];

const PATH = String.raw`"[^"]+"|'[^']+'|\`[^\`]+\`|\S+`;

/** The first rule that fits decides: to-dos before files, since "list my to-dos" is both. */
const RULES: readonly Rule[] = [
  [
    /^(?:help|hi|hello|hey|who are you|what are you|what can you do|what do you understand)(?: there| hermes)?[\s?!.]*$/i,
    () => ({ kind: "help" }),
  ],
  [/^(?:\$|!)\s*(?<command>.+)$/s, ({ command = "" }) => ({ kind: "run", command: command.trim() })],
  [
    /^delegate in parallel:?\s+(?<goals>.+)$/is,
    ({ goals = "" }) => ({ kind: "delegate", goals: goals.split(/\s*;\s*/).filter((goal) => goal !== "") }),
  ],
  [
    /^delegate(?: to a subagent)?:?\s+(?:to\s+)?(?<goal>.+)$/is,
    ({ goal = "" }) => ({ kind: "delegate", goals: [unquoted(goal)] }),
  ],
  // "run the tests" names something to do, not a command.
  [
    /^(?:run|execute)(?:(?: the)?(?: shell)? command:?|(?! (?:the|an?|my|our|your|all|this|these|those)\b):?)\s+(?<command>.+)$/is,
    ({ command = "" }) => ({ kind: "run", command: unquoted(command) }),
  ],
  [
    /^(?:add|create|make|put)\s+(?:an?\s+)?(?:new\s+)?(?:to-?do|task)(?:\s+item)?(?:\s+(?:to|for|that says|saying|called))?\s*:?\s+(?<text>.+)$/is,
    ({ text = "" }) => ({ kind: "add-todo", text: unquoted(text) }),
  ],
  [
    /^(?:add|put)\s+(?<text>.+?)\s+(?:to|on|in|onto)\s+(?:my|the)\s+(?:to-?dos?|tasks?)(?:[ -]list)?[.!]?$/is,
    ({ text = "" }) => ({ kind: "add-todo", text: unquoted(text) }),
  ],
  [/^(?:remind me to|remember to)\s+(?<text>.+)$/is, ({ text = "" }) => ({ kind: "add-todo", text: unquoted(text) })],
  [
    /^(?:show|list|read|print|what(?:'s| is| are)?)\b(?:\s+(?:me|all|my|the|on|in|of))*\s+(?:to-?dos?|tasks?)(?:[ -]list)?(?:\s+items?)?[\s?.!]*$/i,
    () => ({ kind: "show-todos" }),
  ],
  [
    /^(?:use|call|invoke)\s+(?:the\s+)?[`"']?(?<tool>[A-Za-z0-9_.-]+)[`"']?(?:\s+tool)?(?:\s*[:,]|\s+(?:for|with|on|to|in|about|using))?(?:\s+(?:the\s+)?arg(?:ument)?s?:?)?(?:\s+(?<args>.+))?$/is,
    ({ tool = "", args = "" }) => ({ kind: "use", tool, args: args.trim() }),
  ],
  [
    new RegExp(
      `^(?:write|create|make|save)\\s+(?:an?\\s+|the\\s+)?(?:new\\s+)?(?:file\\s+)?(?:(?:called|named)\\s+)?(?<path>${PATH})\\s+(?:with|containing|that says|saying)(?:\\s+the)?(?:\\s+(?:text|contents?|words?))?\\s*:?\\s+(?<text>.+)$`,
      "is",
    ),
    ({ path = "", text = "" }) => written(path, text),
  ],
  [
    new RegExp(
      `^(?:write|save|put)\\s+(?<text>"[^"]*"|'[^']*'|\`[^\`]*\`|.+?)\\s+(?:to|into|in)\\s+(?:the\\s+)?(?:file\\s+)?(?<path>"[^"]+"|'[^']+'|\`[^\`]+\`|\\S*[./]\\S+)$`,
      "is",
    ),
    ({ path = "", text = "" }) => written(path, text),
  ],
  [
    new RegExp(
      `^(?:find|list|show)\\s+(?:me\\s+)?(?:all\\s+)?(?:the\\s+)?files?\\s+(?:named|called|like|matching)\\s+(?<pattern>${PATH})(?:\\s+(?:in|under|inside|within|at)\\s+(?<path>.+))?$`,
      "i",
    ),
    ({ pattern = "", path }) => ({ kind: "find", pattern: unquoted(pattern), path: place(path) }),
  ],
  [
    new RegExp(
      "^(?:find|list|show)\\s+(?:me\\s+)?(?:all\\s+)?(?:the\\s+)?(?<pattern>\\S*\\*\\S*)(?:\\s+files)?(?:\\s+(?:in|under|inside|within|at)\\s+(?<path>.+))?$",
      "i",
    ),
    ({ pattern = "", path }) => ({ kind: "find", pattern: unquoted(pattern), path: place(path) }),
  ],
  [
    /^(?:list|show|print|give me|ls|what|which)\b[^/.]*?\b(?:files?|folders?|director(?:y|ies)|contents?)\b(?:(?:\s+(?:are|is|do|we|i|you|have|there|names?))*\s+(?:in|of|under|at|inside)\s+(?<path>.+?)|\s+(?:are\s+|is\s+)?(?:there|here)(?:\s+(?:are|is))?)?[\s?!]*$/i,
    ({ path }) => ({ kind: "list", path: place(path) }),
  ],
  [/^(?:ls|dir)(?:\s+(?<path>[^-\s]\S*))?$/i, ({ path }) => ({ kind: "list", path: place(path) })],
  [
    /^what(?:'s| is) (?:here|in (?<path>here|this (?:folder|directory)|the (?:current )?(?:folder|directory)))[\s?]*$/i,
    () => ({ kind: "list", path: "." }),
  ],
  [
    new RegExp(
      `^(?:search|look|grep)\\s+(?:(?:in|through)\\s+)?(?<path>${PATH}|the files|this folder)\\s+for\\s+(?<words>.+)$`,
      "i",
    ),
    ({ path, words = "" }) => ({ kind: "search", words: unquoted(words), path: place(path) }),
  ],
  [
    /^(?:search|look|grep|find)\s+(?:for\s+)?(?<words>"[^"]+"|'[^']+'|`[^`]+`|.+?)(?:\s+(?:in|under|inside|within)\s+(?<path>.+?))?[?]?$/i,
    ({ words = "", path }) => ({ kind: "search", words: unquoted(words), path: place(path) }),
  ],
  [
    new RegExp(
      `^(?:read|cat|open|show|print|display|what(?:'s| is)\\s+in)\\s+(?:me\\s+)?(?:the\\s+)?(?:file\\s+|contents? of\\s+(?:the\\s+)?(?:file\\s+)?)?(?<path>${PATH})[?]?$`,
      "i",
    ),
    ({ path = "" }) => ({ kind: "read", path: unquoted(path.replace(/\?$/, "")) }),
  ],
];

function match(text: string): Request | undefined {
  for (const [pattern, make] of RULES) {
    const found = pattern.exec(text);
    if (found !== null) return make(found.groups ?? {});
  }
  return undefined;
}

/** Without the words that make a request friendly. */
function polite(text: string): string {
  return text
    .trim()
    .replace(/^(?:(?:hey|hi|hello|ok|okay)?[ ,]*hermes[,:!]?\s+)/i, "")
    .replace(
      /^(?:please\s+|(?:can|could|would|will) you\s+(?:please\s+)?|i (?:want|would like|'d like) you to\s+|now\s+|then\s+|also\s+)+/i,
      "",
    )
    .replace(/[,]?\s+please[.!?]?$/i, "")
    .replace(/(?<=\w)[.!]$/, "")
    .trim();
}

const NEXT = String.raw`list|show|print|read|cat|open|search|look|grep|find|write|create|save|run|execute|add|put|remind|remember|use|call|invoke|delegate|ls|what`;
const JOINTS = new RegExp(
  String.raw`(?:(?<!\s)\s*|(?=[,;.]))(?:[,;.]?\s+(?:and\s+)?then\s+|[,;]\s+(?:and\s+)?(?=(?:${NEXT})\b)|\n+|\s+and\s+(?=(?:${NEXT})\b))`,
  "gi",
);

const FREE_TEXT: ReadonlySet<string> = new Set(["write", "add-todo", "delegate"]);

/** At "then", "and READ …" and line ends, but never inside quotes: there the words belong to a text or a command. */
function split(text: string): readonly string[] {
  const quoted = [...text.matchAll(/"[^"]*"|'[^']*'|`[^`]*`|\{[^}]*\}/g)].map(
    (found) => [found.index, found.index + found[0].length] as const,
  );
  const parts: string[] = [];
  let from = 0;
  for (const joint of text.matchAll(JOINTS)) {
    if (quoted.some(([start, end]) => joint.index >= start && joint.index < end)) continue;
    // A text to write may contain "and read …"; only "then" ends it for certain.
    const before = text.slice(from, joint.index);
    if (/^\s+and\s+$/i.test(joint[0]) && FREE_TEXT.has(match(polite(before))?.kind ?? "")) continue;
    parts.push(before);
    from = joint.index + joint[0].length;
  }
  return [...parts, text.slice(from)].map((part) => part.trim()).filter((part) => part !== "");
}

function written(path: string, text: string): Request {
  return { kind: "write", path: unquoted(path), text: `${unquoted(text)}\n` };
}

function place(path: string | undefined): string {
  const text = unquoted(
    (path ?? ".")
      .replace(/[?!]$/, "")
      .replace(/^the\s+/i, "")
      .replace(/\s+(?:folder|directory)$/i, ""),
  );
  return /^(?:|here|this|current|files|it|my (?:folder|directory)|this (?:folder|directory|project))$/i.test(text)
    ? "."
    : text;
}

function unquoted(text: string): string {
  const trimmed = text.trim();
  const found = /^(["'`])([\s\S]*)\1$/.exec(trimmed);
  const [, quote = "", inside = ""] = found ?? [];
  return found === null || inside.includes(quote) ? trimmed : inside;
}
