import { fstatSync } from "node:fs";
import type { App } from "../../../../contract/services/app.ts";
import { UserError } from "../../../../contract/common/failure.ts";
import { nearest } from "../../../../contract/common/nearest.ts";
import type { Call } from "../../program/call.ts";
import { EXIT } from "../../../shared/process/exit-code.ts";
import { hanging } from "../../../shared/display/hanging-indent.ts";
import { onTerminal, type Io } from "../../../shared/process/io.ts";
import { modelNow } from "../../../shared/conversation/model-now.ts";
import { printable } from "../../../shared/display/printable.ts";
import { Questions } from "../../input/questions.ts";
import { askModel } from "./pick-model.ts";
import { askKey } from "./ask-key.ts";
import type { MediaSlots } from "./setup-media.ts";
import type { SetupContext } from "./setup-context.ts";
import { keysOf, type AskedKey } from "./setup-keys.ts";
import { asTyped } from "../../../shared/process/called-as.ts";
import { modelAndServer } from "../../output/model-and-server.ts";

export interface SetupOptions {
  readonly nonInteractive?: boolean;
  /** Installs what the configured models lack, and asks nothing. */
  readonly yes?: boolean;
  readonly quick?: boolean;
  readonly reset?: boolean;
}

type Section = (context: SetupContext) => Promise<void>;

const IMAGES_AND_VIDEOS: MediaSlots = [
  ["image_gen", "images"],
  ["video_gen", "videos"],
];
const BROWSERS: MediaSlots = [["browser", "browsers"]];
const SPEECH: MediaSlots = [
  ["tts", "speech"],
  ["stt", "transcription"],
];

const SECTIONS: { readonly [name: string]: { readonly title: string; readonly run: Section } } = {
  model: {
    title: "Model",
    run: async (context) => {
      if (!context.quick || !(await hasModel(context.app))) await askModel(context.app, context.io, context.questions);
    },
  },
  terminal: { title: "Terminal backend", run: askTerminal },
  agent: {
    title: "Agent behavior",
    run: settings([
      "approvals.mode",
      "agent.max_turns",
      "display.tool_progress",
      "display.busy_input_mode",
      "timezone",
    ]),
  },
  tools: { title: "Tools", run: askTools },
  media: {
    title: "Images and videos",
    run: async (context) => (await import("./setup-media.ts")).askMedia(context, IMAGES_AND_VIDEOS),
  },
  tts: { title: "Speech", run: async (context) => (await import("./setup-media.ts")).askMedia(context, SPEECH) },
  browser: {
    title: "Browsers",
    run: async (context) => (await import("./setup-media.ts")).askMedia(context, BROWSERS),
  },
  web: {
    title: "Web search",
    run: async (context) => (await import("./setup-media.ts")).askMedia(context, [["web", "web search"]]),
  },
  gateway: { title: "Chats", run: async (context) => (await import("./setup-gateway.ts")).askGateway(context) },
};

/** Sections that run only by name, because most users do not need them. */
const BY_NAME: ReadonlySet<string> = new Set(["gateway", "tts", "browser"]);

/**
 * `hermes setup [section]`: connects a model, or asks for the settings of one section. With `--quick` it asks for all
 * that is missing.
 */
export async function setup(call: Call, name: string | undefined, options: SetupOptions): Promise<number> {
  const { io: given, open } = call;
  const io = onTerminal(given);
  const chosen =
    name === undefined ? Object.keys(SECTIONS).filter((section) => !BY_NAME.has(section)) : [sectionNamed(name)];
  const app = await open("for-repair");
  if (options.yes === true) {
    const status = await (await import("./install-packages.ts")).installMissing(app, io);
    return Math.max(status, await report(app, io));
  }
  if (options.nonInteractive === true) return report(app, io);
  if (!io.interactive && !answersArePiped())
    throw new UserError("Cannot ask the setup questions: there is no terminal.", {
      hint: "`hermes setup --non-interactive` lists what is missing, and the commands that set it.",
    });
  const asked = await ask({ app, io, name, chosen, options });
  if (!asked.start) return asked.status;
  return (await import("../chat.ts")).chat(call, { source: "cli" });
}

