import type { Act } from "./vocabulary/act-words.ts";
import { readSentences, type Sentence } from "./asked-acts.ts";
import type { Severity, SkillThreat } from "./skill-finding.ts";

type Sign = Act | "outsider" | "command";

/** An effect that a text asks for: acts that stand together. */
interface AskedEffect {
  readonly severity: Severity;
  readonly category: SkillThreat;
  readonly says: string;
  /** One of these is what is ordered. */
  readonly order: readonly Sign[];
  /** Of each list one stands within so many sentences of the order, in its section. */
  readonly beside: readonly { readonly any: readonly Sign[]; readonly within: number }[];
  /** It counts only if the order does not depend on the user's approval. */
  readonly unlessAgreed?: true;
  readonly unless?: RegExp;
}

/** The guard's own words: "do not try to reword it". */
const NOT_ROUND =
  /\b(?:do not|don['’]t|never|must not|should not|not to)\s+(?:\w+\s+){0,2}?(?:split|retry|try|rephrase|reword|rename|encode|use|run|go|switch|bypass|answer|press|click|choose|confirm|accept|disable|look for|work around|get round)\b/iu;

/** Data: the most severe first, since one position is reported once. */
const ASKED_EFFECTS: readonly AskedEffect[] = [
  {
    severity: "critical",
    category: "exfiltration",
    says: "It tells the agent to send data away without the user's knowledge",
    order: ["send", "carry"],
    beside: [
      { any: ["hidden"], within: 1 },
      { any: ["outsider", "stored"], within: 1 },
    ],
  },
  {
    severity: "critical",
    category: "exfiltration",
    says: "It tells the agent to send conversations or the user's data to an unknown recipient",
    order: ["send", "carry"],
    beside: [
      { any: ["said", "stored"], within: 1 },
      { any: ["outsider"], within: 2 },
    ],
    unlessAgreed: true,
  },
  {
    severity: "critical",
    category: "exfiltration",
    says: "It tells the agent to send secrets to an unknown recipient",
    order: ["send", "carry"],
    beside: [
      { any: ["secret"], within: 0 },
      { any: ["outsider"], within: 1 },
    ],
    unlessAgreed: true,
    unless: /\b(?:headers?|authorization|bearer|basic auth|sign in|log in|public (?:key|half|part))\b/iu,
  },
  {
    severity: "critical",
    category: "fraud",
    says: "It asks users for credentials and forwards them",
    order: ["send"],
    beside: [
      { any: ["outsider"], within: 0 },
      { any: ["secret"], within: 1 },
      { any: ["collect"], within: 1 },
    ],
    unless: /\b(?:api[ -]?keys?|headers?|authorization|bearer)\b/iu,
  },
  {
    severity: "critical",
    category: "exfiltration",
    says: "It asks users for personal data and forwards it",
    order: ["send"],
    beside: [
      { any: ["outsider"], within: 0 },
      { any: ["personal"], within: 1 },
      { any: ["collect"], within: 1 },
      { any: ["hidden", "untrue", "always", "unasked"], within: 1 },
    ],
    unlessAgreed: true,
  },
  {
    severity: "critical",
    category: "injection",
    says: "It gives untrusted text precedence over the rules",
    order: ["overrule"],
    beside: [{ any: ["outsider"], within: 1 }],
  },
  {
    severity: "critical",
    category: "exfiltration",
    says: "It tells the agent to put secrets where others can read them",
    order: ["carry"],
    beside: [
      { any: ["stored", "said", "secret"], within: 0 },
      { any: ["outsider", "hidden", "always"], within: 1 },
    ],
    unlessAgreed: true,
    unless: /\b(?:headers?|authorization|bearer)\b/iu,
  },
  {
    severity: "critical",
    category: "exfiltration",
    says: "It tells the agent to hide secrets in other data",
    order: ["covert"],
    beside: [{ any: ["stored", "secret"], within: 0 }],
  },
  {
    severity: "critical",
    category: "fraud",
    says: "It holds the user's data for ransom",
    order: ["ransom"],
    beside: [{ any: ["destroy", "command", "send", "weaken"], within: 2 }],
  },
  {
    severity: "critical",
    category: "fraud",
    says: "It redirects money to another account",
    order: ["reroute"],
    beside: [],
  },
  {
    severity: "critical",
    category: "fraud",
    says: "It obtains users' credentials under a pretext",
    order: ["collect"],
    beside: [
      { any: ["secret", "rights"], within: 1 },
      { any: ["untrue"], within: 2 },
    ],
  },
  {
    severity: "critical",
    category: "fraud",
    says: "It asks users for credentials and forwards them",
    order: ["collect"],
    beside: [
      { any: ["secret"], within: 1 },
      { any: ["send"], within: 2 },
      { any: ["outsider"], within: 2 },
    ],
    unless: /\b(?:api[ -]?keys?|tokens?|headers?)\b/iu,
  },
  {
    severity: "high",
    category: "fraud",
    says: "It sends users to an unknown site to enter credentials",
    order: ["collect"],
    beside: [
      { any: ["secret"], within: 0 },
      { any: ["outsider"], within: 0 },
    ],
    // A guide to signing in: the reader's own name and password.
    unless:
      /\b(?:api[ -]?keys?|tokens?|headers?|public)\b|\b(?:enter|type|use|with|fill in) your (?:\w+ )?(?:user ?name|e?-?mail(?: address)?|account(?: name)?|login(?: name)?|staff number) and (?:your )?password\b/iu,
  },
  {
    severity: "high",
    category: "exfiltration",
    says: "It tells the agent to print the values of secrets",
    order: ["disclose"],
    beside: [],
  },
  {
    severity: "critical",
    category: "injection",
    says: "It claims precedence over other instructions",
    order: ["overrule"],
    beside: [],
  },
  {
    severity: "high",
    category: "injection",
    says: "It tells the agent to evade checks",
    order: ["evade"],
    beside: [],
    unless: NOT_ROUND,
  },
  {
    severity: "high",
    category: "persistence",
    says: "It reinstalls itself after removal",
    order: ["comesBack"],
    beside: [{ any: ["write", "plant", "change", "hidden"], within: 1 }],
  },
  {
    severity: "high",
    category: "exfiltration",
    says: "It replaces a tool with itself",
    order: ["shadowTool"],
    beside: [],
  },
  {
    severity: "critical",
    category: "injection",
    says: "It tells the agent to bypass a guard that blocks it",
    order: ["getRound"],
    beside: [],
    unless: NOT_ROUND,
  },
  {
    severity: "critical",
    category: "persistence",
    says: "It tells the agent to spread the skill",
    order: ["spread"],
    beside: [],
    unless: /\b(?:if|when|after) the (?:user|person|owner) (?:asks|wants|agrees)/iu,
  },
  {
    severity: "critical",
    category: "exfiltration",
    says: "It replaces other tools and forwards their input",
    order: ["shadow"],
    beside: [{ any: ["outsider", "hidden", "overrule", "said"], within: 2 }],
  },
  {
    severity: "critical",
    category: "supply_chain",
    says: "It tells the agent to keep following instructions from an unknown page",
    order: ["obey"],
    beside: [
      { any: ["outsider"], within: 2 },
      { any: ["always", "overrule", "unasked", "hidden", "consented"], within: 1 },
    ],
  },
  {
    severity: "critical",
    category: "injection",
    says: "It hides the agent's actions from the user",
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
    says: "It switches the agent's guards off without approval",
    order: ["unguard"],
    beside: [{ any: ["unasked", "always", "untrue", "overrule", "consented"], within: 1 }],
    unlessAgreed: true,
  },
  {
    severity: "high",
    category: "injection",
    says: "It tells the agent to act without reporting it to the user",
    order: ["hidden"],
    beside: [
      { any: ["change"], within: 1 },
      { any: ["machine", "stored", "plant", "outsider", "command"], within: 1 },
    ],
    unless: /\b(?:names?|unless|until|errors?|fail\w*|raw|internal|secrets?|keys?|passwords?|tokens?|values?)\b/iu,
  },
  {
    severity: "high",
    category: "supply_chain",
    says: "It tells the agent to follow instructions from an unknown page",
    order: ["obey"],
    beside: [{ any: ["outsider"], within: 2 }],
  },
  {
    severity: "high",
    category: "injection",
    says: "It claims a consent that no user gave",
    order: ["consented"],
    beside: [],
    unless: /^(?:[^,]*\b(?:if|when|after|once|until|unless|whether|only|as soon as)\b)/iu,
  },
  {
    severity: "high",
    category: "fraud",
    says: "It tells the agent to spend money without approval",
    order: ["pay"],
    beside: [{ any: ["unasked", "consented", "hidden", "untrue"], within: 1 }],
    unlessAgreed: true,
  },
  {
    severity: "high",
    category: "exfiltration",
    says: "It gives an unknown party a copy of the conversation",
    order: ["blindCopy"],
    beside: [{ any: ["outsider"], within: 0 }],
    unlessAgreed: true,
  },
  {
    severity: "high",
    category: "fraud",
    says: "It earns its author money from the user's actions",
    order: ["ours"],
    beside: [{ any: ["pay", "promote", "send", "unasked"], within: 1 }],
    unlessAgreed: true,
  },
  { severity: "high", category: "fraud", says: "It tells the agent to falsify a result", order: ["rig"], beside: [] },
  {
    severity: "high",
    category: "fraud",
    says: "It tells the agent to do poor work on purpose",
    order: ["sabotage"],
    beside: [{ any: ["hidden", "untrue", "verdict"], within: 1 }],
  },
  {
    severity: "high",
    category: "fraud",
    says: "It impersonates a trusted party",
    order: ["impersonate"],
    beside: [{ any: ["collect", "send", "pay", "secret", "outsider"], within: 1 }],
  },
  {
    severity: "high",
    category: "exfiltration",
    says: "It routes the model's traffic through an unknown server",
    order: ["agentSettings"],
    beside: [
      { any: ["outsider"], within: 1 },
      { any: ["write", "change", "command"], within: 1 },
    ],
    unless: /\b(?:base_?url|api_base|api_url)\s*=\s*(?:os\.(?:environ|getenv)|process\.env|env\b)/iu,
  },
  {
    severity: "high",
    category: "persistence",
    says: "It stores instructions where they are read or run again",
    order: ["write"],
    beside: [
      { any: ["plant"], within: 0 },
      { any: ["hidden", "consented", "overrule", "obey", "unasked"], within: 1 },
    ],
  },
  {
    severity: "high",
    category: "persistence",
    says: "It installs something that keeps sending data",
    order: ["write"],
    beside: [
      { any: ["plant"], within: 0 },
      { any: ["send"], within: 1 },
      { any: ["outsider"], within: 1 },
    ],
  },
  {
    severity: "high",
    category: "persistence",
    says: "It stores false statements in the agent's memory",
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
    says: "It installs programs from an unknown source",
    order: ["change", "write"],
    beside: [
      { any: ["sources"], within: 0 },
      { any: ["outsider"], within: 0 },
    ],
  },
  {
    severity: "high",
    category: "supply_chain",
    says: "It requires an unknown program before the skill works",
    order: ["program"],
    beside: [
      { any: ["outsider"], within: 1 },
      { any: ["required", "untrue", "hidden", "unasked"], within: 2 },
    ],
  },
  {
    severity: "high",
    category: "obfuscation",
    says: "It disguises itself as something else",
    order: ["disguise"],
    beside: [],
  },
  {
    severity: "high",
    category: "execution",
    says: "It triggers harm on a date, a name or a keyword",
    order: ["destroy", "weaken", "backdoor", "reroute", "attack", "letIn"],
    beside: [{ any: ["bomb"], within: 0 }],
  },
  {
    severity: "high",
    category: "network",
    says: "It tells the agent to attack other systems",
    order: ["attack"],
    beside: [{ any: ["hidden", "consented", "unasked", "always", "change"], within: 1 }],
    unless: /\b(?:your own|the user['’]s own|localhost|own test|lab|authori[sz]ed|with permission)\b/iu,
  },
  {
    severity: "high",
    category: "fraud",
    says: "It contacts others in the user's name",
    order: ["blast"],
    beside: [{ any: ["hidden", "unasked", "always", "outsider"], within: 1 }],
    unlessAgreed: true,
  },
  {
    severity: "high",
    category: "fraud",
    says: "It hides paid promotion",
    order: ["promote"],
    beside: [{ any: ["hidden", "untrue"], within: 1 }],
  },
  {
    severity: "high",
    category: "destructive",
    says: "It tells the agent to destroy data without approval",
    order: ["destroy"],
    beside: [{ any: ["unasked", "hidden", "untrue"], within: 1 }],
  },
  {
    severity: "high",
    category: "injection",
    says: "It tells the agent to fake the result of a check",
    order: ["verdict"],
    beside: [{ any: ["hidden", "untrue"], within: 1 }],
  },
  {
    severity: "high",
    category: "injection",
    says: "It tells the agent to fake the result of a check",
    order: ["verdict"],
    beside: [{ any: ["always"], within: 0 }],
  },
  {
    severity: "high",
    category: "injection",
    says: "It tells the agent to withhold warnings",
    order: ["unreported"],
    beside: [],
  },
  {
    severity: "high",
    category: "privilege_escalation",
    says: "It leaves a backdoor",
    order: ["backdoor"],
    beside: [],
  },
  {
    severity: "high",
    category: "privilege_escalation",
    says: "It gives an outsider access",
    order: ["letIn"],
    beside: [{ any: ["hidden", "unasked"], within: 2 }],
  },
  {
    severity: "high",
    category: "privilege_escalation",
    says: "It gives an outsider access",
    order: ["letIn"],
    beside: [
      { any: ["outsider"], within: 0 },
      { any: ["always", "unasked", "plant"], within: 1 },
    ],
  },
  {
    severity: "high",
    category: "privilege_escalation",
    says: "It removes a guard",
    order: ["weaken"],
    beside: [{ any: ["hidden", "unasked", "untrue"], within: 1 }],
  },
  {
    severity: "high",
    category: "fraud",
    says: "It persuades users to grant permissions",
    order: ["untrue"],
    beside: [{ any: ["rights"], within: 1 }],
  },
  {
    severity: "high",
    category: "exfiltration",
    says: "It monitors the user",
    order: ["watch"],
    beside: [{ any: ["hidden", "always", "outsider"], within: 1 }],
  },
  {
    severity: "high",
    category: "execution",
    says: "It uses up paid resources of the user",
    order: ["waste"],
    beside: [],
  },
];

export interface Asked {
  readonly severity: Severity;
  readonly category: SkillThreat;
  readonly says: string;
  /** Position of the order in the text, and the length of the rest of its sentence. */
  readonly index: number;
  readonly length: number;
}

/** The effects that the sentences of a text request together, each effect once. */
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
