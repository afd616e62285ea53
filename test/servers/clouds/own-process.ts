import { fork } from "node:child_process";
import { once } from "node:events";

/** A double as far as the contract suite needs it. */
interface Double extends AsyncDisposable {
  readonly url: string;
  cut(name: RegExp): void | Promise<void>;
  remove(name: RegExp): Promise<void>;
}

const DOUBLES = {
  daytona: async () => (await import("./daytona.ts")).DaytonaDouble.start(),
  modal: async () => (await import("./modal.ts")).ModalDouble.start(),
  vercel_sandbox: async () => (await import("./vercel.ts")).VercelDouble.start(),
} satisfies Record<string, () => Promise<Double>>;

export type CloudName = keyof typeof DOUBLES;

/** Runs a double in a separate process: its memory does not count as the backend's, and neither blocks the other. */
export async function startDouble(name: CloudName): Promise<Double> {
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const child = fork(import.meta.filename, [name], { execArgv: ["--conditions=hermes-source"], env });
  const ask = async (...message: readonly unknown[]) => {
    const answer = once(child, "message");
    child.send(message);
    return (await answer)[0] as string;
  };
  return {
    url: (await once(child, "message"))[0] as string,
    cut: async ({ source }) => void (await ask("cut", source)),
    remove: async ({ source }) => void (await ask("remove", source)),
    [Symbol.asyncDispose]: async () => {
      const ended = once(child, "exit");
      child.disconnect();
      await ended;
    },
  };
}

if (process.argv[1] === import.meta.filename && process.send !== undefined) {
  const double: Double = await DOUBLES[process.argv[2] as CloudName]();
  process.on("message", async ([what, name]: ["cut" | "remove", string]) => {
    await double[what](new RegExp(name));
    process.send!("done");
  });
  // The parent has disconnected or ended.
  process.once("disconnect", () => void double[Symbol.asyncDispose]());
  process.send(double.url);
}
