import type { Program } from "../evaluate/call.ts";
import { UNSEEN } from "../risk/effect.ts";
import { parseOptions } from "../parse/options.ts";
import { startState } from "../parse/state.ts";
import { query } from "./clouds.ts";
import { dockerExec } from "./container-run.ts";

export const kubectl: Program = (call) => {
  const globals = parseOptions(call.args, {
    short: "nsf",
    long: [
      "namespace",
      "context",
      "kubeconfig",
      "cluster",
      "server",
      "token",
      "user",
      "as",
      "filename",
      "selector",
      "output",
      "replicas",
    ],
  });
  const verb = globals.operands[0] ?? "";
  const show = `${call.program} ${call.args.join(" ")}`;
  const at = call.args.indexOf(verb);
  if (verb === "cp") {
    for (const word of globals.operands.slice(1, -1))
      if (!/^[\w./-]+:/.test(word)) call.by.read(word, call, { recursive: true, shown: true });
    const target = globals.operands.at(-1) ?? "";
    if (!/^[\w./-]+:/.test(target)) call.by.write(target, call, "copy");
  }
  for (const arg of call.args) {
    const file = /^--from-(?:env-)?file=(?:[\w.-]+=)?(.+)$/.exec(arg)?.[1];
    if (file !== undefined)
      call.by.read(file, call, { shown: verb === "create" && globals.operands[1] !== "configmap" });
  }
  if (verb === "exec") return dockerExec(call.args.slice(at + 1), call, 1);
  if (verb === "run" || verb === "debug") {
    const dashes = call.args.indexOf("--");
    if (/privileged|hostPID|hostPath|hostNetwork/.test(show) || (verb === "debug" && /node\//.test(show)))
      call.by.harm("container-host", show);
    if (dashes >= 0)
      call.by.run(call.args.slice(dashes + 1), call, call.stdin, {
        ...startState("/", "/root", call.state.budget),
        // A node's root directory is at /host.
        mounts: /\bnode\//.test(show) ? [{ inside: "/host", outside: "/" }] : [],
        depth: call.state.depth + 1,
      });
  } else if (/^(none|client|server)$/.test(globals.value("dry-run") ?? "") && globals.value("dry-run") !== "none")
    call.by.add({ kind: "execute", program: call.program, words: [call.program, verb, "--dry-run"] });
  else if (
    /^(delete|drain|taint|cordon)$/.test(verb) ||
    (verb === "patch" && /"?finalizers"?:\s*(null|\[\s*\])/.test(show))
  )
    call.by.harm("infrastructure", show);
  else if (verb === "auth" && globals.operands[1] === "reconcile") call.by.harm("privilege-config", show);
  else if (verb === "proxy" && /--(address=(0\.0\.0\.0|::)|accept-hosts=\S*\*|disable-filter)/.test(show))
    call.by.harm("container-host", show);
  else if (verb === "scale" && globals.value("replicas") === "0") call.by.harm("infrastructure", show);
  else if (verb === "replace" && globals.has("force")) call.by.harm("infrastructure", show);
  else if (verb === "patch" && /"?replicas"?:\s*0\b/.test(show)) call.by.harm("infrastructure", show);
  else if (verb === "rollout" && globals.operands[1] === "undo") call.by.harm("infrastructure", show);
  else if (verb === "rollout" && globals.operands[1] === "restart") call.by.harm("service-stop", show);
  else if (
    (verb === "apply" || verb === "create") &&
    (globals.has("prune") || globals.values("f", "filename").some((file) => /^https?:/.test(file)))
  )
    call.by.harm(globals.has("prune") ? "infrastructure" : "remote-run", show);
  else if (/^(apply|create|replace)$/.test(verb) && call.stdin.remote && globals.values("f", "filename").includes("-"))
    call.by.harm("remote-run", show);
  else if (
    (verb === "get" || verb === "describe") &&
    globals.operands.slice(1).some((word) => /^(secrets?|all|\w+,secrets?)(\/|$)/.test(word)) &&
    globals.has("o", "output") &&
    !/^(name|wide)$/.test(valueOf(call.args))
  )
    call.by.harm("secret-read", show);
  else if (verb === "config" && globals.operands[1] === "view" && globals.has("raw")) call.by.harm("secret-read", show);
  else if (
    verb === "create" &&
    /^(cluster)?rolebinding$/.test(globals.operands[1] ?? "") &&
    /cluster-admin|admin/.test(show)
  )
    call.by.harm("privilege-config", show);
  else if (verb === "create" && globals.operands[1] === "token") call.by.harm("secret-read", show);
  else if (/^(get|describe|logs|top|version|explain|api-resources|api-versions|cluster-info|events|diff)$/.test(verb))
    return query(call);
  call.by.add({ kind: "execute", program: call.program, words: [call.program, ...call.args.slice(0, 7)] });
  return UNSEEN;
};

function valueOf(args: readonly string[]): string {
  const at = args.findIndex((arg) => arg.startsWith("-o") || arg.startsWith("--output"));
  const arg = args[at] ?? "";
  return arg === "-o" || arg === "--output" ? (args[at + 1] ?? "") : arg.replace(/^(-o|--output)=?/, "");
}
