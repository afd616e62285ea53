import { execFile } from "node:child_process";
import { UserError } from "../../../contract/common/failure.ts";

/** Programs that print the image on the clipboard, and where each belongs. */
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

/** The image on this machine's clipboard. Rejects with what is missing: a screen, a program, an image. */
export async function clipboardImage(env: NodeJS.ProcessEnv = process.env): Promise<Buffer> {
  const readers = READERS.filter(({ here }) => here(env));
  if (readers.length === 0)
    throw new UserError("No clipboard can be reached from here: there is no screen on this machine.", {
      hint: "Copy the file here and name it: /image PATH",
    });
  for (const { program, args } of readers) {
    const read = await output(program, args);
    if (read !== undefined) return read;
  }
  throw new UserError(
    `${readers.map(({ program }) => program).join(" or ")} is needed to read the clipboard, and is not installed.`,
    { hint: "Install it, or save the image and name it: /image PATH" },
  );
}

/** `undefined`: there is no such program. */
function output(program: string, args: readonly string[]): Promise<Buffer | undefined> {
  return new Promise((resolve, reject) => {
    execFile(program, args, { encoding: "buffer", timeout: WAIT_MS, maxBuffer: MAX_BYTES }, (error, stdout) => {
      if (error === null && stdout.length > 0) resolve(stdout);
      else if (error?.code === "ENOENT") resolve(undefined);
      else
        reject(
          new UserError("There is no image on the clipboard.", {
            hint: "Copy one first, or name a file: /image PATH",
            cause: error ?? undefined,
          }),
        );
    });
  });
}
