import {
  absolutePath,
  UserError,
  type CliIo,
  type CommandContext,
  type MiddlewareMap,
  type PluginContext,
  type TerminalBackend,
} from "hermes-agent/plugin";
import { homedir } from "node:os";
import { CheckpointService } from "./checkpoint-service.ts";
import { GO_BACK, listText, reportText, timeText } from "./checkpoint-text.ts";
import { Elsewhere } from "./snapshot/other-hosts.ts";
import { Rollback } from "./rollback/rollback.ts";

const LABEL_CHARS = 80;

export interface RollbackInput {
  readonly action?: string | undefined;
  readonly which?: string | undefined;
  readonly file?: string | undefined;
  readonly session?: string;
  readonly json?: boolean;
}

/**
 * The plugin's work, loaded when it is first needed: the middleware, the slash command and the commands of `hermes`.
 */
export class Checkpoints {
  readonly #context: PluginContext;
  readonly #service: CheckpointService;
  readonly #rollback: Rollback;
  readonly #elsewhere: Elsewhere;
  /** Backends whose files are synced back to this machine, by running turn; and the most recent one. */
  readonly #bringing = new Map<string, TerminalBackend>();
  #brings: TerminalBackend | undefined;

  constructor(context: PluginContext) {
    this.#context = context;
    this.#service = new CheckpointService(context, homedir());
    this.#rollback = new Rollback(this.#service, context, homedir());
    this.#elsewhere = new Elsewhere(context.storage);
  }

