import type { Program } from "../evaluate/call.ts";
import { UNSEEN } from "../risk/effect.ts";
import { hasMark } from "../parse/marks.ts";
import { parseOptions } from "../parse/options.ts";

const POWER_UNITS = /^(poweroff|reboot|halt|kexec|shutdown|runlevel[06]|ctrl-alt-del|soft-reboot|exit)(\.target)?$/;

export const systemctl: Program = (call) => {
  const options = parseOptions(call.args, {
    short: "HMtpnos",
    long: [
      "host",
      "machine",
      "type",
      "property",
      "lines",
      "output",
      "signal",
      "state",
      "root",
      "kill-whom",
      "job-mode",
    ],
  });
  const [verb, ...units] = options.operands;
  const show = `systemctl ${options.operands.join(" ")}`;
  if (verb === undefined) return UNSEEN;
  if (["poweroff", "reboot", "halt", "kexec", "soft-reboot"].includes(verb))
    call.by.add({ kind: "power", action: show });
  else if ((verb === "start" || verb === "isolate") && units.some((unit) => POWER_UNITS.test(unit)))
    call.by.add({ kind: "power", action: show });
  else if (units.some((unit) => unit.startsWith("hermes")) && /stop|restart|kill|disable|mask/.test(verb))
    call.by.harm("self-gateway", show);
  else if (
    /^(stop|restart|try-restart|reload-or-restart|force-reload|condrestart|disable|mask|kill|isolate|rescue|emergency|suspend|hibernate|hybrid-sleep|suspend-then-hibernate|daemon-reexec|clean|freeze|switch-root|exit)$/.test(
      verb,
    )
  )
    call.by.harm("service-stop", show);
  else if (
    /^(enable|reenable|link|edit|preset|preset-all|add-wants|add-requires|set-default|revert|set-environment|import-environment|set-property|unset-environment)$/.test(
      verb,
    )
  )
    call.by.harm("unit", show);
  else if (hasMark(verb)) call.by.harm("service-stop", show);
  else if (
    verb === "show-environment" ||
    (verb === "show" && options.values("p", "property").some((name) => /environment/i.test(name)))
  )
    call.by.harm("environment-read", show);
  else if (!/^(status|show|cat|list-.*|is-.*|get-default|help|show-environment)$/.test(verb))
    call.by.add({ kind: "execute", program: "systemctl", words: ["systemctl", ...options.operands] });
  return UNSEEN;
};

const STOPS =
  /^(stop|restart|force-reload|condrestart|try-restart|reload-or-restart|full-restart|disable|--full-restart)$/;

export const service: Program = (call) => {
  const words = parseOptions(call.args).operands;
  if (words[0]?.includes("/")) call.by.harm("option-runs", `${call.program} ${words.join(" ")}`);
  const verb = words.find((word) => STOPS.test(word));
  if (/^(reboot|halt|poweroff|shutdown)$/.test(words[0] ?? "") && words[1] === "start")
    call.by.add({ kind: "power", action: `${call.program} ${words.join(" ")}` });
  else if (verb !== undefined)
    call.by.harm(
      words.some((word) => word.startsWith("hermes")) ? "self-gateway" : "service-stop",
      `${call.program} ${words.join(" ")}`,
    );
  else if (!words.includes("status"))
    call.by.add({ kind: "execute", program: call.program, words: [call.program, ...words] });
  return UNSEEN;
};

export const launchctl: Program = (call) => {
  const verb = call.args[0] ?? "";
  if (verb === "asuser" || verb === "bsexec") return call.by.run(call.args.slice(2), call);
  const show = `launchctl ${call.args.join(" ")}`;
  if (
    /^(unload|remove|stop|bootout|kill|disable|reboot)$/.test(verb) ||
    (verb === "kickstart" && call.args.some((arg) => /^-\w*k/.test(arg)))
  ) {
    if (verb === "reboot") call.by.add({ kind: "power", action: show });
    else call.by.harm(/hermes/.test(show) ? "self-gateway" : "service-stop", show);
  } else if (/^(load|bootstrap|submit|enable|setenv|config)$/.test(verb)) call.by.harm("unit", show);
  return UNSEEN;
};

/** Service managers with plain subcommands. */
export const manager =
  (stops: RegExp, position = 0): Program =>
  (call) => {
    const words = parseOptions(call.args, { short: "cns" }).operands;
    if (words.slice(position, position + 2).some((word) => stops.test(word)))
      call.by.harm("service-stop", `${call.program} ${call.args.join(" ")}`);
    else call.by.add({ kind: "execute", program: call.program, words: [call.program, ...call.args] });
    return UNSEEN;
  };

export const nginx: Program = (call) => {
  const signal = parseOptions(call.args, { short: "scpg" }).value("s");
  if (signal === "stop" || signal === "quit") call.by.harm("service-stop", `nginx -s ${signal}`);
  return UNSEEN;
};

export const loginctl: Program = (call) => {
  const verb = call.args.find((arg) => !arg.startsWith("-")) ?? "";
  if (/^(poweroff|reboot|halt)$/.test(verb)) call.by.add({ kind: "power", action: `loginctl ${verb}` });
  else if (/^(terminate|kill)/.test(verb)) call.by.harm("kill-user", `loginctl ${call.args.join(" ")}`);
  return UNSEEN;
};
