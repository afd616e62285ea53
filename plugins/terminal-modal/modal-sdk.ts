/** The part of `modal` that we use. */
export interface ModalSdk {
  readonly ModalClient: new (params: {
    readonly tokenId: string;
    readonly tokenSecret: string;
    readonly environment?: string;
    readonly logLevel: "error";
  }) => ModalClient;
}

export interface ModalClient {
  readonly apps: { fromName(name: string, params: { readonly createIfMissing: true }): Promise<object> };
  readonly images: { fromRegistry(tag: string): object; fromId(id: string): Promise<object> };
  readonly sandboxes: {
    create(app: object, image: object, params: ModalWanted): Promise<ModalMachine>;
    fromName(app: string, name: string): Promise<ModalMachine>;
  };
  close(): void;
}

export interface ModalWanted {
  readonly name: string;
  readonly timeoutMs: number;
  readonly idleTimeoutMs: number;
  readonly cpu?: number;
  readonly memoryMiB?: number;
}

export interface ModalMachine {
  readonly sandboxId: string;
  exec(argv: string[], params: { readonly mode: "text" }): Promise<ModalProcess>;
  snapshotFilesystem(params: { readonly timeoutMs: number }): Promise<{ readonly imageId: string }>;
  terminate(): Promise<unknown>;
  /** Lets go of the connection to it. */
  detach(): void;
}

export interface ModalProcess {
  readonly stdin: WritableStream<string>;
  readonly stdout: ReadableStream<string>;
  readonly stderr: ReadableStream<string>;
}

/** The service says that there is no such thing (any more). */
export function isAbsent(error: unknown): boolean {
  const { name, code } = error as { readonly name?: string; readonly code?: number };
  return name === "NotFoundError" || name === "ConflictError" || code === 5;
}

/** The service says that there is something of that name already. */
export function isTaken(error: unknown): boolean {
  const { name, code } = error as { readonly name?: string; readonly code?: number };
  return name === "AlreadyExistsError" || code === 6;
}
