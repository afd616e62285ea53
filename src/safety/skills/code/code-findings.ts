import { type CommandEffect, type CommandJudgement, judgeCommand } from "../../commands/command.ts";
import { HARMS, type HarmId } from "../../commands/risk/harms.ts";
import { zonesOf } from "../../paths/path-zones.ts";
import { codePieces, configTexts, type CodeLanguage, type CodePiece } from "./code-pieces.ts";
import { HARM_WEIGHTS, KNOWN_INSTALLERS } from "../harm-weights.ts";
import { keysOnWrongWay } from "../provider-keys.ts";
import type { Severity, SkillFinding, SkillThreat } from "../skill-finding.ts";
import { codeRoutes, sendsToUnknownHost, unknownHostsOf } from "./code-routes.ts";
import { CODE_SIGNS } from "./code-signs.ts";
import { codeTraps } from "./code-traps.ts";

/** No skill is installed here: `~` and the skill's own folder are judged like any other. */
const WHERE = { cwd: "/workspace", home: "/home/user" } as const;
/** A folder that holds more code than this is no text for a model, and the rest is named as not judged. */
const MAX_PIECES = 300;

/** How a finding begins that tells what a command is. */
export const COMMAND = "One of its commands is";

/**
 * The findings in the code of one file: commands by the judgement of commands, and signs that are suspicious only in a
 * skill.
 */
export async function findInCode(path: string, text: string): Promise<readonly SkillFinding[]> {
  const pieces = codePieces(path, text);
  const found: SkillFinding[] = [];
  for (const piece of pieces.slice(0, MAX_PIECES)) found.push(...(await findInPiece(piece)));
  for (const config of configTexts(path, text))
    for (const trap of codeTraps(config.text)) found.push({ ...trap, file: path, line: config.line });
  if (pieces.length > MAX_PIECES)
    found.push({
      severity: "high",
      category: "structural",
      file: path,
      line: 0,
      reason: `It contains ${pieces.length} pieces of code; Hermes checked ${MAX_PIECES}.`,
    });
  return found;
}

async function findInPiece(piece: CodePiece): Promise<readonly SkillFinding[]> {
  const { file, line } = piece;
  const judgement = await judgeCommand(asCommand(piece.language, withoutPlaceholders(piece.text)), WHERE);
  const at = (severity: Severity, category: SkillThreat, reason: string): SkillFinding => ({
    severity,
    category,
    file,
    line,
    reason,
  });
  const found = harmsOf(judgement).map((harm) =>
    at(...weigh(harm, piece, judgement), `${COMMAND} a ${HARMS[harm].description}: ${reasonOf(judgement)}`),
  );
  for (const sign of CODE_SIGNS) {
    const match = sign.pattern.exec(piece.text);
    if (match !== null)
      found.push(
        at(
          onlyKnownInstallers(lineOf(piece.text, match.index)) ? "low" : sign.severity,
          sign.category,
          `${sign.says}: ${shorten(match[0])}`,
        ),
      );
  }
  for (const { severity, category, reason } of [...codeRoutes(piece.text), ...codeTraps(piece.text)])
    found.push(at(severity, category, reason));
  for (const { name, host } of keysOnWrongWay(piece.text))
    found.push(at("critical", "exfiltration", `It sends ${name} to ${host}, which is not the service of that key.`));
  if (piece.warned)
    return found.flatMap((one) =>
      one.severity === "critical" || one.severity === "high" ? [{ ...one, severity: "low" as const }] : [],
    );
  return piece.guessed ? found.filter(({ severity }) => severity === "critical" || severity === "high") : found;
}

const FETCHES_AND_RUNS = /(?:\b|\\[nt])(?:curl|wget)\b[^\n|]*\|\s*(?:sudo\s+)?(?:ba|z|da|k)?sh\b|\/dev\/tcp\//;

/** The class's weight, held against what the piece really names. */
function weigh(
  harm: HarmId,
  { text, language, guessed }: CodePiece,
  { effects }: CommandJudgement,
): readonly [Severity, SkillThreat] {
  const [severity, category] = HARM_WEIGHTS[harm] ?? (["low", "execution"] as const);
  switch (harm) {
    case "remote-shell":
      return [onlyKnownInstallers(text) ? "low" : severity, category];
    case "secret-read":
      if (!effects.some(readsSecret)) return [sendsToUnknownHost(text) ? "critical" : severity, category];
      return [effects.some(leavesMachine) ? "critical" : "high", category];
    case "secret-send":
      // Code that sends a key to the service that issued it is usual.
      return [
        !effects.some(readsSecret) &&
        !/\b(?:nc|ncat|scp|base64|xxd)\b/.test(text) &&
        unknownHostsOf(text).length === 0 &&
        keysOnWrongWay(text).length === 0 &&
        /https?:\/\//.test(text)
          ? "low"
          : severity,
        category,
      ];
    case "recursive-delete":
    case "find-delete":
    case "find-rm":
    case "xargs-rm":
      return [
        effects.some((effect) => effect.kind === "delete" && holdsPersonal(effect.path)) ? "high" : severity,
        category,
      ];
    case "credential-write":
      return [
        effects.some(
          (effect) =>
            effect.kind === "write" && effect.path?.startsWith(WHERE.home) === true && isSecretPlace(effect.path),
        )
          ? "high"
          : severity,
        category,
      ];
    case "package-index":
      return [
        (/\b(?:install|add|npx|uvx|exec)\b/.test(text) && namesUnknownHost(text)) || setsIndex(text)
          ? "high"
          : severity,
        category,
      ];
    case "privilege-config":
      // To look at rights and to take them away is a runbook's work.
      return [/\b(?:npm|yarn)\s+(?:owner\s+(?:rm|ls)|access\s)/.test(text) ? "low" : severity, category];
    case "remote-run":
      return [
        /\bhttp:\/\/(?!localhost|127\.)/.test(text) &&
        / which came from the network/.test(effects.map((effect) => (effect.kind === "harm" ? effect.what : "")).join())
          ? "high"
          : severity,
        category,
      ];
    case "system-config":
      return [
        effects.some(
          (effect) =>
            effect.kind === "write" &&
            /^\/etc\/(passwd|group|hosts$|resolv\.conf|sudoers|ld\.so\.preload|pam\.d\/|ssh\/sshd)/.test(
              effect.path ?? "",
            ),
        )
          ? "high"
          : severity,
        category,
      ];
    case "schedule":
      return [/\b(?:curl|wget|base64|nc|eval)\b|\/dev\/tcp/.test(text) ? "critical" : severity, category];
    case "git-hook":
    case "shell-startup":
    case "unit":
      // The installed code downloads something and runs it.
      return [FETCHES_AND_RUNS.test(text) && !onlyKnownInstallers(text) ? "critical" : severity, category];
    case "fork-bomb":
      return [language === "shell" ? severity : "medium", category];
    case "deceptive":
      // Between two pieces of code stands prose, in any script.
      return [guessed ? "low" : severity, category];
    default:
      return [severity, category];
  }
}

