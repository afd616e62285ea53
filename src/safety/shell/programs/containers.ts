import type { Call, Program } from "../call.ts";
import { type Flow, INHERITED, UNSEEN } from "../effect.ts";
import { hasMark } from "../marks.ts";
import { parseOptions } from "../options.ts";
import { startState } from "../state.ts";
import { cloud, query } from "./clouds.ts";
import { afterDoubleDash } from "./launchers.ts";

const RUN_VALUES = [
  "volume",
  "mount",
  "env",
  "name",
  "workdir",
  "user",
  "publish",
  "network",
  "net",
  "entrypoint",
  "env-file",
  "hostname",
  "label",
  "cap-add",
  "cap-drop",
  "device",
  "security-opt",
  "pid",
  "ipc",
  "uts",
  "userns",
  "cgroupns",
  "memory",
  "cpus",
  "shm-size",
  "tmpfs",
  "add-host",
  "platform",
  "restart",
  "gpus",
  "ulimit",
  "volumes-from",
  "log-driver",
  "log-opt",
  "link",
  "dns",
  "expose",
  "pull",
  "runtime",
  "cgroup-parent",
  "group-add",
  "init-path",
  "stop-signal",
  "health-cmd",
  "annotation",
  "sysctl",
  "cidfile",
  "ip",
  "mac-address",
  "project-directory",
  "file",
  "profile",
  "project-name",
];

const docker: Program = (call) => {
  const globals = parseOptions(call.args, { short: "HcDl", long: ["host", "context", "config", "log-level"], stop: true });
  const words = globals.operands;
  const [verb = "", second = ""] = words;
  const show = `${call.program} ${words.join(" ")}`;
  if (verb === "compose") return compose({ ...call, args: words.slice(1) });
  if (verb === "unshare") return words.length > 1 ? call.by.run(words.slice(words[1]!.startsWith("-") ? 2 : 1), call) : UNSEEN;
  const rest = [
    "container",
    "image",
    "volume",
    "network",
    "system",
    "builder",
    "service",
    "stack",
    "swarm",
    "node",
    "secret",
    "config",
    "buildx",
    "pod",
    "machine",
    "plugin",
    "context",
    "manifest",
    "checkpoint",
  ].includes(verb)
    ? words.slice(2)
    : words.slice(1);
  const action = rest.length < words.length - 1 || (words.length === 2 && rest.length === 0 && verb !== "run") ? `${verb} ${second}` : verb;
  const run = /^(container )?(run|create)$/.exec(action);
  if (run) return dockerRun(rest, call);
  if (/^(container )?exec$/.test(action)) return dockerExec(rest, call, 1);
  if (
    /^(container )?(stop|restart|kill|pause)( |$)/.test(action) ||
    /^(container )?(stop|restart|kill|pause)$/.test(
      action
        .split(" ")
        .slice(0, verb === "container" ? 2 : 1)
        .join(" "),
    )
  )
    call.by.harm("container-stop", show);
  else if (/^(container )?rm\b/.test(action) && parseOptions(rest).has("f", "force", "v", "volumes")) call.by.harm("container-data", show);
  else if (
    /^(volume (rm|prune|remove)|system prune|container prune|image prune|network prune|builder prune|buildx prune|plugin (rm|disable)|swarm leave|service rm|stack (rm|down|remove)|secret rm|node rm|machine rm|pod rm|system reset)/.test(
      action,
    )
  )
    call.by.harm("container-data", show);
  else if (/^(container )?(cp)\b/.test(action)) {
    const [from = "", to = ""] = parseOptions(rest).operands;
    if (/:(\/var)?\/run\/secrets(\/|$)/.test(from)) call.by.harm("secret-read", show);
    if (!from.includes(":")) call.by.read(from, call, { recursive: true, shown: false });
    if (!to.includes(":") && to !== "-") call.by.write(to, call, "copy");
  } else if (/^(login)\b/.test(action) && parseOptions(rest, { short: "up", long: ["username", "password"] }).has("p", "password"))
    call.by.add({ kind: "execute", program: call.program, words: [call.program, "login"] });
  if (/^(container )?inspect\b/.test(action) && /Config\.Env|json \.Config/.test(rest.join(" "))) call.by.harm("environment-read", show);
  if (/^rmi?\b|^image rm\b/.test(action) && verb !== "rm" && ((parseOptions(rest).has("f", "force") && rest.some(hasMark)) || parseOptions(rest).has("a", "all")))
    call.by.harm("container-data", show);
  if (/^(build|buildx build)\b/.test(action))
    for (const output of parseOptions(rest, { short: "ftcmo", long: ["output", "file", "tag", "build-arg"] }).values("o", "output")) {
      const place = /(?:^|,)dest=([^,]+)/.exec(output)?.[1] ?? (/[=,]/.test(output) ? undefined : output);
      if (place !== undefined && place !== "-") call.by.write(place, call);
    }
  if (
    /^(ps|images|logs|inspect|version|info|stats|top|port|diff|history|search|events|image ls|image list|container ls|container list|volume ls|network ls|system df|image inspect|container logs|context ls|container inspect)\b/.test(
      action,
    )
  )
    return query(call);
  call.by.add({ kind: "execute", program: call.program, words: [call.program, ...words.slice(0, 7)] });
  return UNSEEN;
};

