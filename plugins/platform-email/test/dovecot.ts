import { spawn } from "node:child_process";
import { chownSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { connect, createServer, type AddressInfo } from "node:net";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { lacksProgram } from "hermes-agent/testing";

const PROGRAM = "/usr/sbin/dovecot";
/** Why tests with a real IMAP server are skipped. */
export const withDovecot: { readonly skip: string | false } = {
  skip:
    process.getuid?.() === 0
      ? lacksProgram(PROGRAM) && "dovecot is not installed (Debian package dovecot-imapd)"
      : "only root can start a dovecot here",
};

export const PASSWORD = "mailbox-password-of-the-test";

/** A real IMAP server on this machine with one mailbox, stopped with the test. */
export async function startDovecot() {
  const folder = mkdtempSync(join(tmpdir(), "dovecot-"));
  // Dovecot gives root no mailbox.
  const root = process.getuid!() === 0;
  const user = root ? "mail" : userInfo().username;
  const ids = root ? { uid: 8, gid: 8 } : {};
  const mail = join(folder, "mail");
  for (const one of [mail, join(mail, "new"), join(mail, "cur"), join(mail, "tmp"), join(folder, "run")])
    mkdirSync(one, { recursive: true });
  const port = await freePort();
  const file = join(folder, "dovecot.conf");
  writeFileSync(
    file,
    `protocols = imap
listen = 127.0.0.1
base_dir = ${join(folder, "run")}
state_dir = ${join(folder, "run")}
log_path = ${join(folder, "log")}
default_internal_user = ${user}
default_internal_group = ${root ? "mail" : ""}
default_login_user = ${user}
ssl = no
disable_plaintext_auth = no
mail_location = maildir:${mail}
first_valid_uid = 1
first_valid_gid = 1
passdb {
  driver = static
  args = password=${PASSWORD}
}
userdb {
  driver = static
  args = uid=${root ? 8 : process.getuid!()} gid=${root ? 8 : process.getgid!()} home=${folder}
}
service imap-login {
  chroot =
  inet_listener imap {
    port = ${port}
  }
  inet_listener imaps {
    port = 0
  }
}
service anvil {
  chroot =
}
service stats {
  chroot =
}
mail_max_userip_connections = 100
`.replace(/^default_internal_group = $\n/m, ""),
  );
  if (root)
    for (const one of [folder, mail, join(mail, "new"), join(mail, "cur"), join(mail, "tmp"), join(folder, "run")])
      chownSync(one, 8, 8);
  const start = async () => {
    const child = spawn(PROGRAM, ["-F", "-c", file], { stdio: "ignore", ...ids });
    for (let tries = 0; tries < 100 && !(await answers(port)); tries++) await sleep(50);
    return child;
  };
  let server = await start();
  const stop = async (): Promise<void> => {
    if (server.exitCode !== null || server.signalCode !== null) return;
    const gone = new Promise((resolve) => server.once("exit", resolve));
    server.kill("SIGTERM");
    await gone;
  };
  let count = 0;
  return {
    port,
    folder,
    /** A message arrives in the mailbox. */
    deliver(message: string | Uint8Array): void {
      const name = `${Date.now()}.${String(++count).padStart(6, "0")}.test`;
      const path = join(mail, "tmp", name);
      writeFileSync(path, message, { mode: 0o644 });
      if (root) chownSync(path, 8, 8);
      renameSync(path, join(mail, "new", name));
    },
    /** Ends all connections. */
    async restart(): Promise<void> {
      await stop();
      server = await start();
    },
    async [Symbol.asyncDispose]() {
      await stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("data", () => resolve((socket.destroy(), true)));
    socket.once("error", () => resolve(false));
    socket.once("end", () => resolve(false));
  });
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
