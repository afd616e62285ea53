import { connect as connectPlain, isIP, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { ToolFailure, UserError } from "hermes-agent/plugin";

/** An open connection; with TLS only to a server with a trusted certificate. */
export function openSocket(
  { server, port, tls }: { readonly server: string; readonly port: number; readonly tls: boolean },
  timeoutMs: number,
): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const place = `${server}:${port}`;
    const socket = tls
      ? connectTls({ host: server, port, servername: isIP(server) === 0 ? server : undefined })
      : connectPlain({ host: server, port });
    const timer = setTimeout(
      () => fail(new ToolFailure("unreachable", `${place} did not answer within ${timeoutMs / 1000} s.`)),
      timeoutMs,
    );
    const fail = (cause: Error): void => {
      clearTimeout(timer);
      socket.destroy();
      reject(cause);
    };
    socket.once("error", (cause: NodeJS.ErrnoException) => fail(reportOf(cause, place, tls)));
    socket.once(tls ? "secureConnect" : "connect", () => {
      clearTimeout(timer);
      socket.removeAllListeners("error");
      resolve(socket);
    });
  });
}

function reportOf(cause: NodeJS.ErrnoException, place: string, tls: boolean): Error {
  if (tls && /CERT|SELF_SIGNED|VERIFY|ALTNAME/.test(cause.code ?? ""))
    return new UserError(`The certificate of ${place} is not trusted: ${cause.message}.`, {
      hint: "Add your own certificate authority with NODE_EXTRA_CA_CERTS.",
      cause,
    });
  if (tls && /^ERR_SSL|EPROTO/.test(cause.code ?? ""))
    return new UserError(`${place} does not support TLS.`, {
      hint: "Set IRC_USE_TLS=false to connect without TLS; the port is then usually 6667.",
      cause,
    });
  return new ToolFailure("unreachable", `Cannot connect to ${place}: ${cause.message}.`, { cause });
}