function dockerRun(args: readonly string[], call: Call): Flow {
  const flags = parseOptions(args, { short: "vewuphmlac", long: RUN_VALUES, stop: true });
  const show = `${call.program} run ${args.join(" ")}`;
  const mounts: { inside: string; outside: string }[] = [];
  for (const volume of [...flags.values("v", "volume"), ...flags.values("mount").map(mountText)]) {
    const [outside = "", inside = ""] = volume.split(":");
    if (!/^[/.~\uE000-\uE01F]/.test(outside) || inside === "") continue;
    for (const path of call.by.paths(outside, call.state)) {
      mounts.push({ inside: inside.replace(/(.)\/+$/, "$1"), outside: path });
      if (hostPlace(path, call)) call.by.harm("container-host", `${show.slice(0, 200)}: the container sees ${path}`);
    }
  }
  const risky =
    ["privileged"].some((name) => flags.has(name)) ||
    flags.values("pid", "ipc", "uts", "userns", "cgroupns").includes("host") ||
    flags.values("cap-add").some((cap) => /^(CAP_)?(ALL|SYS_ADMIN|SYS_PTRACE|SYS_MODULE|DAC_READ_SEARCH|SYS_RAWIO|NET_ADMIN|BPF)$/i.test(cap)) ||
    flags.values("security-opt").some((option) => /unconfined|disable/.test(option)) ||
    flags.values("device").some((name) => !/^\/dev\/(dri|snd|kvm|video|nvidia|fuse|net\/tun|tty)/.test(name));
  if (risky) call.by.harm("container-host", show);
  const entrypoint = flags.value("entrypoint");
  const [, ...words] = flags.operands;
  const argv = entrypoint === undefined ? words : [entrypoint, ...words];
  if (argv.length === 0) call.by.add({ kind: "execute", program: call.program, words: [call.program, "run", flags.operands[0] ?? ""] });
  else {
    const state = startState(flags.value("w", "workdir") ?? "/", "/root", call.state.budget);
    // With the host's own processes or rights in it, the container is no wall.
    call.by.run(argv, call, call.stdin, { ...state, depth: call.state.depth + 1, ...(risky ? {} : { mounts }) });
    call.by.add({ kind: "execute", program: call.program, words: [call.program, "run", flags.operands[0] ?? ""] });
  }
  return UNSEEN;
}

function mountText(text: string): string {
  const fields = new Map(text.split(",").map((field) => field.split("=") as [string, string]));
  return fields.get("type") === "volume" || fields.get("type") === "tmpfs"
    ? ""
    : `${fields.get("source") ?? fields.get("src") ?? ""}:${fields.get("target") ?? fields.get("dst") ?? fields.get("destination") ?? ""}`;
}

function hostPlace(path: string, call: Call): boolean {
  if (
    /^\/(etc|root|boot|proc|sys|dev|usr|bin|sbin|lib|lib64|var|run)(\/|$)/.test(path) &&
    !/^\/var\/(folders|tmp)|^\/etc\/(localtime|timezone)$|^\/dev\/shm/.test(path)
  )
    return true;
  return (
    path === "/" ||
    path === call.by.home ||
    path === "/home" ||
    path === "/Users" ||
    path.startsWith(`${call.by.home}/.ssh`) ||
    path.startsWith(`${call.by.home}/.aws`) ||
    path.startsWith(`${call.by.home}/.kube`)
  );
}

