import { connect as connectPlain, isIP, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { ToolFailure, UserError } from "hermes-agent/plugin";

/** A connection that is ready to be written to; with TLS to a server whose certificate holds. */
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
    return new UserError(`The certificate of ${place} cannot be trusted: ${cause.message}.`, {
      hint: "An authority of your own goes into NODE_EXTRA_CA_CERTS.",
      cause,
    });
  if (tls && /^ERR_SSL|EPROTO/.test(cause.code ?? ""))
    return new UserError(`${place} does not speak TLS.`, {
      hint: "IRC_USE_TLS=false connects without; the port is then usually 6667.",
      cause,
    });
  return new ToolFailure("unreachable", `${place} cannot be reached: ${cause.message}.`, { cause });
}
