import type { Program } from "../evaluate/call.ts";
import { UNSEEN } from "../risk/effect.ts";
import { hasMark } from "../parse/marks.ts";
import { parseOptions } from "../parse/options.ts";
import { startState } from "../parse/state.ts";
import { cloud, query } from "./clouds.ts";
import { afterDoubleDash } from "./launchers.ts";
import { RUN_VALUES, dockerRun, dockerExec } from "./container-run.ts";
import { kubectl } from "./kubectl.ts";

const docker: Program = (call) => {
  const globals = parseOptions(call.args, {
    short: "HcDl",
    long: ["host", "context", "config", "log-level"],
    stop: true,
  });
  const words = globals.operands;
  const [verb = "", second = ""] = words;
  const show = `${call.program} ${words.join(" ")}`;
  if (verb === "compose") return compose({ ...call, args: words.slice(1) });
  if (verb === "unshare")
    return words.length > 1 ? call.by.run(words.slice(words[1]!.startsWith("-") ? 2 : 1), call) : UNSEEN;
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
  const action =
    rest.length < words.length - 1 || (words.length === 2 && rest.length === 0 && verb !== "run")
      ? `${verb} ${second}`
      : verb;
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
  else if (/^(container )?rm\b/.test(action) && parseOptions(rest).has("f", "force", "v", "volumes"))
    call.by.harm("container-data", show);
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
  } else if (
    /^(login)\b/.test(action) &&
    parseOptions(rest, { short: "up", long: ["username", "password"] }).has("p", "password")
  )
    call.by.add({ kind: "execute", program: call.program, words: [call.program, "login"] });
  if (/^(container )?inspect\b/.test(action) && /Config\.Env|json \.Config/.test(rest.join(" ")))
    call.by.harm("environment-read", show);
  if (
    /^rmi?\b|^image rm\b/.test(action) &&
    verb !== "rm" &&
    ((parseOptions(rest).has("f", "force") && rest.some(hasMark)) || parseOptions(rest).has("a", "all"))
  )
    call.by.harm("container-data", show);
  if (/^(build|buildx build)\b/.test(action))
    for (const output of parseOptions(rest, { short: "ftcmo", long: ["output", "file", "tag", "build-arg"] }).values(
      "o",
      "output",
    )) {
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

const compose: Program = (call) => {
  const options = parseOptions(call.args, {
    short: "fp",
    long: ["file", "project-name", "profile", "env-file", "project-directory"],
    stop: true,
  });
  const [verb = "", ...rest] = options.operands;
  if (/^(stop|restart|kill|down|pause|rm)$/.test(verb))
    call.by.harm(
      verb === "rm" || (verb === "down" && rest.some((arg) => arg === "-v" || arg === "--volumes"))
        ? "container-data"
        : "compose-stop",
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
  call.by.add({
    kind: "execute",
    program: "docker compose",
    words: ["docker", "compose", ...options.operands.slice(0, 5)],
  });
  return UNSEEN;
};

export const CONTAINERS: Readonly<Record<string, Program>> = {
  docker,
  podman: docker,
  nerdctl: docker,
  "docker-compose": compose,
  "podman-compose": compose,
  kubectl,
  oc: (call) => {
    if (
      /^adm (prune|drain|migrate|taint)\b.*|^(adm policy|policy) add-\S+ .*(admin|privileged|anyuid)/.test(
        call.args.join(" "),
      )
    )
      call.by.harm("infrastructure", `oc ${call.args.join(" ")}`);
    return call.args[0] === "rsh" ? dockerExec(call.args.slice(1), call, 1) : kubectl(call);
  },
  k3s: (call) => (call.args[0] === "kubectl" ? kubectl({ ...call, args: call.args.slice(1) }) : UNSEEN),
  microk8s: (call) =>
    /^(reset|uninstall|leave|remove-node|stop)$/.test(call.args[0] ?? "")
      ? (call.by.harm("infrastructure", `microk8s ${call.args.join(" ")}`), UNSEEN)
      : call.args[0] === "kubectl"
        ? kubectl({ ...call, args: call.args.slice(1) })
        : UNSEEN,
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
