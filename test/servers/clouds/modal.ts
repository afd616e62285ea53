import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import type { ModalSdk } from "../../../plugins/terminal-modal/modal-sdk.ts";
import { GrpcDouble, GrpcRefusal, type GrpcCall, type GrpcTrouble } from "./grpc-double.ts";
import { BufferedOutput } from "./buffered-output.ts";
import { encode, numberOf, textOf, decode } from "./protobuf.ts";
import { ScratchSandbox } from "./scratch-sandbox.ts";

interface Known {
  readonly id: string;
  readonly name: string;
  readonly image: string;
  readonly sandbox: ScratchSandbox;
}

interface Exec {
  readonly child: ChildProcess;
  readonly sandbox: Known;
  /** By file descriptor. */
  readonly wrote: readonly [BufferedOutput<Buffer>, BufferedOutput<Buffer>];
  /** Bytes of input taken so far. */
  taken: number;
}

export const MODAL_TOKEN = { tokenId: "ak-test", tokenSecret: "as-test" };

/** The SDK, whose clients call a double: it reads the address from the environment when a client is created. */
export function modalAt(url: string): () => Promise<ModalSdk> {
  return async () => {
    const { ModalClient } = await import("modal");
    const here = class extends ModalClient {
      constructor(params: ConstructorParameters<typeof ModalClient>[0]) {
        const before = process.env["MODAL_SERVER_URL"];
        process.env["MODAL_SERVER_URL"] = url;
        try {
          super(params);
        } finally {
          if (before === undefined) delete process.env["MODAL_SERVER_URL"];
          else process.env["MODAL_SERVER_URL"] = before;
        }
      }
    };
    return { ModalClient: here } as unknown as ModalSdk;
  };
}

/**
 * Modal's control plane and command router on one port, as far as its SDK needs them for a sandbox: the real SDK speaks
 * real gRPC to it.
 */
export class ModalDouble {
  readonly sandboxes = new Map<string, Known>();
  readonly #snapshots = new Map<string, ScratchSandbox>();
  readonly #images = new Map<string, string>();
  readonly #execs = new Map<string, Exec>();
  #grpc!: GrpcDouble;
  #count = 0;

  static async start(): Promise<ModalDouble> {
    const made = new ModalDouble();
    made.#grpc = await GrpcDouble.start((call) => made.#answer(call));
    return made;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#grpc.port}`;
  }

  get calls(): readonly GrpcCall[] {
    return this.#grpc.calls;
  }

  get trouble(): GrpcTrouble[] {
    return this.#grpc.trouble;
  }

  find(name: RegExp): Known | undefined {
    return [...this.sandboxes.values()].find((one) => name.test(one.name));
  }

  /**
   * The worker loses its processes: it closes their pipes and forgets them. The SDK recovers from a mere broken
   * connection.
   */
  cut(name: RegExp): void {
    const known = this.find(name);
    for (const [id, exec] of this.#execs) {
      if (exec.sandbox !== known) continue;
      this.#execs.delete(id);
      exec.child.stdin!.destroy();
      for (const output of exec.wrote) output.end();
    }
  }

  async remove(name: RegExp): Promise<void> {
    await this.#terminate(this.find(name)!.id);
  }

