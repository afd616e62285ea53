/**
 * The words and patterns that the project's English avoids, and what to write. docs/glossary.md has the terms it uses.
 */
export interface ProseRule {
  readonly pattern: RegExp;
  readonly instead: string;
}

const phrase = (words: string, instead: string): ProseRule => ({
  pattern: new RegExp(`\\b(?:${words})\\b`, "gi"),
  instead,
});

/** Rules for text: CLI output, errors, docs, comments and test names. */
export const PROSE_RULES: readonly ProseRule[] = [
  phrase("told|retold", "report, notify, show, log"),
  phrase(
    "(?:is|was|are|were|been|being|gets?) said|said so|what (?:he|she|it|they) said",
    "message, output, text; report",
  ),
  phrase("hears?|heard", "receive, observe"),
  phrase("mends?|mended|mending", "fix, fixed"),
  phrase("anew", "again, new"),
  phrase("(?:go|goes|gone|went|going) on with|(?:carry|carries|carried|carrying) (?:it |them )?on", "resume, continue"),
  phrase("(?:stand|stands|stood|standing) in(?: for)?", "substitute, fall back"),
  phrase("(?:a|the|one|each|every|no|another|of|by|to|for) persons?|person's|persons", "user, owner, prompter"),
  phrase(
    "somebody(?:'s|s)?|nobody(?:'s|s)?|whoever|whomever|whatever(?= (?:is|was|has|does) )",
    "the user, a caller, any client, no one",
  ),
  phrase("strangers?(?:'s)?|foreign words?", "untrusted content, external, untrusted"),
  phrase("desks?", "service"),
  phrase("one road|the road|roads", "dispatch pipeline"),
  phrase("keepers?", "supervisor"),
  phrase("held tools?|held back", "deferred tools, deferred"),
  phrase("guest (?:text|words?)", "injected context"),
  phrase("within (?:the )?walls|walls", "sandbox"),
  phrase("a yes|a no|no yes|the yes|its yes|another yes", "approval, denial"),
  phrase("what lies|lies? (?:in|beside|there|under|at|on|where)", "is in, contains"),
  phrase(
    "seeds?(?: documents?)?(?= (?:say|have|has|name|wants?|list|call))|the seeds?(?:'|\\b)",
    "the original, Python-compatible",
  ),
  phrase(
    "at will|for good|all the same|by (?:itself|themselves)|of (?:its|their|our|his) own|as it is|in its place|in their place",
    "cut these words",
  ),
  phrase("wish|wishes|wished", "request, requested"),
  phrase("the machine's own", "the system"),
  phrase("not any more|any more is|no longer there is", "no longer"),
  {
    pattern:
      /(?:^|[.;:!?] )(?:What|Whoever|Who) (?!['’]?s? ?(?:do|does|did|can|should|would|will|now|else)\b)[a-z][^.?!]*[.!]/g,
    instead: "start with the subject: no free relative clause as a subject",
  },
];

/** Words that no identifier, file or folder uses. Each is one word of a camelCase, snake_case or kebab-case name. */
export const NAME_WORDS: ReadonlyMap<string, string> = new Map([
  ["told", "reported, message, notified"],
  ["tell", "report, notify, show, log"],
  ["tells", "reports, shows"],
  ["heard", "received, observed"],
  ["hear", "receive, observe"],
  ["hears", "subscribesTo"],
  ["hearing", "subscribed"],
  ["mended", "fixed, repaired"],
  ["mend", "fix, repair"],
  ["anew", "again"],
  ["kept", "saved, cached, persistent"],
  ["desk", "service"],
  ["desks", "services"],
  ["person", "user, prompter"],
  ["person's", "user"],
  ["persons", "users"],
  ["keeper", "supervisor"],
  ["stranger", "untrusted"],
  ["strangers", "untrusted"],
  ["foreign", "untrusted, external, unknown"],
  ["somebody", "user"],
  ["nobody", "none"],
  ["whoever", "caller"],
  ["seeds", "compat, original"],
  ["guest", "injected"],
  ["walls", "sandbox"],
  ["wish", "requested"],
  ["wished", "requested"],
  ["wishes", "requests"],
  ["spoken", "textual, protocol"],
  ["said", "message, output, text"],
  ["lot", "batch, set"],
  ["bag", "options"],
]);
