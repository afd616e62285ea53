import { posix } from "node:path";
import { HARMS, type HarmId } from "./harms.ts";
import { type Places, type Zone, zonesOf } from "../../paths/path-zones.ts";
import { isSecretFile } from "../../secrets/secret-files.ts";
import type { CommandEffect } from "./effect.ts";
import { mayHoldSecrets, type ReadPlaces } from "./may-hold-secrets.ts";
import { hasGlob, hasMark, isKnown, mayBe, readable, STAR, UNKNOWN } from "../parse/marks.ts";

/** One reason not to run the command as it stands. `path` is the narrowest place a rule could name. */
export interface Finding {
  readonly answer: "ask" | "block";
  readonly harm: HarmId;
  readonly reason: string;
  readonly path?: string;
}

/** The findings for one effect. Pure: compares resolved paths with the table of zones, nothing else. */
export function judgeEffect(effect: CommandEffect, places: ReadPlaces): readonly Finding[] {
  switch (effect.kind) {
    case "execute":
      return [];
    case "network":
      return [];
    case "fork bomb":
      return [finding("fork-bomb", "starts endless processes")];
    case "power":
      return [finding("power", `${readable(effect.action)} stops or restarts the machine`)];
    case "harm":
      return [finding(effect.harm, effect.what, effect.path)];
    case "read":
      return judgeRead(effect, places);
    case "write":
      return judgeWrite(effect.path ?? UNKNOWN, places);
    case "delete":
      return judgeDelete(effect, places);
    case "mode":
    case "owner":
      return judgePermission(effect, places);
    case "device":
      return judgeDevice(effect, places);
    case "signal":
      return judgeSignal(effect);
  }
}

function finding(harm: HarmId, reason: string, path?: string): Finding {
  return { answer: HARMS[harm].answer, harm, reason: readable(reason), path };
}

/** Zones of a path that may begin or end in something unknown. */
function zones(path: string, places: Places): ReadonlySet<Zone> {
  if (path.startsWith("/")) return zonesOf(path, places);
  if (!path.startsWith(UNKNOWN) && !hasMark(path.slice(0, 1))) return new Set();
  if (path.startsWith(`${UNKNOWN}container:`)) return new Set();
  const slash = path.indexOf("/");
  // An unknown directory: names that are secret or run at start count wherever they lie.
  if (slash === -1) return new Set();
  const guess = zonesOf(posix.normalize(places.home + path.slice(slash)), places);
  const saved: readonly Zone[] = [
    "credentials",
    "startup",
    "git-hooks",
    "git-config",
    "project-env",
    "public-key",
    "keys",
  ];
  return new Set(saved.filter((zone) => guess.has(zone)));
}

/** `/etc/s*w`, `config/.e*`: a pattern that matches the password hashes, or the secrets of a project. */
function globsSecret(path: string): boolean {
  const parts = path.split("/");
  const matches = (file: string): boolean => {
    const names = file.split("/");
    return (
      names.length === parts.length &&
      names.every((name, i) => mayBe(parts[i]!, name) && (!name.startsWith(".") || parts[i]!.startsWith(".")))
    );
  };
  return matches("/etc/shadow") || (path.startsWith("/") && matches(`${posix.dirname(path)}/.env`));
}

function judgeRead(effect: CommandEffect & { kind: "read" }, places: ReadPlaces): readonly Finding[] {
  const path = effect.path ?? "";
  if (effect.shown && hasGlob(path) && globsSecret(path))
    return [finding("secret-read", `${readable(path)} matches stored secrets`, path)];
  if (effect.shown && mayHoldSecrets(path, effect.recursive === true, places))
    return [finding("secret-read", `prints ${readable(path)}, which may include stored secrets`)];
  const found = zones(path, places);
  const show = readable(path);
  if (found.has("process-memory"))
    return [finding("secret-read", `reads ${show}, another process's memory or environment`, path)];
  if (found.has("agent-secret")) return [finding("secret-read", `reads the agent's own secrets in ${show}`, path)];
  if ((found.has("credentials") && !found.has("public-key")) || (found.has("keys") && !found.has("public-key")))
    return [finding("secret-read", `reads stored secrets in ${show}`, path)];
  if (effect.shown && found.has("project-env") && posix.basename(path) !== ".envrc")
    return [finding("secret-read", `prints ${show}, which contains secrets`, path)];
  if (effect.shown && path !== "" && !hasGlob(path) && !found.has("public-key") && isSecretFile(path))
    return [finding("secret-read", `prints ${show}, whose name suggests stored secrets`, path)];
  if (found.has("device") || found.has("memory-device"))
    return [finding("disk-copy", `reads the raw device ${show}`, path)];
  if (effect.recursive && hasGlob(path) === false && posix.basename(path) === ".ssh")
    return [finding("secret-read", `reads stored secrets in ${show}`, path)];
  return [];
}