  /** A snapshot that the service has forgotten. */
  async forgetSnapshots(): Promise<void> {
    for (const sandbox of this.#snapshots.values()) await sandbox.remove();
    this.#snapshots.clear();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#grpc[Symbol.asyncDispose]();
    for (const { sandbox } of this.sandboxes.values()) await sandbox.remove();
    await this.forgetSnapshots();
  }

  async *#answer({ method, headers, request, signal }: GrpcCall): AsyncGenerator<Buffer, void, undefined> {
    const routed = method.startsWith("Task");
    if (
      routed
        ? !headers.authorization?.startsWith("Bearer ")
        : headers["x-modal-token-secret"] !== MODAL_TOKEN.tokenSecret
    )
      throw new GrpcRefusal(16, "Token validation failed");
    switch (method) {
      case "AuthTokenGet":
        return yield encode([[1, token()]]);
      case "EnvironmentGetOrCreate":
        return yield encode([
          [1, "en-1"],
          [
            2,
            encode([
              [1, "main"],
              [2, encode([[1, "2025.06"]])],
            ]),
          ],
        ]);
      case "AppGetOrCreate":
        return yield encode([[1, "ap-1"]]);
      case "ImageGetOrCreate": {
        const from =
          textOf(decode(request.get(2)!.at(-1) as Buffer), 6) ||
          [...decode(request.get(2)!.at(-1) as Buffer).values()]
            .flat()
            .find((value) => value.toString().startsWith("FROM "))!
            .toString();
        const id = `im-${(this.#count += 1)}`;
        this.#images.set(id, from);
        return yield encode([
          [1, id],
          [
            2,
            encode(
              from.includes("none")
                ? [
                    [1, 2],
                    [2, "manifest unknown"],
                  ]
                : [[1, 1]],
            ),
          ],
        ]);
      }
      case "ImageFromId": {
        const id = textOf(request, 1);
        if (!this.#snapshots.has(id)) throw new GrpcRefusal(5, `Image ${id} not found`);
        return yield encode([[1, id]]);
      }
      case "SandboxCreateV2": {
        const definition = decode(request.get(2)!.at(-1) as Buffer);
        const name = textOf(definition, 30);
        if (this.find(new RegExp(`^${name}$`)) !== undefined) throw new GrpcRefusal(6, `Sandbox ${name} exists`);
        const image = textOf(definition, 3);
        const known: Known = {
          id: `sb-${(this.#count += 1)}`,
          name,
          image,
          sandbox: new ScratchSandbox(this.#snapshots.get(image)),
        };
        await known.sandbox.start();
        this.sandboxes.set(known.id, known);
        return yield encode([
          [1, known.id],
          [3, `ta-${known.id}`],
        ]);
      }
      case "SandboxGetFromName":
        throw new GrpcRefusal(5, "Sandbox not found");
      case "SandboxGetFromNameV2": {
        const known = this.find(new RegExp(`^${textOf(request, 1)}$`));
        if (known === undefined) throw new GrpcRefusal(5, "Sandbox not found");
        return yield encode([[1, known.id]]);
      }
      case "SandboxGetTaskIdV2":
        if (!this.sandboxes.has(textOf(request, 1)))
          return yield encode([
            [
              2,
              encode([
                [1, 3],
                [2, "Sandbox was terminated"],
              ]),
            ],
          ]);
        return yield encode([[1, `ta-${textOf(request, 1)}`]]);
      case "SandboxGetCommandRouterAccess":
        return yield encode([
          [1, token()],
          [2, `https://127.0.0.1:${this.#grpc.port}`],
        ]);
      case "SandboxTerminateV2":
        await this.#terminate(textOf(request, 1));
        return yield Buffer.alloc(0);
      case "TaskSnapshotFilesystem": {
        const id = `im-${(this.#count += 1)}`;
        this.#snapshots.set(id, new ScratchSandbox(this.#task(textOf(request, 1)).sandbox));
        return yield encode([[1, id]]);
      }
      case "TaskExecStart":
        this.#start(textOf(request, 1), textOf(request, 2), (request.get(3) ?? []).map(String));
        return yield Buffer.alloc(0);
      case "TaskExecStdinWrite": {
        const exec = this.#exec(textOf(request, 2));
        const data = (request.get(4)?.at(-1) as Buffer | undefined) ?? Buffer.alloc(0);
        // Discards the input before that offset.
        const fresh = data.subarray(Math.max(0, exec.taken - numberOf(request, 3)));
        exec.taken += fresh.length;
        if (fresh.length > 0 && !exec.child.stdin!.write(fresh))
          await Promise.race([once(exec.child.stdin!, "drain"), once(exec.child, "close")]);
        if (numberOf(request, 5) === 1) exec.child.stdin!.end();
        return yield Buffer.alloc(0);
      }
      case "TaskExecStdioRead":
        return yield* this.#read(textOf(request, 2), numberOf(request, 4) as 0 | 1, numberOf(request, 3), signal);
      default:
        throw new GrpcRefusal(12, `The double has no ${method}`);
    }
  }

  #task(id: string): Known {
    const known = this.sandboxes.get(id.replace(/^ta-/, ""));
    if (known === undefined) throw new GrpcRefusal(5, `Task ${id} not found`);
    return known;
  }

  #exec(id: string): Exec {
    const exec = this.#execs.get(id);
    if (exec === undefined) throw new GrpcRefusal(5, `Exec ${id} not found`);
    return exec;
  }

  #start(task: string, id: string, argv: readonly string[]): void {
    const known = this.#task(task);
    if (this.#execs.has(id)) return;
    const child = known.sandbox.spawn(argv);
    const exec: Exec = { child, sandbox: known, wrote: [new BufferedOutput(), new BufferedOutput()], taken: 0 };
    child.stdin!.on("error", () => {}); // It has ended.
    for (const [index, pipe] of [child.stdout!, child.stderr!].entries())
      exec.wrote[index as 0 | 1].add(pipe, (bytes) => bytes as Buffer);
    child.once("close", () => {
      for (const output of exec.wrote) output.end();
    });
    this.#execs.set(id, exec);
  }

  async *#read(
    id: string,
    descriptor: 0 | 1,
    offset: number,
    signal: AbortSignal,
  ): AsyncGenerator<Buffer, void, undefined> {
    for await (const { at, value } of this.#exec(id).wrote[descriptor].follow(offset, signal))
      yield encode([[1, value.subarray(Math.max(0, offset - at))]]);
    this.#exec(id); // A connection that breaks is not the end of output.
  }

  async #terminate(id: string): Promise<void> {
    const known = this.sandboxes.get(id);
    if (known === undefined) return;
    this.sandboxes.delete(id);
    for (const [exec, { sandbox }] of this.#execs) if (sandbox === known) this.#execs.delete(exec);
    await known.sandbox.remove();
  }
}

function token(): string {
  return ["{}", JSON.stringify({ exp: Math.floor(Date.now() / 1000) + 3600 }), "-"]
    .map((part) => Buffer.from(part).toString("base64url"))
    .join(".");
}
