import type { ChildProcess } from "node:child_process";
import type { Socket } from "node:net";

/** A `bash` somewhere that reads its commands from us, by its three pipes. */
export interface Channel {
  write(bytes: string | Uint8Array): void;
  /**
   * `data` is what it writes, `control` what it writes to its error output. Called once; the bytes are only good during
   * the call.
   */
  listen(data: (bytes: Uint8Array) => void, control: (bytes: Uint8Array) => void): void;
  /** Resolves when it has ended, in words: `ssh ended with 255`. */
  readonly closed: Promise<string>;
  /** Drops it at once; the place then sees the end of its input. */
  kill(): void;
  /** Keeps the process running while a caller waits for output. */
  hold(): Disposable;
}

/** How long the last output of an ended client may take, if another process holds its pipes. */
const LAST_WORDS_MS = 250;

/** The channel of a client program (`ssh host bash`, `docker exec -i name bash`) started with three pipes. */
export function processChannel(child: ChildProcess, name: string): Channel {
  const pipes = [child.stdin, child.stdout, child.stderr] as unknown as readonly Socket[];
  for (const pipe of pipes) pipe.on("error", () => {}); // `closed` reports the end.
  let holds = 0;
  const settle = () => {
    for (const pipe of pipes) pipe[holds > 0 ? "ref" : "unref"]();
    child[holds > 0 ? "ref" : "unref"]();
  };
  const closed = new Promise<string>((resolve) => {
    child.once("error", (error) => resolve(`${name} cannot be started: ${error.message}`));
    child.once("exit", (code, signal) => {
      const words = signal === null ? `${name} ended with ${code}` : `${name} was ended by ${signal}`;
      const timer = setTimeout(resolve, LAST_WORDS_MS, words);
      child.once("close", () => {
        clearTimeout(timer);
        resolve(words);
      });
    });
  });
  settle();
  return {
    write: (bytes) => void child.stdin!.write(bytes),
    listen: (data, control) => {
      child.stdout!.on("data", data);
      child.stderr!.on("data", control);
      settle();
    },
    closed,
    kill: () => {
      for (const pipe of pipes) pipe.destroy();
      child.kill("SIGKILL");
    },
    hold: () => {
      holds += 1;
      settle();
      let held = true;
      return {
        [Symbol.dispose]: () => {
          if (held) holds -= 1;
          held = false;
          settle();
        },
      };
    },
  };
}

/** Starts `bash` in the place, with three pipes. @throws {TerminalUnavailable} */
export type StartShell = () => Promise<Channel>;
