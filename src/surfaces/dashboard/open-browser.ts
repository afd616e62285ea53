import { spawn } from "node:child_process";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";

/**
 * Opens the person's browser at a link that holds a secret. Arguments of programs are there for every user of the machine to read, so what the
 * browser is given is a file of the person's own that leads on. It lies where the agent may read nothing, and goes when it is disposed. Where
 * there is no desktop nothing happens: the link was printed.
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
  child.on("error", () => {}); // There is none; the link was printed.
  child.unref();
  return gone;
}
