import { createInterface } from "node:readline/promises";
import type { CliIo, CommandContext, PluginContext } from "hermes-agent/plugin";
import type { Service } from "./command-services.ts";
import { runSkills, SUBCOMMANDS } from "./run-skills.ts";

/** `hermes skills …` */
export function cli(words: readonly string[], io: CliIo, ctx: PluginContext): Promise<number> {
  return runSkills(words, {
    ...common(ctx),
    signal: io.signal,
    say: (text) => io.out(`${text}\n`),
    needsYes: !io.interactive && io.confirm === undefined,
    confirm: io.confirm ?? (io.interactive ? (question: string) => confirmed(question, io.signal) : undefined),
  });
}

/** `/skills …`: typing it is the consent. */
export async function slash(args: string, call: CommandContext, ctx: PluginContext): Promise<string> {
  if (args.trim() === "" && call.browse !== undefined)
    return (await import("./browse-skills.ts")).browseSkills(ctx.skills, call);
  const message: string[] = [];
  await runSkills(
    args.split(/\s+/).filter((word) => word !== ""),
    { ...common(ctx), signal: call.signal, say: (text) => void message.push(text), needsYes: false },
  );
  return message.join("\n");
}

export function completions(): readonly string[] {
  return Object.keys(SUBCOMMANDS).map((name) => `${name} `);
}

function common(ctx: PluginContext): Pick<Service, "shelf" | "home" | "redact" | "web" | "llm"> {
  const seconds = ctx.setting("auxiliary.skills_hub.timeout");
  return {
    shelf: ctx.skills,
    home: ctx.home,
    redact: (text) => ctx.redact(text),
    web: {
      fetch: ctx.fetch,
      env: (name) => ctx.env(name),
      settings: ctx.config,
      auditTimeoutMs: (typeof seconds === "number" ? seconds : 30) * 1000,
    },
    llm: (request, signal) => ctx.llm(request, signal),
  };
}

async function confirmed(question: string, signal: AbortSignal): Promise<boolean> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(es)?$/i.test((await lines.question(`${question} [y/N] `, { signal })).trim());
  } catch {
    return false; // No answer means denial.
  } finally {
    lines.close();
  }
}