/** Asks the questions. The terminal is free again when it returns. */
async function ask({
  app,
  io,
  name,
  chosen,
  options,
}: {
  readonly app: App;
  readonly io: Io;
  readonly name: string | undefined;
  readonly chosen: readonly string[];
  readonly options: SetupOptions;
}): Promise<{ readonly status: number; readonly start: boolean }> {
  using questions = await Questions.open(io);
  const context: SetupContext = { app, io, questions, quick: options.quick ?? false };
  if (options.reset === true && !(await reset(context))) return { status: EXIT.ok, start: false };
  if (name === undefined && !context.quick) {
    const { firstSetup } = await import("./first-setup.ts");
    return await firstSetup(context);
  }
  io.note(`${io.style("dim", "Enter keeps the current value; Ctrl-C exits.")}\n`);
  for (const section of chosen) {
    const { title, run } = SECTIONS[section]!;
    if (!context.quick) io.note(`\n${io.style(["bold", "cyan"], `◆ ${title}`)}\n`);
    await run(context);
  }
  io.note("\n");
  return { status: await report(app, io), start: false };
}

/** The answers come from a pipe or a file, one line each. */
function answersArePiped(): boolean {
  const stdin = fstatSync(0);
  return stdin.isFIFO() || stdin.isFile() || stdin.isSocket();
}

function sectionNamed(name: string): string {
  if (Object.hasOwn(SECTIONS, name)) return name;
  const sections = `Sections: ${Object.keys(SECTIONS).join(", ")}.`;
  const near = nearest(name, Object.keys(SECTIONS));
  throw new UserError(`Setup has no section "${name}".`, {
    hint: `${near === undefined ? "" : `Did you mean ${near}? `}${sections}`,
    exitCode: EXIT.usage,
  });
}

async function hasModel(app: App): Promise<boolean> {
  return !(await modelNow(app)).offline;
}

/** Resets to the defaults, and renames the old file. */
async function reset({ app, questions }: SetupContext): Promise<boolean> {
  const { existsSync, renameSync } = await import("node:fs");
  const { file } = app.config;
  if (!existsSync(file)) return true;
  const before = `${file}.before-reset`;
  if (!(await questions.yes(`Reset to the defaults? Hermes renames ${file} to ${before} and keeps the keys in .env.`)))
    return false;
  renameSync(file, before);
  await app.config.refresh();
  return true;
}

/** Asks for single settings. Reports an invalid value and asks again. */
function settings(paths: readonly string[]): Section {
  return async ({ app, questions, quick }) => {
    if (quick) return; // Each has a default: none is missing.
    for (const path of paths) {
      const { description, allowed } = app.config.explain(path);
      questions.report(`\n${description ?? path}`);
      questions.report(`${path}: ${allowed ?? "anything"}`, "dim");
      await untilFits(questions, `current ${JSON.stringify(app.config.shown(path) ?? "")}, new:`, (typed) =>
        app.config.set(path, typed),
      );
    }
  };
}

/** Asks for a backend, also one that is not available yet: its address or key may follow. */
async function askTerminal(context: SetupContext): Promise<void> {
  const { app, questions, quick } = context;
  if (quick) return;
  const backends = await app.terminals.list();
  const choices = backends.map(({ id, label, chosen, available }) => ({
    label: `${id}: ${label}${chosen ? " (now)" : available.ok ? "" : ` (not available yet: ${available.reason})`}`,
    value: id,
  }));
  const picked = await questions.pick("Terminal backends", choices, "no change");
  if (picked !== undefined) await app.config.set("terminal.backend", picked);
  await settings(["terminal.timeout"])(context);
}

async function untilFits(
  questions: Questions,
  question: string,
  take: (typed: string) => Promise<void>,
): Promise<void> {
  for (;;) {
    const typed = await questions.text(question);
    if (typed === "") return;
    try {
      return await take(typed);
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      questions.report(`${error.message} ${error.hint ?? ""}`, "yellow");
    }
  }
}

