import { UserError } from "../../../../contract/common/failure.ts";
import type { App } from "../../../../contract/services/app.ts";
import type { JsonObject } from "../../../../contract/common/json.ts";
import type { MediaSlot } from "../../../../contract/services/media-service.ts";
import { shownOf, toSettled } from "../../../../contract/tools/outcome.ts";
import { parseExact } from "../../../../contract/common/parse-exact.ts";
import type { ToolDeclaration } from "../../../../contract/tools/tool.ts";
import { textOf } from "../../../../contract/conversation/part.ts";
import { nearest } from "../../../../contract/common/nearest.ts";
import type { Call } from "../../program/call.ts";
import { reportNotices } from "../../../shared/process/notices.ts";
import { EXIT } from "../../../shared/process/exit-code.ts";
import { truthy } from "../../../shared/process/truthy.ts";
import { linePrompter } from "../../input/line-prompter.ts";
import { displayOf } from "../../../shared/display/display.ts";
import { printable } from "../../../shared/display/printable.ts";
import { tableOn } from "../../../shared/display/table.ts";
import { onInterrupt } from "../../../shared/process/on-interrupt.ts";
import { asTyped } from "../../../shared/process/called-as.ts";

export async function listTools(
  { io, open }: Call,
  options: { readonly json?: boolean; readonly platform: string },
): Promise<void> {
  const app = await open();
  const tools = await app.tools.list({ surface: options.platform, prompter: true });
  if (options.json) {
    const rows = tools.map(({ declaration, owner, enabled, availability }) => ({
      name: declaration.name,
      toolset: declaration.toolset,
      description: declaration.summary,
      owner,
      enabled,
      available: availability.ok,
      ...(availability.ok ? {} : { reason: availability.reason, needs: availability.needs ?? [] }),
      requires_env: declaration.env.map(({ name }) => name),
      emoji: declaration.emoji,
      effect: declaration.effect,
    }));
    return io.out(`${JSON.stringify(rows, null, 2)}\n`);
  }
  const rows = tools.map(({ declaration, enabled, availability }) => [
    `${enabled && availability.ok ? io.styleOut("green", "✓") : enabled ? io.styleOut("yellow", "✗") : io.styleOut("dim", "○")} ${declaration.emoji || "⚡"} ${declaration.name}`,
    declaration.toolset,
    availability.ok
      ? enabled
        ? declaration.summary
        : `off · ${declaration.summary}`
      : `${availability.reason}${availability.needs === undefined || availability.needs.length === 0 ? "" : ` (needs ${availability.needs.join(", ")})`}`,
  ]);
  io.out(tableOn(io, ["  TOOL", "TOOLSET", "DESCRIPTION"], rows));
  io.note(
    io.style(
      "dim",
      asTyped(
        "✓ offered to the model   ✗ enabled, but cannot run (hermes plugins why NAME)   ○ off (hermes tools enable NAME)\n",
      ),
    ),
  );
  // They explain why a tool is missing: a plugin that failed, an MCP server that does not answer.
  const warnings = app.notices.filter(({ level }) => level !== "info");
  const misnamed = app.tools.misnamed(options.platform);
  reportNotices(io, [...warnings, ...misnamed.filter(({ text }) => !warnings.some((one) => one.text === text))]);
}

export async function showTool({ io, open }: Call, name: string, options: { readonly json?: boolean }): Promise<void> {
  const app = await open();
  const all = await app.tools.list({ surface: "cli", prompter: true });
  const listing = all.find(({ declaration }) => declaration.name === name || declaration.aliases.includes(name));
  if (listing === undefined) {
    const meant = nearest(
      name,
      all.map(({ declaration }) => declaration.name),
    );
    throw new UserError(`There is no tool "${name}".`, {
      hint: meant === undefined ? "`hermes tools list` shows all tools." : `Did you mean "${meant}"?`,
      exitCode: EXIT.usage,
    });
  }
  const { declaration, owner, enabled, availability } = listing;
  if (options.json) return io.out(`${JSON.stringify({ ...declaration, owner, enabled, availability }, null, 2)}\n`);
  const lines = [
    `${declaration.emoji} ${io.styleOut("bold", declaration.name)}  ${io.styleOut("dim", `${declaration.toolset} · from ${owner}`)}`,
    declaration.description || declaration.summary,
    "",
    `enabled    ${enabled ? "yes" : "no"}`,
    `available  ${availability.ok ? "yes" : `no: ${availability.reason}`}`,
    `effect     ${declaration.effect}${declaration.effectByCall ? " at most; depends on the call" : ""}`,
    ...(await backends(app, declaration)).map((line) => `backend    ${line}`),
    ...(declaration.env.length === 0 ? [] : [`needs      ${declaration.env.map((need) => need.name).join(", ")}`]),
    ...(declaration.aliases.length === 0 ? [] : [`also       ${declaration.aliases.join(", ")}`]),
    "",
    JSON.stringify(declaration.input, null, 2),
  ];
  io.out(`${lines.join("\n")}\n`);
}