function judgeWrite(path: string, places: Places): readonly Finding[] {
  const found = zones(path, places);
  const show = readable(path);
  if (found.has("sysrq")) return [finding("power", `writes to ${show}, which can stop the machine at once`, path)];
  if (found.has("device")) return [finding("raw-device", `writes to the device ${show}`, path)];
  if (found.has("memory-device"))
    return [finding("raw-device", `writes into the machine's memory through ${show}`, path)];
  if (found.has("stream")) return [];
  if (found.has("credentials") && !found.has("project-env"))
    return [finding("credential-write", `writes to ${show}, which stores keys or passwords`, path)];
  if (found.has("keys"))
    return [finding("credential-write", `writes to ${show}, which controls who can sign in`, path)];
  if (found.has("schedule")) return [finding("schedule", `writes the scheduled job ${show}`, path)];
  if (found.has("unit")) return [finding("unit", `writes the start-up unit ${show}`, path)];
  if (found.has("startup") && !path.endsWith("/.envrc"))
    return [finding("shell-startup", `writes ${show}, which runs when a shell starts`, path)];
  if (found.has("git-hooks")) return [finding("git-hook", `writes ${show}, which git runs`, path)];
  if (found.has("git-config")) return [finding("git-hook", `writes ${show}, which can make git run programs`, path)];
  if (found.has("agent-secret") || found.has("agent-config"))
    return [finding("self-config", `writes ${show}, one of the agent's own files`, path)];
  if (found.has("package-config"))
    return [finding("package-index", `writes ${show}, which sets where packages come from`, path)];
  if (found.has("process-memory"))
    return [finding("kernel-setting", `writes into ${show}, the memory of a process`, path)];
  if (found.has("root")) return [finding("system-config", "writes into the root directory", path)];
  if (found.has("opens-run"))
    return [finding("shell-startup", `writes ${show}, which runs programs when the project is opened`, path)];
  if (found.has("project-package-config"))
    return [finding("package-index", `writes ${show}, which sets where packages come from`, path)];
  if (found.has("kernel")) return [finding("kernel-setting", `writes the kernel setting ${show}`, path)];
  if (found.has("docker-socket")) return [finding("container-host", `writes to ${show}`, path)];
  if (found.has("system-config") || found.has("system"))
    return [finding("system-config", `writes ${show}, which belongs to the system`, path)];
  if (found.has("other-device")) return [finding("disk-copy", `writes to the device ${show}`, path)];
  return [];
}

function judgeDelete(effect: CommandEffect & { kind: "delete" }, places: Places): readonly Finding[] {
  const path = effect.path ?? UNKNOWN;
  const show = readable(path);
  const found = zones(path, places);
  const by = effect.by.startsWith("find")
    ? "find-delete"
    : effect.by.startsWith("rsync")
      ? "mirror-delete"
      : "recursive-delete";
  if (effect.recursive) {
    if (!effect.narrowed && wholePlace(path, places))
      return [finding("root-delete", `deletes everything in ${show}`, path)];
    return [
      finding(
        by,
        `deletes ${show} and all below it (${effect.by})`,
        isKnown(path) && !hasGlob(path) ? path : undefined,
      ),
    ];
  }
  if (found.has("device")) return [finding("disk-copy", `deletes the device node ${show}`, path)];
  if (
    found.has("root") ||
    found.has("system-directory") ||
    (path.startsWith("/") && hasGlob(path) && posix.dirname(path) === "/") ||
    (hasGlob(path) && posix.dirname(path) === places.home && posix.basename(path) === STAR)
  )
    return [finding("root-path-delete", `deletes ${show}`, path)];
  const written = judgeWrite(path, places);
  return written.map((item) => ({ ...item, reason: item.reason.replace(/^writes (to |the )?/, "deletes ") }));
}