  /**
   * Runs before a call that changes files. A container or remote host has its own file system, but a call there also
   * changes mounted and synced folders of this machine.
   * @returns To be called when it has ended.
   */
  async before(call: MiddlewareMap["tool_execution"]["input"]): Promise<() => void> {
    const nothing = () => {};
    if (call.touches.length === 0) return nothing;
    const backend = await this.#context.use("terminal");
    const { mounted, synced } = backend;
    const command = call.args["command"] ?? call.args["path"];
    const about = {
      sessionId: call.session_id,
      turnId: call.turn_id,
      label: typeof command === "string" ? shortened(`${call.tool_name} ${command}`) : call.tool_name,
      progress: (text: string) => this.#context.log.info(text),
      lasting: call.args["background"] === true,
    };
    if (backend.isolated || backend.elsewhere === true) {
      await this.#elsewhere
        .note(
          call.session_id,
          (mounted ?? synced) === undefined
            ? backend.id
            : `${backend.id} outside the ${mounted === undefined ? "synced" : "mounted"} files`,
        )
        .catch((cause: unknown) =>
          this.#context.log.warning("Cannot record that checkpoints do not cover this terminal backend.", { cause }),
        );
      if (mounted !== undefined) return await this.#service.before({ ...about, paths: [mounted] });
      if (synced === undefined) return nothing;
      this.#bringing.set(call.turn_id, (this.#brings = backend));
      // Files on this machine change only when the sync at the end of the turn copies them.
      const ended = await this.#service.before({ ...about, lasting: false, paths: [synced] });
      ended();
      return nothing;
    }
    const { cwd } = await backend.open({ key: call.task_id, cwd: call.cwd }, this.#context.signal);
    return await this.#service.before({
      ...about,
      paths: call.touches.map((path) => absolutePath(path, cwd, homedir())),
    });
  }

  async after(turnId: string): Promise<void> {
    const backend = this.#bringing.get(turnId);
    this.#bringing.delete(turnId);
    await this.#service.after(turnId, await backend?.settle?.());
  }

  async close(): Promise<void> {
    this.#service.close();
  }

  /** `/rollback …` */
  async command(args: string, call: CommandContext): Promise<string> {
    // A conversation is stored only with its first message.
    if (
      await this.#context.sessions.find(call.sessionId).then(
        () => false,
        () => true,
      )
    )
      return "The conversation is empty: there is nothing to undo.";
    const [first = "", ...rest] = args.split(/\s+/).filter((word) => word !== "");
    if (first === "" && call.browse !== undefined) {
      const picked = await this.#pick(call);
      return picked === undefined ? "" : this.command(picked, call);
    }
    if (first === "" || first === "list")
      return listText(
        await this.#rollback.list(call.sessionId),
        await this.#elsewhere.placesOf(call.sessionId),
        GO_BACK.session,
      );
    if (first === "diff") return (await this.#rollback.diff(call.sessionId, rest[0] ?? "1")) || "No files differ.";
    const file = rest.join(" ");
    await this.#brings?.settle?.();
    const report =
      first === "redo"
        ? await this.#rollback.redo(call.sessionId)
        : await this.#rollback.restore(call.sessionId, first, file === "" ? undefined : file);
    const message = reportText(report, file === "" ? await this.#elsewhere.placesOf(call.sessionId) : []);
    const back = first === "redo" ? [] : ["Use /rollback redo to reverse this."];
    if (report.sessionId === undefined) return [message, ...back].join("\n");
    await call.goTo?.(report.sessionId);
    if (call.goTo !== undefined) return [message, "The conversation continues from that point.", ...back].join("\n");
    return [message, goesOn(report.sessionId), ...back.map((words) => `There, ${words}`)].join("\n");
  }

  /** Lets the user pick a checkpoint by what undoing it would change: its number; `undefined` if they left. */
  async #pick(call: CommandContext): Promise<string | undefined> {
    const turns = await this.#rollback.list(call.sessionId);
    if (turns.length === 0) return "list";
    return call.browse?.({
      title: "Restore the files and the conversation as they were before which turn?",
      items: turns.map(({ at, label }, index) => ({
        value: String(index + 1),
        label: `${index + 1}  ${label}`,
        detail: timeText(at),
      })),
      verb: "restores",
      diff: true,
      preview: async (which) => (await this.#rollback.diff(call.sessionId, which)) || "No files differ.",
    });
  }

  /** `hermes rollback …` */
  async cli(given: RollbackInput, io: CliIo): Promise<number> {
    // A number alone means restore, as in a session.
    const input = /^\d+$/.test(given.action ?? "")
      ? { ...given, action: "restore", which: given.action, file: given.which }
      : given;
    const { action = "list", which } = input;
    if (!ACTIONS.includes(action))
      throw new UserError(`Unknown rollback action "${action}".`, {
        hint: `Use ${ACTIONS.join(", ")} or the number of a checkpoint.`,
        exitCode: 2,
      });
    // A conversation that a rollback has just created may have no messages yet; then it is not the latest one.
    const named = input.session ?? (input.action === "redo" ? this.#service.lastRolledBack() : undefined);
    const session =
      named === undefined ? await this.#context.sessions.latest() : await this.#context.sessions.find(named);
    if (session === undefined)
      throw new UserError("There is no conversation yet, so there is nothing to undo.", { exitCode: 2 });
    if (action === "list") {
      const turns = await this.#rollback.list(session.id);
      say(
        io,
        input.json === true
          ? JSON.stringify(
              turns.map(({ turnId, at, label, checkpoints }, index) => ({
                number: index + 1,
                turnId,
                at,
                label,
                folders: checkpoints.map(({ root }) => root),
              })),
            )
          : `${session.id}  ${session.title ?? session.preview}\n${listText(turns, await this.#elsewhere.placesOf(session.id), GO_BACK.shell)}`,
      );
      return 0;
    }
    if (action === "diff") {
      say(io, (await this.#rollback.diff(session.id, which ?? "1")) || "No files differ.");
      return 0;
    }
    const report =
      action === "redo"
        ? await this.#rollback.redo(session.id)
        : await this.#rollback.restore(session.id, needed(which), input.file);
    const places = input.file === undefined ? await this.#elsewhere.placesOf(session.id) : [];
    const where = report.sessionId === undefined ? [] : [goesOn(report.sessionId)];
    const back = action === "redo" ? [] : ["Reverse this with: hermes rollback redo"];
    say(io, input.json === true ? JSON.stringify(report) : [reportText(report, places), ...where, ...back].join("\n"));
    return report.failed.length === 0 ? 0 : 1;
  }

  /** `hermes checkpoints …` */
  async manage(input: { readonly action?: string; readonly json?: boolean }, io: CliIo): Promise<number> {
    const all = this.#service.all();
    const { action = "status" } = input;
    if (action === "clear") {
      await this.#service.forget(all);
      say(io, `Forgot ${all.length} checkpoint${all.length === 1 ? "" : "s"}.`);
      return 0;
    }
    const folders = Map.groupBy(all, ({ root }) => root);
    if (input.json === true)
      say(
        io,
        JSON.stringify({
          bytes: this.#service.bytes,
          checkpoints: action === "list" ? all : all.length,
          folders: [...folders].map(([root, of]) => ({ root, checkpoints: of.length })),
        }),
      );
    else if (action === "list")
      say(
        io,
        all.map(({ at, root, label, sessionId }) => `${timeText(at)}  ${root}  ${label}  (${sessionId})`).join("\n") ||
          "No checkpoints yet.",
      );
    else
      say(
        io,
        [
          `${all.length} checkpoints, ${(this.#service.bytes / 1_000_000).toFixed(1)} MB`,
          ...[...folders].map(([root, of]) => `  ${root}  ${of.length}`),
        ].join("\n"),
      );
    return 0;
  }
}

/** For surfaces that cannot switch to the conversation themselves. */
function goesOn(sessionId: string): string {
  return `Continue the conversation from that point with: hermes --resume ${sessionId}`;
}

const ACTIONS = ["list", "diff", "restore", "redo"];

function say(io: CliIo, text: string): void {
  io.out(text.endsWith("\n") ? text : `${text}\n`);
}

/** Shortens text about a call to one line. */
function shortened(call: string): string {
  const label = call.replaceAll(/[\s\p{Cc}]+/gu, " ").trim();
  return label.length > LABEL_CHARS ? `${label.slice(0, LABEL_CHARS)}…` : label;
}

function needed(which: string | undefined): string {
  if (which === undefined)
    throw new UserError("Missing checkpoint number. `hermes rollback list` shows the numbers.", { exitCode: 2 });
  return which;
}
