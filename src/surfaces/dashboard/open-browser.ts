import { spawn } from "node:child_process";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";

/**
 * Opens the user's browser at a link with a secret. Every user of the machine can read program arguments, so the
 * browser gets a private file that redirects to the link. The file is in a folder that the agent may not read, and is
 * deleted on disposal. Without a desktop nothing happens: the command has printed the link.
 */
export async function openBrowser(link: string, home: string): Promise<AsyncDisposable> {
  const file = join(home, "auth", `dashboard-${process.pid}.html`);
  const gone = { [Symbol.asyncDispose]: () => rm(file, { force: true }) };
  const mac = process.platform === "darwin";
  if (!mac && !process.env["DISPLAY"] && !process.env["WAYLAND_DISPLAY"]) return gone;
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  await writeFile(
    file,
    `<!doctype html><meta charset="utf-8"><meta name="referrer" content="no-referrer"><meta http-equiv="refresh" content="0; url=${link}"><a href="${link}">Hermes</a>\n`,
    { mode: 0o600 },
  );
  const child = spawn(mac ? "open" : "xdg-open", [file], { stdio: "ignore", detached: true });
  child.on("error", () => {}); // No browser; the command has printed the link.
  child.unref();
  return gone;
}
