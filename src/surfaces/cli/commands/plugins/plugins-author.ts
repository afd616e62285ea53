import type { App } from "../../../../contract/services/app.ts";
import type {
  PluginListing,
  PluginTestReport,
  RecordedCall,
  ReloadReport,
} from "../../../../contract/services/plugin-service.ts";
import type { JsonObject } from "../../../../contract/common/json.ts";
import type { Call } from "../../program/call.ts";
import { EXIT } from "../../../shared/process/exit-code.ts";
import { onTerminal, type Io } from "../../../shared/process/io.ts";
import { printable } from "../../../shared/display/printable.ts";
import { asTyped } from "../../../shared/process/called-as.ts";
import { registeredCounts } from "../../../shared/display/registered-counts.ts";

/** Fails if any problem is an error. */
export async function checkPlugins(
  { io, open }: Call,
  name: string | undefined,
  options: { readonly json?: boolean },
): Promise<number> {
  const checked = await (await open()).plugins.check(name);
  const bad = checked.some(({ problems }) => problems.some(({ level }) => level === "error"));
  if (options.json)
    io.out(
      `${JSON.stringify(
        checked.map(({ key, dir, problems }) => ({
          name: key,
          dir,
          ok: !problems.some(({ level }) => level === "error"),
          problems,
        })),
        null,
        2,
      )}\n`,
    );
  else {
    if (checked.length === 0) io.out("No plugins are installed besides the bundled ones.\n");
    for (const { key, problems } of checked) {
      const errors = problems.filter(({ level }) => level === "error").length;
      io.out(
        `${errors === 0 ? "✓" : "✗"} ${key}${errors === 0 ? "" : `: ${errors} ${errors === 1 ? "problem" : "problems"}`}\n`,
      );
      for (const { level, text } of problems) io.out(`  ${level === "error" ? "✗" : "○"} ${printable(text)}\n`);
    }
  }
  return bad ? EXIT.failed : EXIT.ok;
}

export async function newPlugin(
  { io, open }: Call,
  name: string,
  options: { readonly python?: boolean; readonly dir?: string },
): Promise<void> {
  const dir = await (
    await open()
  ).plugins.create(name, {
    python: options.python ?? false,
    folder: options.dir,
  });
  io.out(`${dir}\n`);
  io.note(
    asTyped(
      `hermes plugins check ${options.dir === undefined ? name : dir}\nhermes plugins test ${options.dir === undefined ? name : dir}\nhermes plugins dev ${dir}\n`,
    ),
  );
  // The plugin's tests import the test kit from the package.
  io.note(
    options.python === true
      ? `cd ${dir} && python3 -m unittest discover tests\n`
      : `cd ${dir} && npm install && npm test\n`,
  );
}

/** Fails if any check fails. */
export async function testPlugin(
  { io, open }: Call,
  name: string,
  options: { readonly session?: string; readonly json?: boolean },
): Promise<number> {
  const app = await open();
  const recorded = options.session === undefined ? [] : await callsOf(app, options.session, name);
  const report = await app.plugins.test(name, { signal: io.signal, recorded });
  const failed = report.tools.some(({ checks }) => checks.some(({ ok }) => !ok));
  if (options.json) io.out(`${JSON.stringify({ ...report, ok: !failed, tokens: sum(report) }, null, 2)}\n`);
  else show(report, io);
  return failed ? EXIT.failed : EXIT.ok;
}

/** Runs an interactive session in a terminal; elsewhere prints a line for each change until it is stopped. */
export async function developPlugin({ io, open }: Call, folder: string | undefined): Promise<number> {
  const app = await open();
  const listeners = new Set<(line: string, ok: boolean) => void>();
  using developed = await app.plugins.develop(folder ?? ".", (report) => {
    const { line, ok } = reloadLine(report);
    for (const listener of listeners) listener(line, ok);
  });
  const first = reloadLine(developed.report, developed.listing);
  if (io.interactive && io.outIsTerminal && process.env.TERM !== "dumb") {
    const { interactive } = await import("../../interactive/interactive.ts");
    return await interactive(
      app,
      onTerminal(io),
      { source: "cli" },
      [...app.notices, { level: "info", text: first.line }],
      {
        news: (listener) => listeners.add(listener),
      },
    );
  }
  io.out(`${first.line}\n`);
  listeners.add((line) => io.out(`${line}\n`));
  const ended = Promise.withResolvers<void>();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => ended.resolve());
  await ended.promise;
  return EXIT.ok;
}

function reloadLine(
  { started, stopped, faults, ms }: ReloadReport,
  self?: PluginListing,
): { readonly line: string; readonly ok: boolean } {
  const failed = [...started, ...(self === undefined ? [] : [self])].filter(({ state }) => state !== "enabled");
  const [broken] = failed;
  if (broken !== undefined) return { ok: false, line: printable(`✗ ${broken.key}: ${broken.reason ?? broken.state}`) };
  const loaded = started.map(({ key, registered }) => `${key} (${registeredCounts(registered)})`);
  if (loaded.length === 0)
    return { ok: true, line: stopped.length === 0 ? "✓ Nothing changed." : `✓ Stopped: ${stopped.join(", ")}` };
  return {
    ok: faults.length === 0,
    line: printable(
      [`✓ Loaded in ${Math.round(ms)} ms: ${loaded.join(", ")}`, ...faults.map((fault) => `  ✗ ${fault}`)].join("\n"),
    ),
  };
}

/** The recorded calls of a plugin's tools in a past session. */
async function callsOf(app: App, session: string, name: string): Promise<readonly RecordedCall[]> {
  const { registered } = await app.plugins.info(name);
  const { id } = await app.sessions.find(session);
  const calls: RecordedCall[] = [];
  for await (const { fact } of app.sessions.facts(id)) {
    if (
      fact.type !== "tool.called" ||
      !registered.tools.includes(fact.tool) ||
      typeof fact.args !== "object" ||
      fact.args === null ||
      Array.isArray(fact.args)
    )
      continue;
    calls.push({ tool: fact.tool, args: fact.args as JsonObject });
  }
  return calls;
}

function show(report: PluginTestReport, io: Io): void {
  for (const { name, tokens, checks } of report.tools) {
    io.out(`${name}  ${io.styleOut("dim", `about ${tokens} tokens in every request`)}\n`);
    for (const { what, ok, detail } of checks) io.out(printable(`  ${ok ? "✓" : "✗"} ${what}: ${detail}`) + "\n");
  }
  if (report.tools.length === 0) io.out(`${report.key} registers no tools.\n`);
  else
    io.out(
      `${report.tools.length} ${report.tools.length === 1 ? "tool" : "tools"}, about ${sum(report)} tokens in every request.\n`,
    );
}

function sum({ tools }: PluginTestReport): number {
  return tools.reduce((all, { tokens }) => all + tokens, 0);
}
