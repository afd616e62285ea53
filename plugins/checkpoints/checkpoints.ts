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

/** What the plugin does once it is needed: the middleware's side, the slash command and the commands of `hermes`. */
export class Checkpoints {
  readonly #context: PluginContext;
  readonly #service: CheckpointService;
  readonly #rollback: Rollback;
  readonly #elsewhere: Elsewhere;
  /** Where calls of a running turn work on files that are brought back here, by turn; and where the newest did. */
  readonly #bringing = new Map<string, TerminalBackend>();
  #brings: TerminalBackend | undefined;

  constructor(context: PluginContext) {
    this.#context = context;
    this.#service = new CheckpointService(context, homedir());
    this.#rollback = new Rollback(this.#service, context, homedir());
    this.#elsewhere = new Elsewhere(context.storage);
  }

  /**
   * Before a call that changes something runs. A place of its own (container, remote host) is not this machine's tree, but what it changes
   * in a mounted or synced folder is changed here too.
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
            : `${backend.id} beside the ${mounted === undefined ? "synced" : "mounted"} files`,
        )
        .catch((cause: unknown) =>
          this.#context.log.warning("It could not be noted that checkpoints do not reach there.", { cause }),
        );
      if (mounted !== undefined) return await this.#service.before({ ...about, paths: [mounted] });
      if (synced === undefined) return nothing;
      this.#bringing.set(call.turn_id, (this.#brings = backend));
      // While it runs, nothing here changes; when its files come is told at the end of the turn.
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
    // A conversation is stored with its first words.
    if (
      await this.#context.sessions.find(call.sessionId).then(
        () => false,
        () => true,
      )
    )
      return "Nothing is said yet: there is nothing to undo.";
    const [first = "", ...rest] = args.split(/\s+/).filter((word) => word !== "");
    if (first === "")
      return listText(
        await this.#rollback.list(call.sessionId),
        await this.#elsewhere.placesOf(call.sessionId),
        GO_BACK.session,
      );
    if (first === "diff") return (await this.#rollback.diff(call.sessionId, rest[0] ?? "1")) || "Nothing differs.";
    const file = rest.join(" ");
    await this.#brings?.settle?.();
    const report =
      first === "redo"
        ? await this.#rollback.redo(call.sessionId)
        : await this.#rollback.restore(call.sessionId, first, file === "" ? undefined : file);
    const message = reportText(report, file === "" ? await this.#elsewhere.placesOf(call.sessionId) : []);
    const back = first === "redo" ? [] : ["/rollback redo takes it back."];
    if (report.sessionId === undefined) return [message, ...back].join("\n");
    await call.goTo?.(report.sessionId);
    if (call.goTo !== undefined) return [message, "The conversation goes on from there.", ...back].join("\n");
    return [message, goesOn(report.sessionId), ...back.map((words) => `There, ${words}`)].join("\n");
  }

  /** `hermes rollback …` */
  async cli(given: RollbackInput, io: CliIo): Promise<number> {
    // A number alone means what it means in a session.
    const input = /^\d+$/.test(given.action ?? "")
      ? { ...given, action: "restore", which: given.action, file: given.which }
      : given;
    const { action = "list", which } = input;
    if (!ACTIONS.includes(action))
      throw new UserError(`rollback does not know "${action}".`, {
        hint: `It knows ${ACTIONS.join(", ")}, and the number of a checkpoint.`,
        exitCode: 2,
      });
    // The one that a rollback has just led to may have no words yet, and is not the latest then.
    const named = input.session ?? (input.action === "redo" ? this.#service.lastRolledBack() : undefined);
    const session =
      named === undefined ? await this.#context.sessions.latest() : await this.#context.sessions.find(named);
    if (session === undefined) throw new UserError("There is no conversation yet.", { exitCode: 2 });
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
      say(io, (await this.#rollback.diff(session.id, which ?? "1")) || "Nothing differs.");
      return 0;
    }
    const report =
      action === "redo"
        ? await this.#rollback.redo(session.id)
        : await this.#rollback.restore(session.id, needed(which), input.file);
    const places = input.file === undefined ? await this.#elsewhere.placesOf(session.id) : [];
    const where = report.sessionId === undefined ? [] : [goesOn(report.sessionId)];
    const back = action === "redo" ? [] : ["Take it back with: hermes rollback redo"];
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

/** Where a surface cannot go there by itself. */
function goesOn(sessionId: string): string {
  return `The conversation goes on from there with: hermes --resume ${sessionId}`;
}

const ACTIONS = ["list", "diff", "restore", "redo"];

function say(io: CliIo, text: string): void {
  io.out(text.endsWith("\n") ? text : `${text}\n`);
}

/** One line of what a call did. */
function shortened(call: string): string {
  const label = call.replaceAll(/[\s\p{Cc}]+/gu, " ").trim();
  return label.length > LABEL_CHARS ? `${label.slice(0, LABEL_CHARS)}…` : label;
}

function needed(which: string | undefined): string {
  if (which === undefined)
    throw new UserError("Which checkpoint? `hermes rollback list` numbers them.", { exitCode: 2 });
  return which;
}