/** The root, a system directory or a home, or all names in one of them. */
function wholePlace(path: string, places: Places): boolean {
  if (!path.startsWith("/")) return false;
  const candidates = [path];
  // `/*`, `/etc/*`, `~/.*`, `/{bin,…}`: the last part takes (nearly) every name.
  let rest = path;
  while (takesAll(posix.basename(rest)) && rest !== "/") {
    rest = posix.dirname(rest);
    candidates.push(rest);
  }
  return candidates.some((candidate) => {
    if (!isKnown(candidate)) return false;
    // `/u[s]r`, `/ho*`: one of the names it takes is the system's.
    if (
      hasGlob(candidate) &&
      posix.dirname(candidate) === "/" &&
      TOP_NAMES.some((name) => mayBe(posix.basename(candidate), name))
    )
      return true;
    if (hasGlob(candidate))
      return (
        /^\/(home|Users)\/[^/]+$/.test(candidate) ||
        (posix.dirname(candidate) === "/" && takesAll(posix.basename(candidate)))
      );
    const found = zonesOf(candidate, places);
    return found.has("root") || found.has("system-directory") || found.has("home");
  });
}

const TOP_NAMES = "bin boot dev etc home lib lib64 opt root sbin srv usr var Applications Library System Users".split(
  " ",
);

function takesAll(name: string): boolean {
  if (!hasGlob(name)) return false;
  const plain = [...name].filter((char) => !hasMark(char)).join("");
  return plain === "" || plain === ".";
}

function judgePermission(effect: CommandEffect & { kind: "mode" | "owner" }, places: Places): readonly Finding[] {
  const path = effect.path ?? UNKNOWN;
  const show = readable(path);
  const found = zones(path, places);
  const out: Finding[] = [];
  const wholeRoot = path === "/" || (posix.dirname(path) === "/" && takesAll(posix.basename(path)));
  if (effect.recursive && wholeRoot)
    out.push(finding("root-mode", `changes the ${effect.kind} of everything below the root`, path));
  if (effect.kind === "mode") {
    if (effect.worldWritable)
      out.push(finding("world-writable", `makes ${show} writable by all users (${readable(effect.mode)})`, path));
    if (effect.setId) out.push(finding("set-id", `makes ${show} run as its owner (${effect.mode})`, path));
  } else if (effect.recursive && /^(root|0)(:|$)/.test(effect.owner))
    out.push(finding("chown-root", `changes the owner of ${show} and everything below it to root`, path));
  if (
    out.length === 0 &&
    (found.has("system-config") ||
      found.has("system") ||
      found.has("system-directory") ||
      found.has("device") ||
      found.has("agent-secret") ||
      found.has("docker-socket"))
  )
    out.push(finding("system-mode", `changes the ${effect.kind} of ${show}`, path));
  return out;
}

function judgeDevice(effect: CommandEffect & { kind: "device" }, places: Places): readonly Finding[] {
  const found = zones(effect.path, places);
  const show = readable(effect.path);
  if (effect.action === "read")
    return found.has("device") || found.has("memory-device")
      ? [finding("disk-copy", `copies the raw device ${show}`, effect.path)]
      : [];
  const real = effect.path.startsWith("/dev/")
    ? found.has("device") || found.has("memory-device") || found.has("other-device")
    : /^([a-z]:|format |Format-)/i.test(effect.path) || /^(clear|initialize)-disk/i.test(effect.path);
  if (effect.action === "format")
    return [
      finding(
        real && effect.proven
          ? "format-device"
          : real && effect.path.startsWith("/dev/")
            ? "format-device"
            : "format-file",
        `creates a file system on ${show}`,
        effect.path,
      ),
    ];
  if (found.has("stream")) return [];
  if (!real)
    return effect.path.startsWith("/dev/")
      ? [finding("disk-copy", `writes to ${show}`, effect.path)]
      : [finding("disk-change", `changes ${show}`, effect.path)];
  return [
    finding("raw-device", `${effect.action === "wipe" ? "wipes" : "overwrites"} the device ${show}`, effect.path),
  ];
}

function judgeSignal(effect: CommandEffect & { kind: "signal" }): readonly Finding[] {
  if (effect.everything) return [finding("kill-all", "signals every process")];
  if (effect.force && effect.byName)
    return [finding("force-kill", `force-kills by name or pattern: ${readable(effect.target)}`)];
  return [];
}
