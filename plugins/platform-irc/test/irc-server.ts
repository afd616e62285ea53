import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect, createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const PROGRAM = "/usr/sbin/ngircd";
/** Why tests with a real server are skipped. */
export const withNgircd: { readonly skip: string | false } = {
  skip: existsSync(PROGRAM) ? false : "ngircd is not installed (Debian package ngircd)",
};

export const OPERATOR = { name: "boss", password: "let-me" };

/** A real IRC server on this machine, stopped with the test. */
export async function startNgircd({
  password,
  sections = "",
  tls = false,
}: { readonly password?: string; readonly sections?: string; readonly tls?: boolean } = {}) {
  const folder = mkdtempSync(join(tmpdir(), "ngircd-"));
  const certificate = join(folder, "server.pem");
  const key = join(folder, "server.key");
  if (tls)
    spawnSync("openssl", [
      "req",
      "-x509",
      "-newkey",
      "ec",
      "-pkeyopt",
      "ec_paramgen_curve:prime256v1",
      "-nodes",
      "-days",
      "2",
      "-subj",
      "/CN=test",
      "-addext",
      "subjectAltName=IP:127.0.0.1",
      "-keyout",
      key,
      "-out",
      certificate,
    ]);
  for (let tries = 1; ; tries++) {
    const port = await freePort();
    const tlsPort = tls ? await freePort() : 0;
    const file = join(folder, "ngircd.conf");
    writeFileSync(
      file,
      `[Global]
Name = irc.test.local
Info = test
Listen = 127.0.0.1
Ports = ${port}
MotdPhrase = Welcome
ServerUID = ${process.getuid!()}
ServerGID = ${process.getgid!()}
${password === undefined ? "" : `Password = ${password}\n`}[Limits]
MaxNickLength = 20
MaxConnectionsIP = 0
MaxPenaltyTime = 0
[Options]
DNS = no
Ident = no
PAM = no
SyslogFacility = local1
[Operator]
Name = ${OPERATOR.name}
Password = ${OPERATOR.password}
${tls ? `[SSL]\nPorts = ${tlsPort}\nCertFile = ${certificate}\nKeyFile = ${key}\n` : ""}${sections}`,
    );
    const child = spawn(PROGRAM, ["-n", "-f", file], { stdio: ["ignore", "pipe", "pipe"] });
    let message = "";
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (text: string) => (message += text));
    const ended = new Promise<void>((resolve) => void child.once("exit", () => resolve()));
    if (await answers(port, ended)) {
      return {
        port,
        tlsPort,
        certificate,
        async [Symbol.asyncDispose]() {
          child.kill("SIGKILL");
          await ended;
          rmSync(folder, { recursive: true, force: true });
        },
      };
    }
    child.kill("SIGKILL");
    if (tries === 5) throw new Error(`ngircd did not start: ${message}`);
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise<void>((resolve) => void server.close(() => resolve()));
  return port;
}

/** False if the process ended first, because another program took the port. */
async function answers(port: number, ended: Promise<void>): Promise<boolean> {
  const over = ended.then(() => "over" as const);
  for (;;) {
    const there = await Promise.race([over, reached(port)]);
    if (there !== false) return there === true;
    await sleep(20);
  }
}

function reached(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => {
      socket.destroy();
      resolve(true);
    }).on("error", () => resolve(false));
  });
}
