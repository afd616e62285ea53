import type { SlashHost } from "./slash-host.ts";

/** Commands that change how the agent works. */

export async function model(args: string, host: SlashHost): Promise<string> {
  const current = await host.app.models.current();
  if (args === "") {
    const providers = (await host.app.models.providers()).filter(({ ready }) => ready).map(({ id }) => id);
    return `${current.model} by ${current.provider} (${current.source}). Ready providers: ${providers.join(", ")}. /model provider/name changes it.`;
  }
  const slash = args.indexOf("/");
  const providers = await host.app.models.providers();
  const named = slash > 0 && providers.some(({ id }) => id === args.slice(0, slash));
  const choice = named ? { provider: args.slice(0, slash), name: args.slice(slash + 1) } : { provider: current.provider, name: args };
  if (host.switchSession === undefined) {
    await host.app.models.choose({ provider: choice.provider, model: choice.name });
  } else {
    await host.switchSession({ sessionId: host.session().id, model: choice });
  }
  return `This session goes on with ${choice.name} by ${choice.provider}.`;
}

export async function tools(args: string, host: SlashHost): Promise<string> {
  const [verb = "list", ...names] = args.split(/\s+/).filter((word) => word !== "");
  if (verb === "enable" || verb === "disable") {
    if (names.length === 0) return `/tools ${verb} needs the name of a tool or toolset.`;
    for (const name of names) await host.app.tools[verb](name, host.surface);
    return `${names.join(", ")} ${names.length === 1 ? "is" : "are"} ${verb}d, from the next session on (/new).`;
  }
  if (verb !== "list") return "/tools list, /tools enable NAME, /tools disable NAME.";
  const { toolList } = await import("./show.ts");
  return toolList(host);
}

export function busy(args: string, host: SlashHost): string {
  const mode = host.busyMode;
  if (mode === undefined) return "";
  if (args === "queue" || args === "steer" || args === "interrupt") mode.set(args);
  else if (args !== "" && args !== "status") return "/busy queue, /busy steer or /busy interrupt.";
  return `Enter while a turn runs: ${mode.get()}.`;
}

export function yolo(host: SlashHost): string {
  host.yolo?.set(!host.yolo.get());
  return host.yolo?.get() === true ? "Approvals are off for this session. What the hard floor blocks stays blocked." : "Approvals are on.";
}
