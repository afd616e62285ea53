import type { Act } from "./vocabulary/act-words.ts";
import { readSentences, type Sentence } from "./asked-acts.ts";
import type { Severity, SkillThreat } from "./skill-finding.ts";

type Sign = Act | "stranger" | "command";

/** An effect that a text asks for: acts that stand together. */
interface AskedEffect {
  readonly severity: Severity;
  readonly category: SkillThreat;
  readonly says: string;
  /** One of these is what is ordered. */
  readonly order: readonly Sign[];
  /** Of each list one stands within so many sentences of the order, in its section. */
  readonly beside: readonly { readonly any: readonly Sign[]; readonly within: number }[];
  /** It counts only when the order does not hang on the person's yes. */
  readonly unlessAgreed?: true;
  readonly unless?: RegExp;
}

/** The guard's own words: "do not try to reword it". */
const NOT_ROUND =
  /\b(?:do not|don['’]t|never|must not|should not|not to)\s+(?:\w+\s+){0,2}?(?:split|retry|try|rephrase|reword|rename|encode|use|run|go|switch|bypass|answer|press|click|choose|confirm|accept|disable|look for|work around|get round)\b/iu;

/** Data: the gravest first, since one place is told once. */
const ASKED_EFFECTS: readonly AskedEffect[] = [
  {
    severity: "critical",
    category: "exfiltration",
    says: "It has something sent away that the person is not to know of",
    order: ["send", "carry"],
    beside: [
      { any: ["hidden"], within: 1 },
      { any: ["stranger", "stored"], within: 1 },
    ],
  },
  {
    severity: "critical",
    category: "exfiltration",
    says: "It has what was said, or what is the person's own, sent to a stranger",
    order: ["send", "carry"],
    beside: [
      { any: ["said", "stored"], within: 1 },
      { any: ["stranger"], within: 2 },
    ],
    unlessAgreed: true,
  },
  {
    severity: "critical",
    category: "exfiltration",
    says: "It has secrets sent to a stranger",
    order: ["send", "carry"],
    beside: [
      { any: ["secret"], within: 0 },
      { any: ["stranger"], within: 1 },
    ],
    unlessAgreed: true,
    unless: /\b(?:headers?|authorization|bearer|basic auth|sign in|log in|public (?:key|half|part))\b/iu,
  },
  {
    severity: "critical",
    category: "fraud",
    says: "It asks a person for what opens their accounts, and sends it on",
    order: ["send"],
    beside: [
      { any: ["stranger"], within: 0 },
      { any: ["secret"], within: 1 },
      { any: ["collect"], within: 1 },
    ],
    unless: /\b(?:api[ -]?keys?|headers?|authorization|bearer)\b/iu,
  },
  {
    severity: "critical",
    category: "exfiltration",
    says: "It asks a person who and where they are, and sends it on",
    order: ["send"],
    beside: [
      { any: ["stranger"], within: 0 },
      { any: ["personal"], within: 1 },
      { any: ["collect"], within: 1 },
      { any: ["hidden", "untrue", "always", "unasked"], within: 1 },
    ],
    unlessAgreed: true,
  },
  {
    severity: "critical",
    category: "injection",
    says: "It has a stranger's words rank above the rules",
    order: ["overrule"],
    beside: [{ any: ["stranger"], within: 1 }],
  },
  {
    severity: "critical",
    category: "exfiltration",
    says: "It has secrets put where others read them",
    order: ["carry"],
    beside: [
      { any: ["stored", "said", "secret"], within: 0 },
      { any: ["stranger", "hidden", "always"], within: 1 },
    ],
    unlessAgreed: true,
    unless: /\b(?:headers?|authorization|bearer)\b/iu,
  },
  {
    severity: "critical",
    category: "exfiltration",
    says: "It has secrets hidden in something else",
    order: ["covert"],
    beside: [{ any: ["stored", "secret"], within: 0 }],
  },
  {
    severity: "critical",
    category: "fraud",
    says: "It holds what a person has until they pay",
    order: ["ransom"],
    beside: [{ any: ["destroy", "command", "send", "weaken"], within: 2 }],
  },
  {
    severity: "critical",
    category: "fraud",
    says: "It has money go to another account",
    order: ["reroute"],
    beside: [],
  },
  {
    severity: "critical",
    category: "fraud",
    says: "It gets from a person under a pretext what opens their accounts",
    order: ["collect"],
    beside: [
      { any: ["secret", "rights"], within: 1 },
      { any: ["untrue"], within: 2 },
    ],
  },
  {
    severity: "critical",
    category: "fraud",
    says: "It asks a person for what opens their accounts, and sends it on",
    order: ["collect"],
    beside: [
      { any: ["secret"], within: 1 },
      { any: ["send"], within: 2 },
      { any: ["stranger"], within: 2 },
    ],
    unless: /\b(?:api[ -]?keys?|tokens?|headers?)\b/iu,
  },
  {
    severity: "high",
    category: "fraud",
    says: "It has a person type what opens their accounts on a stranger's page",
    order: ["collect"],
    beside: [
      { any: ["secret"], within: 0 },
      { any: ["stranger"], within: 0 },
    ],
    // A guide to signing in: the reader's own name and password.
    unless:
      /\b(?:api[ -]?keys?|tokens?|headers?|public)\b|\b(?:enter|type|use|with|fill in) your (?:\w+ )?(?:user ?name|e?-?mail(?: address)?|account(?: name)?|login(?: name)?|staff number) and (?:your )?password\b/iu,
  },
  {
    severity: "high",
    category: "exfiltration",
    says: "It has the values of secrets said aloud",
    order: ["disclose"],
    beside: [],
  },
  {
    severity: "critical",
    category: "injection",
    says: "It sets itself above other instructions",
    order: ["overrule"],
    beside: [],
  },
  {
    severity: "high",
    category: "injection",
    says: "It gets round whoever checks",
    order: ["evade"],
    beside: [],
    unless: NOT_ROUND,
  },
  {
    severity: "high",
    category: "persistence",
    says: "It comes back when it is taken away",
    order: ["comesBack"],
    beside: [{ any: ["write", "plant", "change", "hidden"], within: 1 }],
  },
  {
    severity: "high",
    category: "exfiltration",
    says: "It puts itself in the place of a tool",
    order: ["shadowTool"],
    beside: [],
  },
  {
    severity: "critical",
    category: "injection",
    says: "It has a guard that stops it got round",
    order: ["getRound"],
    beside: [],
    unless: NOT_ROUND,
  },
  {
    severity: "critical",
    category: "persistence",
    says: "It tells the reader to spread it",
    order: ["spread"],
    beside: [],
    unless: /\b(?:if|when|after) the (?:user|person|owner) (?:asks|wants|agrees)/iu,
  },
  {
    severity: "critical",
    category: "exfiltration",
    says: "It takes the place of other tools, and sends on what they would have seen",
    order: ["shadow"],
    beside: [{ any: ["stranger", "hidden", "overrule", "said"], within: 2 }],
  },
  {
    severity: "critical",
    category: "supply_chain",
    says: "It has done, again and again, whatever a stranger's page says",
    order: ["obey"],
    beside: [
      { any: ["stranger"], within: 2 },
      { any: ["always", "overrule", "unasked", "hidden", "consented"], within: 1 },
    ],
  },
  {
    severity: "critical",
    category: "injection",
    says: "It has a person not know what is done",
    order: ["hidden"],
    beside: [
      {
        any: [
          "destroy",
          "wipe",
          "plant",
          "weaken",
          "letIn",
          "backdoor",
          "obey",
          "pay",
          "watch",
          "unreported",
          "sabotage",
          "unguard",
          "reroute",
          "impersonate",
        ],
        within: 2,
      },
    ],
  },
  {
    severity: "critical",
    category: "persistence",
    says: "It switches the agent's guards off without a question",
    order: ["unguard"],
    beside: [{ any: ["unasked", "always", "untrue", "overrule", "consented"], within: 1 }],
    unlessAgreed: true,
  },
  {
    severity: "high",
    category: "injection",
    says: "It has something done that the person is not to hear of",
    order: ["hidden"],
    beside: [
      { any: ["change"], within: 1 },
      { any: ["machine", "stored", "plant", "stranger", "command"], within: 1 },
    ],
    unless: /\b(?:names?|unless|until|errors?|fail\w*|raw|internal|secrets?|keys?|passwords?|tokens?|values?)\b/iu,
  },
  {
    severity: "high",
    category: "supply_chain",
    says: "It has done whatever a stranger's page says",
    order: ["obey"],
    beside: [{ any: ["stranger"], within: 2 }],
  },
  {
    severity: "high",
    category: "injection",
    says: "It claims a consent that nobody gave",
    order: ["consented"],
    beside: [],
    unless: /^(?:[^,]*\b(?:if|when|after|once|until|unless|whether|only|as soon as)\b)/iu,
  },
  {
    severity: "high",
    category: "fraud",
    says: "It has money spent without a question",
    order: ["pay"],
    beside: [{ any: ["unasked", "consented", "hidden", "untrue"], within: 1 }],
    unlessAgreed: true,
  },
  {
    severity: "high",
    category: "exfiltration",
    says: "It has a stranger read along",
    order: ["blindCopy"],
    beside: [{ any: ["stranger"], within: 0 }],
    unlessAgreed: true,
  },
  {
    severity: "high",
    category: "fraud",
    says: "It has its maker profit from what it does for a person",
    order: ["ours"],
    beside: [{ any: ["pay", "promote", "send", "unasked"], within: 1 }],
    unlessAgreed: true,
  },
  { severity: "high", category: "fraud", says: "It has a result come out as it wants", order: ["rig"], beside: [] },
  {
    severity: "high",
    category: "fraud",
    says: "It has work done badly on purpose",
    order: ["sabotage"],
    beside: [{ any: ["hidden", "untrue", "verdict"], within: 1 }],
  },
  {
    severity: "high",
    category: "fraud",
    says: "It speaks as somebody whom people trust",
    order: ["impersonate"],
    beside: [{ any: ["collect", "send", "pay", "secret", "stranger"], within: 1 }],
  },
  {
    severity: "high",
    category: "exfiltration",
    says: "It leads the model's traffic to a stranger",
    order: ["agentSettings"],
    beside: [
      { any: ["stranger"], within: 1 },
      { any: ["write", "change", "command"], within: 1 },
    ],
    unless: /\b(?:base_?url|api_base|api_url)\s*=\s*(?:os\.(?:environ|getenv)|process\.env|env\b)/iu,
  },
  {
    severity: "high",
    category: "persistence",
    says: "It leaves orders where they are read or started again",
    order: ["write"],
    beside: [
      { any: ["plant"], within: 0 },
      { any: ["hidden", "consented", "overrule", "obey", "unasked"], within: 1 },
    ],
  },
  {
    severity: "high",
    category: "persistence",
    says: "It leaves behind what sends on by itself",
    order: ["write"],
    beside: [
      { any: ["plant"], within: 0 },
      { any: ["send"], within: 1 },
      { any: ["stranger"], within: 1 },
    ],
  },
  {
    severity: "high",
    category: "persistence",
    says: "It has a false word remembered",
    order: ["write"],
    beside: [
      { any: ["plant", "always"], within: 0 },
      { any: ["unasked", "consented"], within: 0 },
      { any: ["secret", "pay", "send", "change", "machine"], within: 0 },
    ],
  },
  {
    severity: "high",
    category: "supply_chain",
    says: "It has programs come from a stranger",
    order: ["change", "write"],
    beside: [
      { any: ["sources"], within: 0 },
      { any: ["stranger"], within: 0 },
    ],
  },
  {
    severity: "high",
    category: "supply_chain",
    says: "It has a stranger's program started before it works",
    order: ["program"],
    beside: [
      { any: ["stranger"], within: 1 },
      { any: ["required", "untrue", "hidden", "unasked"], within: 2 },
    ],
  },
  {
    severity: "high",
    category: "obfuscation",
    says: "It makes itself look like something else",
    order: ["disguise"],
    beside: [],
  },
  {
    severity: "high",
    category: "execution",
    says: "It has a day, a name or a word set harm off",
    order: ["destroy", "weaken", "backdoor", "reroute", "attack", "letIn"],
    beside: [{ any: ["bomb"], within: 0 }],
  },
  {
    severity: "high",
    category: "network",
    says: "It has machines of others attacked",
    order: ["attack"],
    beside: [{ any: ["hidden", "consented", "unasked", "always", "change"], within: 1 }],
    unless: /\b(?:your own|the user['’]s own|localhost|own test|lab|authori[sz]ed|with permission)\b/iu,
  },
  {
    severity: "high",
    category: "fraud",
    says: "It uses the person's name to reach others",
    order: ["blast"],
    beside: [{ any: ["hidden", "unasked", "always", "stranger"], within: 1 }],
    unlessAgreed: true,
  },
  {
    severity: "high",
    category: "fraud",
    says: "It is paid for what it says, and hides it",
    order: ["promote"],
    beside: [{ any: ["hidden", "untrue"], within: 1 }],
  },
  {
    severity: "high",
    category: "destructive",
    says: "It has things destroyed without a question",
    order: ["destroy"],
    beside: [{ any: ["unasked", "hidden", "untrue"], within: 1 }],
  },
  {
    severity: "high",
    category: "injection",
    says: "It has a check come out as it wants",
    order: ["verdict"],
    beside: [{ any: ["hidden", "untrue"], within: 1 }],
  },
  {
    severity: "high",
    category: "injection",
    says: "It has a check come out as it wants",
    order: ["verdict"],
    beside: [{ any: ["always"], within: 0 }],
  },
  { severity: "high", category: "injection", says: "It has dangers left untold", order: ["unreported"], beside: [] },
  {
    severity: "high",
    category: "privilege_escalation",
    says: "It leaves a way in for somebody else",
    order: ["backdoor"],
    beside: [],
  },
  {
    severity: "high",
    category: "privilege_escalation",
    says: "It lets somebody else in",
    order: ["letIn"],
    beside: [{ any: ["hidden", "unasked"], within: 2 }],
  },
  {
    severity: "high",
    category: "privilege_escalation",
    says: "It lets somebody else in",
    order: ["letIn"],
    beside: [
      { any: ["stranger"], within: 0 },
      { any: ["always", "unasked", "plant"], within: 1 },
    ],
  },
  {
    severity: "high",
    category: "privilege_escalation",
    says: "It takes a guard away",
    order: ["weaken"],
    beside: [{ any: ["hidden", "unasked", "untrue"], within: 1 }],
  },
  {
    severity: "high",
    category: "fraud",
    says: "It talks a person into handing out rights",
    order: ["untrue"],
    beside: [{ any: ["rights"], within: 1 }],
  },
  {
    severity: "high",
    category: "exfiltration",
    says: "It watches what a person does",
    order: ["watch"],
    beside: [{ any: ["hidden", "always", "stranger"], within: 1 }],
  },
  {
    severity: "high",
    category: "execution",
    says: "It uses up what the person pays for",
    order: ["waste"],
    beside: [],
  },
];

export interface Asked {
  readonly severity: Severity;
  readonly category: SkillThreat;
  readonly says: string;
  /** Where the order stands in the text, and how long the rest of its sentence is. */
  readonly index: number;
  readonly length: number;
}

/** What the sentences of a text ask for together, each effect once. */
export function askedEffects(text: string): readonly Asked[] {
  const sentences = readSentences(text);
  return ASKED_EFFECTS.flatMap(({ severity, category, says, order, beside, unlessAgreed, unless }) => {
    const found = sentences.findIndex((sentence, at) => {
      if (!order.some((act) => sentence.acts.has(act)) || sentence.acts.has("command")) return false;
      if (unless?.test(sentence.text)) return false;
      if (unlessAgreed && agreed(sentences, at)) return false;
      return beside.every(({ any, within }) =>
        near(sentences, at, within).some(({ acts }) => any.some((act) => acts.has(act))),
      );
    });
    if (found === -1) return [];
    const { index, text: words, acts } = sentences[found]!;
    const from = Math.min(...order.flatMap((act) => acts.get(act) ?? []));
    return [{ severity, category, says, index: index + from, length: words.trimEnd().length - from }];
  });
}

/** The block of code that shows how stands behind the words that say what. */
function near(sentences: readonly Sentence[], at: number, within: number): readonly Sentence[] {
  const { section } = sentences[at]!;
  const some = sentences.slice(Math.max(0, at - within), at + within + 1);
  const code =
    within === 0
      ? undefined
      : sentences.slice(at + within + 1, at + within + 3).find(({ acts }) => acts.has("command"));
  return [...some, ...(code === undefined ? [] : [code])].filter((one) => one.section === section);
}

const AGREED =
  /\b(?:ask (?:the )?(?:user|person|owner|them)(?: first| before| whether| if|,)|(?:after|with|once|when|if|only when|only if) (?:the |their |his |her )?(?:user'?s?|person'?s?|owner'?s?)?\s?(?:has |have )?(?:yes|consent|approval|permission|agree[sd]?|confirm(?:s|ed)?|approve[sd]?|asks? for it|wants? it|requests? it)|show (?:it|the \w+|them) (?:to the user )?(?:first|before)|the user (?:has )?(?:agreed|confirmed|approved))\b/iu;

function agreed(sentences: readonly Sentence[], at: number): boolean {
  const around = near(sentences, at, 1);
  return (
    around.some(({ text }) => AGREED.test(text)) &&
    !around.some(({ acts }) => acts.has("hidden") || acts.has("unasked"))
  );
}