/** The backend that does a tool's work, and the setting that chooses it. */
async function backends(app: App, { slots = [], needsOneOf = [] }: ToolDeclaration): Promise<readonly string[]> {
  const either = needsOneOf.flatMap((need) => (need.startsWith("slot:") ? [need.slice(5)] : []));
  const kinds: readonly MediaSlot[] = ["image_gen", "video_gen", "tts", "stt", "browser"];
  return Promise.all(
    kinds
      .filter((kind) => either.includes(kind) || slots.includes(kind))
      .map(async (kind) => {
        const [{ path }, all] = await Promise.all([app.media.setting(kind), app.media.list(kind)]);
        const chosen = all.find((one) => one.chosen);
        if (chosen === undefined)
          return `${either.includes(kind) ? "local" : "none yet"}; set ${path} to ${all.map(({ id }) => id).join(", ")}`;
        return `${printable(chosen.label)} (${path})${chosen.waits === undefined ? "" : `: ${chosen.waits}`}`;
      }),
  );
}

export async function callTool(
  { io, open }: Call,
  name: string,
  args: string | undefined,
  options: { readonly json?: boolean; readonly yolo?: boolean },
): Promise<number> {
  const input = parseArguments(
    args === "-" ? await (await import("../../input/piped-input.ts")).pipedInput({ waits: true, note: io.note }) : args,
  );
  const app = await open();
  if (io.interactive && app.hooks.waiting().length > 0)
    await (await import("../../input/ask-for-hooks.ts")).askForHooks(app, io);
  reportNotices(io, [...app.notices.filter(({ level }) => level === "error"), ...app.hooks.notices()]);
  await using session = await app.openSession({
    surface: "cli",
    cwd: process.cwd(),
    prompter: io.interactive ? linePrompter(io, () => displayOf(app.config, "cli").notify !== "off") : undefined,
    yolo: options.yolo ?? truthy(process.env.HERMES_YOLO_MODE),
  });
  using interrupts = onInterrupt(io, () => session[Symbol.asyncDispose]());
  const outcome = await session.call(name, input);
  const text = textOf(shownOf(toSettled(outcome)));
  io.out(options.json ? `${JSON.stringify(outcome, null, 2)}\n` : text.endsWith("\n") ? text : `${text}\n`);
  if (interrupts.count > 0) return EXIT.interrupted;
  if (outcome.kind === "ok") return EXIT.ok;
  if (outcome.kind === "failed" && outcome.code === "unknown_tool") {
    for (const reason of await reasonsMissing(app, name)) io.note(`${printable(reason)}\n`);
    // A warning may explain why the tool is missing.
    reportNotices(
      io,
      app.notices.filter(({ level }) => level === "warning"),
    );
  }
  return outcome.kind === "denied" ? EXIT.denied : outcome.kind === "cancelled" ? EXIT.interrupted : EXIT.failed;
}

export async function switchTools(
  { io, open }: Call,
  verb: "enable" | "disable",
  names: readonly string[],
  options: { readonly json?: boolean; readonly platform: string },
): Promise<void> {
  const app = await open();
  await app.tools[verb](names, options.platform);
  if (options.json !== true)
    for (const name of names) io.out(`${name} is ${verb}d for ${options.platform}, starting with the next session.\n`);
  if (options.json)
    io.out(
      `${JSON.stringify(
        names.map((name) => ({ name, platform: options.platform, enabled: verb === "enable" })),
        null,
        2,
      )}\n`,
    );
}

/** Explains why the plugins that provide the tool do not register it. */
async function reasonsMissing(app: App, name: string): Promise<readonly string[]> {
  const plugins = (await app.plugins.list()).filter(
    ({ registered, manifest }) => registered.tools.includes(name) || manifest.provides_tools.includes(name),
  );
  if (plugins.length === 0) return [];
  const { whyTool } = await import("./why-tool.ts");
  return whyTool(name, [], plugins, "cli").reasons;
}

function parseArguments(text: string | undefined): JsonObject {
  try {
    const value: unknown = parseExact(text ?? "{}");
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as JsonObject;
  } catch (cause) {
    throw new UserError(`The arguments are not JSON: ${(cause as Error).message}`, {
      hint: `Quote them for the shell: hermes tools call read_file '{"path":"README.md"}'. With - Hermes reads them from stdin.`,
      exitCode: EXIT.usage,
      cause,
    });
  }
  throw new UserError("The arguments must be a JSON object.", {
    hint: `Example: '{"path":"README.md"}'`,
    exitCode: EXIT.usage,
  });
}
