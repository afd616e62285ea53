/** The part of `@vercel/sandbox` that we use. */
export interface VercelSdk {
  readonly Sandbox: {
    getOrCreate(wanted: VercelWanted): Promise<VercelMachine>;
    get(wanted: VercelAccess & { readonly name: string; readonly resume?: boolean }): Promise<VercelMachine>;
  };
}

export interface VercelAccess {
  readonly token?: string;
  readonly teamId?: string;
  readonly projectId?: string;
  /** The SDK's own when absent. */
  readonly fetch?: typeof globalThis.fetch;
}

export interface VercelWanted extends VercelAccess {
  readonly name: string;
  readonly persistent: boolean;
  readonly runtime: string;
  /** Milliseconds. */
  readonly timeout: number;
  readonly resources: { readonly vcpus: number };
  readonly tags: Record<string, string>;
}

export interface VercelMachine {
  readonly name: string;
  runCommand(command: { readonly cmd: string; readonly args: readonly string[]; readonly detached: true }): Promise<{
    logs(options: {
      readonly signal: AbortSignal;
    }): AsyncIterable<{ readonly stream: "stdout" | "stderr"; readonly data: string }>;
  }>;
  runCommand(command: {
    readonly cmd: string;
    readonly args: readonly string[];
  }): Promise<{ readonly exitCode: number }>;
  extendTimeout(milliseconds: number): Promise<void>;
  stop(): Promise<unknown>;
  delete(): Promise<void>;
}

/** Status of the API's answer that an error of the SDK stands for. */
export function statusOf(error: unknown): number | undefined {
  const status = (error as { readonly response?: { readonly status?: unknown } } | undefined)?.response?.status;
  return typeof status === "number" ? status : undefined;
}