function dockerExec(args: readonly string[], call: Call, skip: number): Flow {
  const options = parseOptions(args, {
    short: "euwnc",
    long: ["env", "user", "workdir", "env-file", "detach-keys", "index", "namespace", "container", "context", "kubeconfig"],
    stop: true,
  });
  let words = options.operands.slice(skip);
  // kubectl allows options after the pod's name.
  while (words[0]?.startsWith("-")) words = words[0] === "--" ? words.slice(1) : words.slice(/^-(n|c|-namespace|-container)$/.test(words[0]) ? 2 : 1);
  if (options.has("privileged")) call.by.harm("container-host", `${call.program} exec ${args.join(" ")}`);
  if (words.length === 0) return UNSEEN;
  call.by.add({ kind: "execute", program: call.program, words: [call.program, "exec", ...words.slice(0, 5)] });
  const state = { ...startState("/", "/root", call.state.budget), cwds: [undefined], depth: call.state.depth + 1 };
  return call.by.run(words, call, call.stdin.from === "inherit" ? INHERITED : call.stdin, state);
}

const compose: Program = (call) => {
  const options = parseOptions(call.args, { short: "fp", long: ["file", "project-name", "profile", "env-file", "project-directory"], stop: true });
  const [verb = "", ...rest] = options.operands;
  if (/^(stop|restart|kill|down|pause|rm)$/.test(verb))
    call.by.harm(
      verb === "rm" || (verb === "down" && rest.some((arg) => arg === "-v" || arg === "--volumes")) ? "container-data" : "compose-stop",
      `docker compose ${options.operands.join(" ")}`,
    );
  else if (verb === "exec")
    return dockerExec(
      rest.filter((arg) => arg !== "-T"),
      call,
      1,
    );
  else if (verb === "run") {
    const inner = parseOptions(
      rest.filter((arg) => arg !== "-T"),
      { short: "vewupl", long: RUN_VALUES, stop: true },
    );
    if (inner.operands.length > 1)
      call.by.run(inner.operands.slice(1), call, call.stdin, {
        ...startState("/", "/root", call.state.budget),
        mounts: [],
        depth: call.state.depth + 1,
      });
  } else if (/^(logs|ps|config|images|top|version|ls|port|events)$/.test(verb)) return query(call);
  call.by.add({ kind: "execute", program: "docker compose", words: ["docker", "compose", ...options.operands.slice(0, 5)] });
  return UNSEEN;
};

