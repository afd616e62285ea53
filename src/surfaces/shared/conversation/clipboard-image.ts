import { execFile } from "node:child_process";
import { UserError } from "../../../contract/common/failure.ts";

/** Programs that print the clipboard's image, and when each applies. */
const READERS: readonly {
  readonly here: (env: NodeJS.ProcessEnv) => boolean;
  readonly program: string;
  readonly args: readonly string[];
}[] = [
  {
    here: (env) => env.WAYLAND_DISPLAY !== undefined,
    program: "wl-paste",
    args: ["--no-newline", "--type", "image/png"],
  },
  {
    here: (env) => env.DISPLAY !== undefined,
    program: "xclip",
    args: ["-selection", "clipboard", "-target", "image/png", "-out"],
  },
  { here: () => process.platform === "darwin", program: "pngpaste", args: ["-"] },
];
const WAIT_MS = 5000;
const MAX_BYTES = 64 * 1024 * 1024;

/** Reads the image from the system clipboard. Rejects if there is no display, program or image. */
export async function clipboardImage(env: NodeJS.ProcessEnv = process.env): Promise<Buffer> {
  const readers = READERS.filter(({ here }) => here(env));
  if (readers.length === 0)
    throw new UserError("Cannot read the clipboard: this machine has no display.", {
      hint: "Copy the file to this machine and attach it with: /image PATH",
    });
  for (const { program, args } of readers) {
    const read = await readOutput(program, args);
    if (read !== undefined) return read;
  }
  throw new UserError(
    `${readers.map(({ program }) => program).join(" or ")} is required to read the clipboard, but is not installed.`,
    { hint: "Install it, or save the image and attach it with: /image PATH" },
  );
}

/** `undefined`: there is no such program. */
function readOutput(program: string, args: readonly string[]): Promise<Buffer | undefined> {
  return new Promise((resolve, reject) => {
    execFile(program, args, { encoding: "buffer", timeout: WAIT_MS, maxBuffer: MAX_BYTES }, (error, stdout) => {
      if (error === null && stdout.length > 0) resolve(stdout);
      else if (error?.code === "ENOENT") resolve(undefined);
      else
        reject(
          new UserError("The clipboard contains no image.", {
            hint: "Copy an image first, or attach a file with: /image PATH",
            cause: error ?? undefined,
          }),
        );
    });
  });
}