async function askTools(context: SetupContext): Promise<void> {
  const { app, questions, quick } = context;
  if (!quick) await switchToolsets(context);
  const before = new Set(await available(app));
  const keys = (await listKeys(app)).filter(({ name }) => !quick || !app.config.hasVariable(name));
  for (const key of keys) await askKey(context, key);
  if (keys.length === 0) questions.report(quick ? "No key is missing." : "No enabled tool needs a key.", "dim");
  // Starts plugins that were waiting for a key.
  if (keys.some(({ name }) => app.config.hasVariable(name))) await app.plugins.reload();
  const fresh = (await available(app)).filter((name) => !before.has(name));
  if (fresh.length > 0) questions.report(`✓ Available now: ${fresh.join(", ")}`, "green");
}

async function switchToolsets({ app, questions }: SetupContext): Promise<void> {
  let last: string | undefined;
  for (;;) {
    const sets = await switchable(app);
    const picked = await questions.pick(
      "Toolsets of the CLI (✓ on, ◐ partly, ○ off)",
      sets.map((set) => ({ label: labelOf(set), value: set })),
      "continue",
      { at: sets.findIndex(({ name }) => name === last) },
    );
    if (picked === undefined) return;
    last = picked.name;
    // What is partly on becomes whole first.
    await app.tools[picked.off.length === 0 ? "disable" : "enable"]([picked.name], "cli");
  }
}

interface SwitchableSet {
  readonly name: string;
  readonly tools: readonly string[];
  /** Those of its tools that are off. */
  readonly off: readonly string[];
}

function labelOf({ name, tools, off }: SwitchableSet): string {
  if (off.length === 0) return `✓ ${name}: ${tools.join(", ")}`;
  if (off.length === tools.length) return `○ ${name}: ${tools.join(", ")}`;
  return `◐ ${name}: ${tools.filter((tool) => !off.includes(tool)).join(", ")} (off: ${off.join(", ")})`;
}

/** The toolsets that tools declare, which the user can switch. */
async function switchable(app: App): Promise<readonly SwitchableSet[]> {
  const tools = await app.tools.list({ surface: "cli", prompter: true });
  return [...Map.groupBy(tools, ({ declaration }) => declaration.toolset)]
    .map(([name, members]) => ({
      name,
      tools: members.map(({ declaration }) => declaration.name),
      off: members.flatMap(({ enabled, declaration }) => (enabled ? [] : [declaration.name])),
    }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

async function available(app: App): Promise<readonly string[]> {
  return (await app.tools.list({ surface: "cli", prompter: true })).flatMap(({ declaration, enabled, availability }) =>
    enabled && availability.ok ? [declaration.name] : [],
  );
}

async function listKeys(app: App): Promise<readonly AskedKey[]> {
  const [plugins, tools] = await Promise.all([app.plugins.list(), app.tools.list({ surface: "cli", prompter: true })]);
  const off = app.config.get("plugins.disabled");
  const disabled = (name: string): boolean => Array.isArray(off) && off.includes(name);
  return keysOf(
    plugins.filter(({ key, manifest }) => !disabled(key) && !disabled(manifest.name)),
    tools,
  );
}

/** Reports what is set, and the command that sets what is missing. Does not show the values of keys. */
async function report(app: App, io: Io): Promise<number> {
  const current = await modelNow(app);
  const none = "problem" in current ? current.problem : "none; the built-in rules answer.";
  const local = current.offline ? await app.models.findLocal(io.signal) : [];
  io.out(
    current.offline
      ? hanging(io, "✗ model    ", `${none} Connect one: ${asTyped("hermes model")} PROVIDER/NAME --api-key KEY`)
      : `✓ model    ${printable(modelAndServer(current))}\n`,
  );
  for (const { name, provider, models } of local)
    if (models[0] !== undefined)
      io.out(
        hanging(
          io,
          "           ",
          `${name} is running on this machine. To use it: ${asTyped("hermes model")} ${printable(`${provider}/${models[0]}`)}`,
        ),
      );
  for (const { name, tools, required } of await listKeys(app)) {
    const there = app.config.hasVariable(name);
    io.out(
      hanging(
        io,
        `${there ? "✓" : required ? "✗" : "○"} ${printable(name)}  `,
        `${there ? "*** " : "missing "}(${tools.join(", ") || "its plugin"})${there ? "" : asTyped(`. Set it: hermes config set ${printable(name)} VALUE`)}`,
      ),
    );
  }
  const tools = await available(app);
  io.out(hanging(io, "✓ tools    ", tools.join(", ")));
  return current.offline ? EXIT.failed : EXIT.ok;
}
