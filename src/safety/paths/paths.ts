import { posix } from "node:path";
import { HARMS } from "../commands/risk/harms.ts";
import { pathReadings } from "./path-readings.ts";
import { isProjectEnv, type Places, within, type Zone, zonesOf } from "./path-zones.ts";

export interface PathQuestion extends Places {
  /** Absolute, every link resolved by the caller. */
  readonly path: string;
  /** The absolute path as it was asked for, links and all. */
  readonly literal: string;
  readonly access: "read" | "write" | "create" | "delete";
  /** Where writing is allowed at all; empty or absent: anywhere the guards allow. */
  readonly writeRoots?: readonly string[];
  /**
   * Where reading and writing is allowed at all, as for a workspace that may not be left; absent: anywhere the guards
   * allow.
   */
  readonly roots?: readonly string[];
}

export interface PathJudgement {
  readonly answer: "allow" | "ask" | "deny";
  /** The class, stable; `""` when allowed. */
  readonly key: string;
  /** A sentence for the model and the user. */
  readonly reason: string;
}

const ALLOWED: PathJudgement = { answer: "allow", key: "", reason: "" };
const deny = (key: string, reason: string): PathJudgement => ({ answer: "deny", key, reason });

/**
 * May a file tool touch this path? The name that was asked for, what it resolves to and every other way to read them
 * are judged; the strictest answer holds. Protected names are refused whether they exist or not. Pure: the caller
 * resolves links.
 */
export function judgePath(question: PathQuestion): PathJudgement {
  if (CONTROL.test(question.literal))
    return deny("control characters", `${JSON.stringify(question.literal)} contains control characters.`);
  let strictest = ALLOWED;
  for (const path of new Set(
    [question.path, question.literal].flatMap((path) => pathReadings(path, question.home, question.roots)),
  )) {
    const answer =
      judgeRoots(path, question) ??
      (question.access === "read" ? judgeRead(path, question) : judgeChange(path, question));
    if (answer.answer === "deny") return answer;
    // A name that only looks like one that a program starts by is started by none.
    if (
      answer.answer === "ask" &&
      (path === question.path || path === question.literal || answer.key !== HARMS["shell-startup"].description)
    )
      strictest = answer;
  }
  return strictest;
}

/** Line ends and tabs are rare in names and real; the others are there to fool a terminal. */
const CONTROL = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]/;

function judgeRoots(path: string, question: PathQuestion): PathJudgement | undefined {
  if (question.roots === undefined || question.roots.some((root) => within(path, root) !== undefined)) return undefined;
  return deny("outside the workspace", `${path} is outside ${question.roots[0]}.`);
}

function judgeRead(path: string, question: PathQuestion): PathJudgement {
  const zones = zonesOf(path, question);
  if (zones.has("endless")) return deny("device", `${path} is an endless device; reading it would never finish.`);
  if (zones.has("device") || zones.has("other-device") || zones.has("memory-device"))
    return deny("device", `${path} is a device, not a file.`);
  if (zones.has("docker-socket")) return deny("system", `${path} controls the container engine.`);
  if (zones.has("process-memory"))
    return deny("process memory", `${path} shows a process's environment or memory, which may contain secrets.`);
  if (zones.has("agent-secret") && !isSessionData(path, question))
    return deny("agent secrets", `${path} contains the agent's own secrets or records; tools may not read it.`);
  if (isProjectEnv(posix.basename(path)))
    return deny(
      "project secrets",
      `${path} contains secrets. Read the project's .env.example, or ask the user for the value you need.`,
    );
  if (zones.has("credentials") && !zones.has("public-key"))
    return deny("credentials", `${path} stores keys or passwords; tools may not read it.`);
  return ALLOWED;
}

/** Tools for transcripts own those files; the file tools only keep out of the secrets. */
function isSessionData(path: string, question: PathQuestion): boolean {
  return within(path, posix.join(question.agentHome ?? posix.join(question.home, ".hermes"), "sessions")) !== undefined;
}

const REFUSED: readonly (readonly [zone: Zone, key: string, what: string])[] = [
  ["device", "device", "is a device"],
  ["other-device", "device", "is a device"],
  ["memory-device", "device", "is a device"],
  ["endless", "device", "is a device"],
  ["sysrq", "system", "controls the running kernel"],
  ["kernel", "system", "is a kernel setting"],
  ["process-memory", "system", "belongs to a process"],
  ["docker-socket", "system", "controls the container engine"],
  ["credentials", "credentials", "stores keys or passwords"],
  ["keys", "credentials", "controls who can sign in"],
  ["unit", "system", "is started automatically by the system"],
  ["schedule", "system", "is run automatically by the system"],
  ["startup", "start-up file", "runs whenever a shell or a program starts"],
  ["git-hooks", "git", "is run by git"],
  ["git-config", "git", "can make git run programs"],
  ["package-config", "package index", "sets where packages come from"],
  ["agent-secret", "agent", "is one of the agent's own files"],
  ["system-config", "system", "is system configuration"],
  ["system", "system", "belongs to the system"],
];

function judgeChange(path: string, question: PathQuestion): PathJudgement {
  const zones = zonesOf(path, question);
  const verb = question.access === "delete" ? "deleted" : question.access === "create" ? "created" : "written";
  const project = posix.basename(path) === ".envrc" && !isHomeFile(path, question);
  for (const [zone, key, what] of REFUSED) {
    if (zones.has(zone) && !(zone === "startup" && project) && !(zone === "keys" && !zones.has("keys")))
      return deny(key, `${path} ${what}, so it may not be ${verb} by tools. The user can do it.`);
  }
  if (isAgentConfig(path, question))
    return deny(
      "agent",
      `${path} is the agent's own configuration and may not be ${verb} by tools. Use "hermes config set", or ask the user.`,
    );
  if (zones.has("root") || zones.has("system-directory") || zones.has("home"))
    return deny(
      "system",
      `${path} is a whole ${zones.has("home") ? "home directory" : "system directory"}, not a file.`,
    );
  const roots = (question.writeRoots ?? []).filter((root) => root !== "");
  if (
    roots.length > 0 &&
    !roots.some((root) => within(path, root.length > 1 ? root.replace(/\/+$/, "") : root) !== undefined)
  )
    return deny("write root", `${path} is outside the directories where writing is allowed: ${roots.join(", ")}.`);
  if (zones.has("project-package-config"))
    return {
      answer: "ask",
      key: HARMS["package-index"].description,
      reason: `${path} sets where packages come from.`,
    };
  if (zones.has("opens-run"))
    return {
      answer: "ask",
      key: HARMS["shell-startup"].description,
      reason: `${path} runs programs when the project is opened.`,
    };
  if (isProjectEnv(posix.basename(path)))
    return { answer: "ask", key: HARMS["credential-write"].description, reason: `${path} contains secrets.` };
  if (zones.has("agent-config"))
    return {
      answer: "ask",
      key: "change of the agent's own files",
      reason: `${path} belongs to the agent's home.`,
    };
  return ALLOWED;
}

function isHomeFile(path: string, question: PathQuestion): boolean {
  return posix.dirname(path) === question.home.replace(/(.)\/+$/, "$1");
}

function isAgentConfig(path: string, question: PathQuestion): boolean {
  const home = question.agentHome ?? posix.join(question.home, ".hermes");
  return [home, posix.join(question.home, ".hermes")].some((root) =>
    /^(profiles\/[^/]+\/)?config\.ya?ml$/i.test(within(path, root) ?? ""),
  );
}
