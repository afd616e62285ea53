import type { Call } from "../evaluate/call.ts";
import { type Flow, INHERITED, UNSEEN } from "../risk/effect.ts";
import { parseOptions } from "../parse/options.ts";
import { startState } from "../parse/state.ts";
import { definedFields } from "../../../contract/common/defined-fields.ts";

export const RUN_VALUES = [
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

export function dockerRun(args: readonly string[], call: Call): Flow {
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
    flags
      .values("cap-add")
      .some((cap) =>
        /^(CAP_)?(ALL|SYS_ADMIN|SYS_PTRACE|SYS_MODULE|DAC_READ_SEARCH|SYS_RAWIO|NET_ADMIN|BPF)$/i.test(cap),
      ) ||
    flags.values("security-opt").some((option) => /unconfined|disable/.test(option)) ||
    flags.values("device").some((name) => !/^\/dev\/(dri|snd|kvm|video|nvidia|fuse|net\/tun|tty)/.test(name));
  if (risky) call.by.harm("container-host", show);
  const entrypoint = flags.value("entrypoint");
  const [, ...words] = flags.operands;
  const argv = entrypoint === undefined ? words : [entrypoint, ...words];
  if (argv.length === 0)
    call.by.add({ kind: "execute", program: call.program, words: [call.program, "run", flags.operands[0] ?? ""] });
  else {
    const state = startState(flags.value("w", "workdir") ?? "/", "/root", call.state.budget);
    // A container that shares the host's processes, or has its rights, isolates nothing.
    call.by.run(argv, call, call.stdin, {
      ...state,
      depth: call.state.depth + 1,
      ...definedFields({ mounts: risky ? undefined : mounts }),
    });
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

export function dockerExec(args: readonly string[], call: Call, skip: number): Flow {
  const options = parseOptions(args, {
    short: "euwnc",
    long: [
      "env",
      "user",
      "workdir",
      "env-file",
      "detach-keys",
      "index",
      "namespace",
      "container",
      "context",
      "kubeconfig",
    ],
    stop: true,
  });
  let words = options.operands.slice(skip);
  // kubectl allows options after the pod's name.
  while (words[0]?.startsWith("-"))
    words = words[0] === "--" ? words.slice(1) : words.slice(/^-(n|c|-namespace|-container)$/.test(words[0]) ? 2 : 1);
  if (options.has("privileged")) call.by.harm("container-host", `${call.program} exec ${args.join(" ")}`);
  if (words.length === 0) return UNSEEN;
  call.by.add({ kind: "execute", program: call.program, words: [call.program, "exec", ...words.slice(0, 5)] });
  const state = { ...startState("/", "/root", call.state.budget), cwds: [undefined], depth: call.state.depth + 1 };
  return call.by.run(words, call, call.stdin.from === "inherit" ? INHERITED : call.stdin, state);
}