/** Sets the source of all later packages to an unknown server. */
function setsIndex(text: string): boolean {
  return text
    .split("\n")
    .some(
      (line) =>
        /\b(?:registry|index[-_.]url|index|trusted-host|goproxy|mirrors?)\b/i.test(line) && namesUnknownHost(line),
    );
}

const namesUnknownHost = (text: string): boolean =>
  (text.match(PIPED_ADDRESS) ?? []).some((address) => !KNOWN_INDEXES.test(address));

const KNOWN_INDEXES =
  /^https:\/\/(?:[\w-]+\.)*(?:(?:npmjs|yarnpkg|jsr|npmmirror|pypi|pythonhosted|pytorch|nvidia|github|gitlab|amazonaws|azure|jfrog|cloudsmith|crates|rubygems|golang|goproxy|aliyun|tencent|example)\.(?:org|com|io|cn)|pkg\.dev|edu\.cn|(?:your|my|internal)[\w-]*\.\w+)(?:[/:]|$)/i;

/** A whole home, and the folders in it that hold what people made. */
function holdsPersonal(path: string | undefined): boolean {
  return (
    path !== undefined &&
    /^\/home\/user(?:\/(?:Documents|Desktop|Pictures|Music|Videos|Movies|Photos|Projects|projects|src|code|work|notes|Library|Mail)?)?(?:\/?\*?)?$/.test(
      path,
    )
  );
}

function readsSecret(effect: CommandEffect): boolean {
  return effect.kind === "read" && effect.path !== undefined && isSecretPlace(effect.path);
}

function isSecretPlace(path: string): boolean {
  const zones = zonesOf(path.replace("/workspace/~/", `${WHERE.home}/`), WHERE);
  return (zones.has("credentials") && !zones.has("public-key")) || zones.has("agent-secret");
}

function leavesMachine(effect: CommandEffect): boolean {
  return effect.kind === "network" && !/^https?:\/\/(localhost|127\.|\[::1\])/.test(effect.url);
}

const BY_DESCRIPTION = new Map(Object.entries(HARMS).map(([id, harm]) => [harm.description as string, id as HarmId]));

function harmsOf({ key }: CommandJudgement): readonly HarmId[] {
  return key === "" ? [] : key.split(" + ").flatMap((description) => BY_DESCRIPTION.get(description) ?? []);
}

function reasonOf({ reasons }: CommandJudgement): string {
  return shorten(reasons[0] ?? "");
}

/** Code of another language is judged as the text that its interpreter is fed. */
function asCommand(language: CodeLanguage, text: string): string {
  const fed = (program: string): string =>
    `${program} - <<'END_OF_SKILL_CODE'\n${text.replaceAll("END_OF_SKILL_CODE", "")}\nEND_OF_SKILL_CODE`;
  switch (language) {
    case "shell":
      return text;
    case "python":
      return fed("python3");
    case "javascript":
      return fed("node");
    case "perl":
    case "ruby":
    case "php":
      return fed(language);
    case "powershell":
      // Judged by its signs; only the words of a shell are judged as commands.
      return /^\s*(powershell|pwsh|curl|rm)\b/.test(text) ? text : ":";
  }
}

/** `<your-file>` is a word to fill in, no redirection. */
function withoutPlaceholders(text: string): string {
  return text.replace(/<[A-Za-z][\w .,:/-]{0,60}>/g, "PLACEHOLDER").replace(/\{\{[\w .-]{1,60}\}\}/g, "PLACEHOLDER");
}

const PIPED_ADDRESS = /https?:\/\/[^\s"'`|)>]+/g;

function onlyKnownInstallers(text: string): boolean {
  const addresses = text.match(PIPED_ADDRESS) ?? [];
  return (
    addresses.length > 0 &&
    addresses.every((address) =>
      KNOWN_INSTALLERS.some((known) => address.replace(/^https:\/\/(www\.)?/, "").startsWith(known)),
    )
  );
}

function lineOf(text: string, index: number): string {
  const end = text.indexOf("\n", index);
  return text.slice(text.lastIndexOf("\n", index) + 1, end === -1 ? text.length : end);
}

function shorten(text: string): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  return line.length > 160 ? `${line.slice(0, 159)}…` : line;
}