const kubectl: Program = (call) => {
  const globals = parseOptions(call.args, {
    short: "nsf",
    long: ["namespace", "context", "kubeconfig", "cluster", "server", "token", "user", "as", "filename", "selector", "output", "replicas"],
  });
  const verb = globals.operands[0] ?? "";
  const show = `${call.program} ${call.args.join(" ")}`;
  const at = call.args.indexOf(verb);
  if (verb === "cp") for (const word of globals.operands.slice(1, -1)) if (!/^[\w./-]+:/.test(word)) call.by.read(word, call, { recursive: true, shown: true });
  for (const arg of call.args) {
    const file = /^--from-(?:env-)?file=(?:[\w.-]+=)?(.+)$/.exec(arg)?.[1];
    if (file !== undefined) call.by.read(file, call, { shown: verb === "create" && globals.operands[1] !== "configmap" });
  }
  if (verb === "exec") return dockerExec(call.args.slice(at + 1), call, 1);
  if (verb === "run" || verb === "debug") {
    const dashes = call.args.indexOf("--");
    if (/privileged|hostPID|hostPath|hostNetwork/.test(show) || (verb === "debug" && /node\//.test(show))) call.by.harm("container-host", show);
    if (dashes >= 0)
      call.by.run(call.args.slice(dashes + 1), call, call.stdin, {
        ...startState("/", "/root", call.state.budget),
        // A node's own root lies at /host.
        mounts: /\bnode\//.test(show) ? [{ inside: "/host", outside: "/" }] : [],
        depth: call.state.depth + 1,
      });
  } else if (/^(none|client|server)$/.test(globals.value("dry-run") ?? "") && globals.value("dry-run") !== "none")
    call.by.add({ kind: "execute", program: call.program, words: [call.program, verb, "--dry-run"] });
  else if (/^(delete|drain|taint|cordon)$/.test(verb) || (verb === "patch" && /"?finalizers"?:\s*(null|\[\s*\])/.test(show))) call.by.harm("infrastructure", show);
  else if (verb === "auth" && globals.operands[1] === "reconcile") call.by.harm("privilege-config", show);
  else if (verb === "proxy" && /--(address=(0\.0\.0\.0|::)|accept-hosts=\S*\*|disable-filter)/.test(show)) call.by.harm("container-host", show);
  else if (verb === "scale" && globals.value("replicas") === "0") call.by.harm("infrastructure", show);
  else if (verb === "replace" && globals.has("force")) call.by.harm("infrastructure", show);
  else if (verb === "patch" && /"?replicas"?:\s*0\b/.test(show)) call.by.harm("infrastructure", show);
  else if (verb === "rollout" && globals.operands[1] === "undo") call.by.harm("infrastructure", show);
  else if (verb === "rollout" && globals.operands[1] === "restart") call.by.harm("service-stop", show);
  else if ((verb === "apply" || verb === "create") && (globals.has("prune") || globals.values("f", "filename").some((file) => /^https?:/.test(file))))
    call.by.harm(globals.has("prune") ? "infrastructure" : "remote-run", show);
  else if (/^(apply|create|replace)$/.test(verb) && call.stdin.remote && globals.values("f", "filename").includes("-")) call.by.harm("remote-run", show);
  else if (
    (verb === "get" || verb === "describe") &&
    globals.operands.slice(1).some((word) => /^(secrets?|all|\w+,secrets?)(\/|$)/.test(word)) &&
    globals.has("o", "output") &&
    !/^(name|wide)$/.test(valueOf(call.args))
  )
    call.by.harm("secret-read", show);
  else if (verb === "config" && globals.operands[1] === "view" && globals.has("raw")) call.by.harm("secret-read", show);
  else if (verb === "create" && /^(cluster)?rolebinding$/.test(globals.operands[1] ?? "") && /cluster-admin|admin/.test(show))
    call.by.harm("privilege-config", show);
  else if (verb === "create" && globals.operands[1] === "token") call.by.harm("secret-read", show);
  else if (/^(get|describe|logs|top|version|explain|api-resources|api-versions|cluster-info|events|diff)$/.test(verb)) return query(call);
  call.by.add({ kind: "execute", program: call.program, words: [call.program, ...call.args.slice(0, 7)] });
  return UNSEEN;
};

function valueOf(args: readonly string[]): string {
  const at = args.findIndex((arg) => arg.startsWith("-o") || arg.startsWith("--output"));
  const arg = args[at] ?? "";
  return arg === "-o" || arg === "--output" ? (args[at + 1] ?? "") : arg.replace(/^(-o|--output)=?/, "");
}

export const CONTAINERS: Readonly<Record<string, Program>> = {
  docker,
  podman: docker,
  nerdctl: docker,
  "docker-compose": compose,
  "podman-compose": compose,
  kubectl,
  oc: (call) => {
    if (/^adm (prune|drain|migrate|taint)\b.*|^(adm policy|policy) add-\S+ .*(admin|privileged|anyuid)/.test(call.args.join(" "))) call.by.harm("infrastructure", `oc ${call.args.join(" ")}`);
    return call.args[0] === "rsh" ? dockerExec(call.args.slice(1), call, 1) : kubectl(call);
  },
  k3s: (call) => (call.args[0] === "kubectl" ? kubectl({ ...call, args: call.args.slice(1) }) : UNSEEN),
  microk8s: (call) => /^(reset|uninstall|leave|remove-node|stop)$/.test(call.args[0] ?? "") ? (call.by.harm("infrastructure", `microk8s ${call.args.join(" ")}`), UNSEEN) : (call.args[0] === "kubectl" ? kubectl({ ...call, args: call.args.slice(1) }) : UNSEEN),
  k: kubectl,
  helm: cloud(/^(\S+ )*(uninstall|delete|del|un|rollback)\b/, /^get values .*(--all|-a)\b/),
  lxc: (call) =>
    /security\.privileged[= ]true|source=\/(\s|$)|raw\.(lxc|qemu|idmap|apparmor)/.test(call.args.join(" "))
      ? (call.by.harm("container-host", `lxc ${call.args.join(" ")}`), UNSEEN)
      : call.args[0] === "exec"
        ? call.by.run(call.args.slice(call.args.indexOf("--") + 1), call)
        : cloud(/^(delete|stop|restart)\b/)(call),
  crictl: cloud(/^(rm|rmi|stop|rmp|stopp)\b/),
  ctr: cloud(/\b(rm|delete|kill)\b/),
  virsh: cloud(/^(destroy|undefine|shutdown|reboot|vol-delete|pool-destroy|pool-delete)/),
  multipass: (call) => (call.args[0] === "exec" ? afterDoubleDash(call) : cloud(/^(delete|purge|stop)/)(call)),
  limactl: cloud(/^(delete|stop|factory-reset)/),
  colima: cloud(/^(delete|stop)/),
  minikube: cloud(/^(delete|stop)/),
  kind: cloud(/^delete/),
  k3d: cloud(/^\w+ (delete|stop)/),
};
