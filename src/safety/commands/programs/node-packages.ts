import type { Call, Program } from "../evaluate/call.ts";
import { UNSEEN } from "../risk/effect.ts";
import { UNKNOWN } from "../parse/marks.ts";
import { parseOptions } from "../parse/options.ts";
import { putPackages } from "./put-packages.ts";

export const npm: Program = (call) => {
  const options = parseOptions(call.args, {
    short: "cCpw",
    long: [
      "call",
      "registry",
      "prefix",
      "script-shell",
      "package",
      "userconfig",
      "globalconfig",
      "node-options",
      "workspace",
      "filter",
      "tag",
      "loglevel",
      "dir",
      "cwd",
      "git",
      "cache",
    ],
  });
  // `yarn workspace web exec …`, `yarn workspaces foreach -A exec …`: the same verbs behind them.
  const inWorkspace =
    options.operands[0] === "workspace" ||
    (options.operands[0] === "workspaces" && /^(foreach|run)$/.test(options.operands[1] ?? ""));
  const [verb = "", second = ""] = inWorkspace ? options.operands.slice(2) : options.operands;
  const show = `${call.program} ${call.args.join(" ")}`;
  ownScripts(verb, second, call);
  if (!options.has("g", "global")) putPackages(verb, options.value("prefix", "dir", "cwd", "C"), call);
  if (options.values("registry").length > 0) call.by.harm("package-index", show);
  if (
    options.has("script-shell") ||
    (options.has("git") && options.value("git") !== undefined) ||
    options.has("node-options")
  )
    call.by.harm("option-runs", show);
  if (/^(config|c|set)$/.test(verb)) {
    const words = verb === "set" ? options.operands.slice(1) : options.operands.slice(2);
    if (
      (verb === "set" || second === "set") &&
      /registry|script-shell|^git|cafile|strict-ssl|authtoken|proxy|prefix|globalconfig|userconfig|node-options|npmRegistryServer|yarn-?path|plugins|init-module|editor|shell|viewer/i.test(
        words.join(" "),
      )
    )
      call.by.harm("package-index", show);
    // `script-shell=…` or `script-shell …`: a program that later calls run.
    const command = /^(?:script-shell|shell|editor|viewer|browser|git)[= ](.+)$/s.exec(words.join(" "))?.[1];
    if (command !== undefined && (verb === "set" || second === "set")) call.by.script(command, call);
    if (second === "get" && /token|password|_auth/i.test(words.join(" "))) call.by.harm("secret-read", show);
  }
  // Scripts that a later `npm install` or `npm test` runs.
  const scripts =
    verb === "set-script"
      ? options.operands.slice(2)
      : verb === "pkg" && second === "set"
        ? options.operands.slice(2).flatMap((word) => /^scripts\.[^=]+=(.*)$/s.exec(word)?.[1] ?? [])
        : [];
  for (const text of scripts) call.by.script(text, call, { stdin: UNSEEN });
  if (
    verb === "unpublish" ||
    (verb === "token" && /^(revoke|create)$/.test(second)) ||
    (verb === "dist-tag" && /^(rm|remove)$/.test(second))
  )
    call.by.harm("infrastructure", show);
  // Changes who may publish or read the package.
  if (
    (/^(owner|team)$/.test(verb) && /^(add|rm|remove|destroy)$/.test(second)) ||
    (verb === "access" && /^(public|restricted|grant|revoke|set)$/.test(second))
  )
    call.by.harm("privilege-config", show);
  if (verb === "token" && second === "list") call.by.harm("secret-read", show);
  if (
    /^(install|i|add|in|isntall|exec|x|dlx|create|init)$/.test(verb) &&
    options.operands
      .slice(1)
      .some((word) => /^(https?:|git\+|git:|git@|ssh:|github:|gist:|gitlab:|bitbucket:)/.test(word))
  )
    call.by.harm("remote-run", show);
  if (options.values("package").some((word) => /^(?:https?:|git[+:@]|github:)/.test(word)))
    call.by.harm("remote-run", show);
  // Hadoop has a program with the same name.
  if (/^(app|application|container)$/.test(verb) && call.args.includes("-kill")) call.by.harm("service-stop", show);
  const code = options.value("c", "call");
  if (code !== undefined && /^(exec|x)$/.test(verb)) call.by.script(code, call);
  if (verb === "exec" && call.program === "yarn" && options.operands.length > 1)
    call.by.script(
      call.args
        .slice(call.args.indexOf("exec") + 1)
        .filter((arg) => arg !== "--")
        .join(" "),
      call,
    );
  else if (/^(exec|x|dlx)$/.test(verb)) {
    const at = call.args.indexOf(verb);
    const inner = parseOptions(call.args.slice(at + 1), {
      short: "pc",
      long: ["package", "call", "workspace"],
      stop: true,
    });
    if (inner.operands.length > 0 && code === undefined) call.by.run(inner.operands, call);
  }
  if (/^(rimraf|del-cli|shx|run-s|cross-env|concurrently|nodemon)$/.test(verb))
    call.by.run(call.args.slice(call.args.indexOf(verb)), call);
  if (verb === "explore") {
    const dashes = call.args.indexOf("--");
    if (dashes >= 0) call.by.run(call.args.slice(dashes + 1), call);
  }
  call.by.add({ kind: "execute", program: call.program, words: [call.program, ...call.args.slice(0, 7)] });
  return verb === "bin" || verb === "root" || verb === "prefix" ? { text: UNKNOWN, from: "text" } : UNSEEN;
};

export const npx: Program = (call) => {
  const options = parseOptions(call.args, {
    short: "pc",
    long: ["package", "call", "registry", "shell", "node-arg"],
    stop: true,
  });
  if (options.values("registry").length > 0) call.by.harm("package-index", `npx ${call.args.join(" ")}`);
  for (const text of options.values("c", "call")) call.by.script(text, call);
  for (const name of [...options.values("p", "package"), ...options.operands.slice(0, 1)])
    if (/^(https?:|git\+|git@|github:|gist:)/.test(name)) call.by.harm("remote-run", `npx runs ${name}`);
  if (options.operands.length > 0) {
    const [name = "", ...rest] = options.operands;
    call.by.run([name.replace(/(.)@[\w.^~-]+$/, "$1"), ...rest], call);
  }
  call.by.add({ kind: "execute", program: call.program, words: [call.program, ...call.args.slice(0, 7)] });
  return UNSEEN;
};

/** Judges the scripts of a `package.json` that this script wrote. */
function ownScripts(verb: string, second: string, call: Call): void {
  const text = call.by.written("package.json", call)?.text;
  if (text === undefined) return;
  const named = /^(run|run-script|rum)$/.test(verb)
    ? second
    : /^(install|i|ci|add|in)$/.test(verb) || verb === ""
      ? "(pre|post)?install|prepare"
      : verb;
  if (!/^[\w:.()|?-]+$/.test(named)) return;
  for (const [, code] of text.matchAll(new RegExp(`"(?:pre|post)?(?:${named})"\\s*:\\s*"((?:[^"\\\\]|\\\\.)*)"`, "g")))
    call.by.script(code!.replace(/\\(.)/g, "$1"), call, { stdin: UNSEEN });
}
